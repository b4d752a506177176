import { execute, firstRow } from '#database/statements.ts';

export interface AddressLoad {
  /** Messages that the merchant has sent the address in the last 24 hours. */
  readonly own: number;
  /** Other messages of the merchant that are leaving for the address now. */
  readonly leaving: number;
  /** Messages that all merchants have sent the address in the last 24 hours, or send now. */
  readonly all: number;
  /** When the merchant has sent less than the limit; null: now. */
  readonly waitSeconds: number | null;
}

/** Lets one message at a time be counted for an address, until the transaction ends. */
export const lockAddress = execute<[addressHash: Buffer]>(
  'message-lock-address',
  `SELECT pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 0))`,
);

/** How many messages an address has got, or is about to get, beside this one. */
export const readAddressLoad = firstRow<
  AddressLoad,
  [id: string, merchantId: string, addressHash: Buffer, most: number]
>(
  'message-address-load',
  `WITH lately AS MATERIALIZED (
     SELECT merchant_id, sent_at FROM messages
     WHERE address_hash = $3 AND sent_at > service_now() - interval '24 hours'
   ), leaving AS MATERIALIZED (
     SELECT merchant_id FROM messages
     WHERE lease_token IS NOT NULL AND address_hash = $3 AND id <> $1
       AND named_at IS NOT NULL AND leased_until > service_now())
   SELECT count(*) FILTER (WHERE merchant_id = $2)::int AS own,
     (SELECT count(*) FROM leaving WHERE merchant_id = $2)::int AS leaving,
     count(*)::int + (SELECT count(*) FROM leaving)::int AS all,
     (SELECT extract(epoch FROM sent_at + interval '24 hours' - service_now())::float8
      FROM lately WHERE merchant_id = $2 ORDER BY sent_at DESC OFFSET $4::int - 1 LIMIT 1)
       AS "waitSeconds"
   FROM lately`,
);
