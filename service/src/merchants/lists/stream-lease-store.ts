import type { Executor, Statement } from '#database/database.ts';

const TAKE: Statement = {
  name: 'csv-stream-take',
  text: `INSERT INTO payment_request_streams AS s (merchant_id, lease_token, leased_until)
         VALUES ($1, $2, service_now() + $3 * interval '1 ms')
         ON CONFLICT (merchant_id) DO UPDATE
           SET lease_token = excluded.lease_token, leased_until = excluded.leased_until
           WHERE s.leased_until <= service_now()
         RETURNING merchant_id`,
};

const RENEW: Statement = {
  name: 'csv-stream-renew',
  text: `UPDATE payment_request_streams SET leased_until = service_now() + $3 * interval '1 ms'
         WHERE merchant_id = $1 AND lease_token = $2 RETURNING merchant_id`,
};

const GIVE_BACK: Statement = {
  name: 'csv-stream-give-back',
  text: 'DELETE FROM payment_request_streams WHERE merchant_id = $1 AND lease_token = $2',
};

/** The right to a CSV stream; a merchant has at most one at a time. */
export interface StreamLease {
  readonly merchantId: string;
  readonly token: string;
}

/** @returns whether the lease was free; the holder then has it for `forMs` (database's clock). */
export async function takeStreamLease(
  executor: Executor,
  { merchantId, token }: StreamLease,
  forMs: number,
): Promise<boolean> {
  return (await executor.query(TAKE, [merchantId, token, forMs])).length > 0;
}

/** @returns false when another holder has the lease by now. */
export async function renewStreamLease(
  executor: Executor,
  { merchantId, token }: StreamLease,
  forMs: number,
): Promise<boolean> {
  return (await executor.query(RENEW, [merchantId, token, forMs])).length > 0;
}

export async function giveBackStreamLease(
  executor: Executor,
  { merchantId, token }: StreamLease,
): Promise<void> {
  await executor.query(GIVE_BACK, [merchantId, token]);
}
