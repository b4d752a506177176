import { BANK_READINGS } from '#e-transfer/bank-transfer/reconciliation/bank-readings.ts';
import { NETWORK_READINGS } from '#payment-requests/network/gauge-store.ts';
import { PAYMENT_REQUEST_READINGS } from '#payment-requests/read/gauge-store.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';
import { WEBHOOK_READINGS } from '#webhooks/deliveries/gauge-store.ts';

/** Every gauge that is read from the database, in every process and role: add yours here. */
export const DATABASE_READINGS: readonly DatabaseReading[] = [
  ...PAYMENT_REQUEST_READINGS,
  ...NETWORK_READINGS,
  ...WEBHOOK_READINGS,
  ...BANK_READINGS,
];
