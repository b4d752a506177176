import type { BankSettings } from '#lib/bank/bank-settings.ts';
import { MESSAGE_READINGS } from '#messages/upkeep/gauges.ts';
import { NETWORK_READINGS } from '#payment-requests/network/gauge-store.ts';
import { PAYMENT_REQUEST_READINGS } from '#payment-requests/read/gauge-store.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';
import { WEBHOOK_READINGS } from '#webhooks/deliveries/gauge-store.ts';
import { ALL_NETWORKS } from './networks.ts';

/** Every gauge that is read from the database, in every process and role: add yours here. */
export const databaseReadings = (settings: {
  readonly bank: Pick<BankSettings, 'calendar'>;
}): readonly DatabaseReading[] => [
  ...PAYMENT_REQUEST_READINGS,
  ...NETWORK_READINGS,
  ...WEBHOOK_READINGS,
  ...MESSAGE_READINGS,
  ...ALL_NETWORKS.flatMap(({ readings }) => readings?.(settings) ?? []),
];
