import type { Executor, Statement } from '#database/database.ts';

/**
 * A delivery ends by itself after 75 hours or is given up after 5 days; only a paused endpoint
 * holds it for longer. From 14 days on the endpoint is owed the event without its payer (decision
 * 0105), but not while a sender holds the bytes of before. The locks keep senders away until the
 * event is erased.
 */
const FIND_OWED: Statement = {
  name: 'webhook-erasure-find-owed',
  text: `SELECT payment_request_id AS id,
      created_at > service_now() - interval '14 days'
        OR coalesce(leased_until > service_now(), false) AS "isOwed"
    FROM webhook_deliveries
    WHERE payment_request_id = ANY ($1::uuid[])
      AND status = 'PENDING' AND next_attempt_at IS NOT NULL FOR UPDATE`,
};

const LOCK_EVENTS: Statement = {
  name: 'webhook-erasure-lock-events',
  text: `SELECT id, body FROM webhook_events
    WHERE payment_request_id = ANY ($1::uuid[]) AND erased_at IS NULL FOR UPDATE`,
};

const SAVE_BODIES: Statement = {
  name: 'webhook-erasure-save-bodies',
  text: `UPDATE webhook_events e SET body = redacted.body, erased_at = service_now()
    FROM unnest($1::uuid[], $2::text[]) AS redacted (id, body) WHERE e.id = redacted.id`,
};

/**
 * A listener may have answered with what it was sent. A trigger on `erased_at` erases the answers
 * that stand in the rows of deliveries.
 */
const ERASE_ANSWERS: Statement = {
  name: 'webhook-erasure-erase-answers',
  text: `UPDATE webhook_attempts a SET response_body = NULL
    FROM webhook_deliveries d
    WHERE d.event_id = ANY ($1::uuid[]) AND a.delivery_id = d.id AND a.response_body IS NOT NULL`,
};

/** Finds the payment requests with a webhook whose bytes must not change yet. */
export async function findOwedWebhooks(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<ReadonlySet<string>> {
  type Row = { readonly id: string; readonly isOwed: boolean };
  const rows = await tx.query<Row>(FIND_OWED, [paymentRequestIds]);
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
  const events = await tx.query<{ id: string; body: string }>(LOCK_EVENTS, [paymentRequestIds]);
  const ids = events.map(({ id }) => id);
  await tx.query(SAVE_BODIES, [ids, events.map(({ body }) => redact(body))]);
  await tx.query(ERASE_ANSWERS, [ids]);
  return events.length;
}
