import { firstValue } from '#database/statements.ts';
import { isOpen, sqlListOf } from '#payment-requests/model/statuses.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';

/** Far more than there ever should be; counted in milliseconds. */
const MOST_COUNTED = 10_000;

/**
 * Open payment requests whose payment at the network is over, until their link is opened again.
 *
 * Reads the partial index network_requests_payment_over.
 */
export const countOpenWithoutPayment = firstValue<number>(
  'network-gauges-open-without-payment',
  `SELECT count(*)::float8 AS count FROM (
     SELECT FROM network_requests n JOIN payment_requests p ON p.id = n.payment_request_id
     WHERE n.payment_over_at IS NOT NULL AND p.status IN (${sqlListOf(isOpen)})
       AND p.expires_at > service_now() LIMIT ${MOST_COUNTED}) open`,
  0,
);

const WITHOUT_PAYMENT_READING: DatabaseReading = {
  name: 'network-payments',
  gauges: [
    {
      name: 'payment_requests_without_network_payment',
      description:
        'Open payment requests whose payment at the network is over, until the link is opened.',
    },
  ],
  read: async (executor) => ({
    payment_requests_without_network_payment: await countOpenWithoutPayment(executor),
  }),
};

/** The gauges of payments at the network. */
export const NETWORK_READINGS: readonly DatabaseReading[] = [WITHOUT_PAYMENT_READING];
