import type { TestDatabase } from '../database.ts';

/**
 * Payment requests whose expiry passed in the last `spreadSeconds` before `now` and is not written
 * yet, inserted in one statement.
 */
export async function insertDuePaymentRequests(
  { sql }: TestDatabase,
  merchantId: string,
  {
    count,
    now,
    spreadSeconds = 1,
  }: { readonly count: number; readonly now: Date; readonly spreadSeconds?: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `INSERT INTO payment_requests
       (id, merchant_id, amount_cents, type, payer_name, payer_email, short_code, created_at,
        expires_at)
     SELECT gen_random_uuid(), $1, 1000 + n, 'ECOMM', 'Ada Payer', 'ada@example.com',
            left(md5(gen_random_uuid()::text), 16), $3::timestamptz - interval '1 day',
            $3::timestamptz - $4 * random() * interval '1 s'
     FROM generate_series(1, $2::int) n
     RETURNING id`,
    [merchantId, count, now, spreadSeconds],
  );
  return rows.map(({ id }) => id);
}
