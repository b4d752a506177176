import type { Executor, Statement } from '#database/database.ts';

/**
 * Bodies of payment requests begin with `{"id":"…"`. There is no index by it: a merchant's answers
 * of 72 hours are looked through. An erasure can wait for that; no creation must pay for an index.
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
 * Puts redacted bodies in the place of kept answers that show these payment requests.
 *
 * @returns how many answers
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
