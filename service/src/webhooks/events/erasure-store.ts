import type { Executor } from '#database/database.ts';
import { allRows, execute } from '#database/statements.ts';

/**
 * A delivery ends by itself after 75 hours or is given up after 5 days; only a paused endpoint
 * holds it for longer. After 14 days the endpoint is owed the event without its payer (decision
 * 0105), but not while a sender holds the bytes of before. The locks keep senders away until the
 * event is erased.
 */
const lockOwed = allRows<{ id: string; isOwed: boolean }, [paymentRequestIds: readonly string[]]>(
  'webhook-erasure-find-owed',
  `SELECT payment_request_id AS id,
      created_at > service_now() - interval '14 days'
        OR coalesce(leased_until > service_now(), false) AS "isOwed"
    FROM webhook_deliveries
    WHERE payment_request_id = ANY ($1::uuid[])
      AND status = 'PENDING' AND next_attempt_at IS NOT NULL FOR UPDATE`,
);

const lockEvents = allRows<{ id: string; body: string }, [paymentRequestIds: readonly string[]]>(
  'webhook-erasure-lock-events',
  `SELECT id, body FROM webhook_events
    WHERE payment_request_id = ANY ($1::uuid[]) AND erased_at IS NULL FOR UPDATE`,
);

const saveBodies = execute<[ids: readonly string[], bodies: readonly string[]]>(
  'webhook-erasure-save-bodies',
  `UPDATE webhook_events e SET body = redacted.body, erased_at = service_now()
    FROM unnest($1::uuid[], $2::text[]) AS redacted (id, body) WHERE e.id = redacted.id`,
);

/**
 * A listener may have answered with what it was sent. A trigger on `erased_at` erases the answers
 * that stand in the rows of deliveries.
 */
const eraseAnswers = execute<[ids: readonly string[]]>(
  'webhook-erasure-erase-answers',
  `UPDATE webhook_attempts a SET response_body = NULL
    FROM webhook_deliveries d
    WHERE d.event_id = ANY ($1::uuid[]) AND a.delivery_id = d.id AND a.response_body IS NOT NULL`,
);

/** Finds the payment requests with a webhook whose bytes must not change yet. */
export async function findOwedWebhooks(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await lockOwed(tx, paymentRequestIds);
  return new Set(rows.filter(({ isOwed }) => isOwed).map(({ id }) => id));
}

/**
 * Puts a redacted body in the place of what was sent, and erases what listeners answered. The
 * event is not sent again from then on: 410 ERASED (contract §10).
 *
 * @returns how many events
 */
export async function eraseWebhookEvents(
  tx: Executor,
  paymentRequestIds: readonly string[],
  redact: (body: string) => string,
): Promise<number> {
  const events = await lockEvents(tx, paymentRequestIds);
  const ids = events.map(({ id }) => id);
  const bodies = events.map(({ body }) => redact(body));
  await saveBodies(tx, ids, bodies);
  await eraseAnswers(tx, ids);
  return events.length;
}
