import { NETWORK_READINGS } from '#payment-requests/network-gauge-store.ts';
import { PAYMENT_REQUEST_READINGS } from '#payment-requests/payment-request-gauge-store.ts';
import type { DatabaseReading } from '#telemetry/database-gauges.ts';
import { WEBHOOK_READINGS } from '#webhooks/webhook-gauge-store.ts';

/** Every gauge that is read from the database, in every process and role: add yours here. */
export const DATABASE_READINGS: readonly DatabaseReading[] = [
  ...PAYMENT_REQUEST_READINGS,
  ...NETWORK_READINGS,
  ...WEBHOOK_READINGS,
];
