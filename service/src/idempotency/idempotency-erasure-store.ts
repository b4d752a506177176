import type { Executor, Statement } from '#database/database.ts';

/**
 * Bodies of payment requests begin with `{"id":"…"`. No index exists for this text: the erasure
 * scans a merchant's answers of 72 hours. An erasure can wait for that; no creation should pay for
 * an index.
 */
const LOCK: Statement = {
  name: 'idempotency-erasure-lock',
  text: `SELECT key, body FROM idempotency_answers
    WHERE merchant_id = $1 AND starts_with(body, '{"id":"')
      AND substr(body, 8, 36) = ANY ($2::text[]) FOR UPDATE`,
};

const SAVE: Statement = {
  name: 'idempotency-erasure-save',
  text: `UPDATE idempotency_answers a SET body = redacted.body
    FROM unnest($2::text[], $3::text[]) AS redacted (key, body)
    WHERE a.merchant_id = $1 AND a.key = redacted.key`,
};

/**
 * Replaces the stored answers that show these payment requests by redacted bodies.
 *
 * @returns the number of answers
 */
export async function eraseAnswers(
  tx: Executor,
  merchantId: string,
  paymentRequestIds: readonly string[],
  redact: (body: string) => string,
): Promise<number> {
  const answers = await tx.query<{ key: string; body: string }>(LOCK, [
    merchantId,
    paymentRequestIds,
  ]);
  const keys = answers.map(({ key }) => key);
  await tx.query(SAVE, [merchantId, keys, answers.map(({ body }) => redact(body))]);
  return answers.length;
}
