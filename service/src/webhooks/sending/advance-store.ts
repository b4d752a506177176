import { execute } from '#database/statements.ts';
import { ADVANCED } from '#webhooks/model/advanced.ts';

/**
 * Brings the next attempts of a payment request's deliveries forward, which no sender holds, and
 * moves them to queues of their own. No breaker knows such a queue, and no listener's backlog is
 * before them.
 */
export const advanceDeliveries = execute<[paymentRequestId: string, us: number]>(
  'webhook-delivery-advance',
  `UPDATE webhook_deliveries d
   SET next_attempt_at = next_attempt_at - $2 * interval '1 us',
     destination = '${ADVANCED}' || $1::text || ' '
       || coalesce(endpoint_id::text, webhook_origin_key(merchant_id, url))
   WHERE payment_request_id = $1::uuid AND sequence > 0 AND next_attempt_at IS NOT NULL
     AND (leased_until IS NULL OR leased_until <= service_now())`,
);

/** Gives what is left after an advance back to the queues of its destinations. */
export const endAdvancedDeliveries = execute<[paymentRequestId: string]>(
  'webhook-delivery-end-advance',
  `UPDATE webhook_deliveries
   SET destination = coalesce(endpoint_id::text, webhook_origin_key(merchant_id, url))
   WHERE payment_request_id = $1 AND sequence > 0 AND next_attempt_at IS NOT NULL
     AND starts_with(destination, '${ADVANCED}')`,
);
