import { execute, hasRows, valuesOf } from '#database/statements.ts';

/** The right to a CSV stream; a merchant has at most one at a time. */
export interface StreamLease {
  readonly merchantId: string;
  readonly token: string;
}

/** @returns whether the lease was free; the holder then has it for `forMs` (database's clock). */
export const takeStreamLease = hasRows(
  'csv-stream-take',
  `INSERT INTO payment_request_streams AS s (merchant_id, lease_token, leased_until)
   VALUES ($1, $2, service_now() + $3 * interval '1 ms')
   ON CONFLICT (merchant_id) DO UPDATE
     SET lease_token = excluded.lease_token, leased_until = excluded.leased_until
     WHERE s.leased_until <= service_now()
   RETURNING merchant_id`,
  ({ merchantId, token }: StreamLease, forMs: number) => [merchantId, token, forMs],
);

/** @returns false when another holder has the lease by now. */
export const renewStreamLease = hasRows(
  'csv-stream-renew',
  `UPDATE payment_request_streams SET leased_until = service_now() + $3 * interval '1 ms'
   WHERE merchant_id = $1 AND lease_token = $2 RETURNING merchant_id`,
  ({ merchantId, token }: StreamLease, forMs: number) => [merchantId, token, forMs],
);

export const giveBackStreamLease = execute<[lease: StreamLease]>(
  'csv-stream-give-back',
  'DELETE FROM payment_request_streams WHERE merchant_id = $1 AND lease_token = $2',
  valuesOf('merchantId', 'token'),
);
