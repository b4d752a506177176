import type { TestDatabase } from '../database.ts';

/** Moves a payment request and its whole history into the past, with all spans as they are. */
export async function agePaymentRequest(
  { sql }: Pick<TestDatabase, 'sql'>,
  id: string,
  days: number,
): Promise<void> {
  await sql(
    `WITH span AS (SELECT make_interval(days => $2) AS of), aged AS (
       UPDATE payment_requests SET created_at = created_at - span.of,
         expires_at = expires_at - span.of, payment_completed_at = payment_completed_at - span.of
       FROM span WHERE id = $1)
     UPDATE payment_request_moves SET occurred_at = occurred_at - span.of
     FROM span WHERE payment_request_id = $1`,
    [id, days],
  );
}
