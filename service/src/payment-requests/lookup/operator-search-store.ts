import type { Executor, Statement } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { findPaymentRequests } from './find-store.ts';

/**
 * Each part reads an index. The index of merchantTransactionId begins with the merchant, so the
 * last part looks there once for each merchant: a thousand merchants take milliseconds.
 */
const FIND: Statement = {
  name: 'operator-search-find',
  text: `SELECT id FROM (
      SELECT id, created_at FROM payment_requests WHERE id = $2::uuid
      UNION
      SELECT id, created_at FROM payment_requests WHERE short_code = $1
      UNION
      SELECT id, created_at FROM payment_requests WHERE payment_network_reference = $1
      UNION
      SELECT p.id, p.created_at FROM merchants m CROSS JOIN LATERAL (
        SELECT id, created_at FROM payment_requests
        WHERE merchant_id = m.id AND merchant_transaction_id = $1
        ORDER BY created_at DESC, id DESC LIMIT $3) p
    ) found ORDER BY created_at DESC, id DESC LIMIT $3`,
};

/**
 * The newest payment requests of all merchants that have this id, short code, network reference or
 * merchantTransactionId, newest first.
 */
export async function searchPaymentRequests(
  db: Executor,
  reference: string,
  most: number,
): Promise<PaymentRequest[]> {
  const values = [reference, isId(reference) ? reference : null, most];
  const ids = (await db.query<{ id: string }>(FIND, values)).map(({ id }) => id);
  const found = await findPaymentRequests(db, ids);
  return found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}
