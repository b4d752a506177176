import type { Executor, Statement } from '#database/database.ts';
import type { Status } from '#payment-requests/model/statuses.ts';

/** Some 50 ms: no index has names, and the walk takes as many statements as it needs. */
const ROWS_AT_ONCE = 20_000;
/** A person chooses among them by hand. */
const MOST = 100;

const PAGE: Statement = {
  name: 'payer-erasure-candidates',
  text: `
    WITH page AS MATERIALIZED (
      SELECT id, merchant_id, payer_name, payer_email, payer_mobile_number, status, created_at
      FROM payment_requests WHERE id < $1 ORDER BY id DESC LIMIT ${ROWS_AT_ONCE})
    SELECT last.id AS "lastId", last.rows::int AS rows, found.*
    FROM (SELECT min(id::text) AS id, count(*) AS rows FROM page) last LEFT JOIN LATERAL (
      SELECT id::text AS "paymentRequestId", merchant_id AS "merchantId", payer_name AS name,
             payer_email AS email, payer_mobile_number AS "mobileNumber", status,
             created_at AS "createdAt"
      FROM page WHERE ($2::text IS NULL OR merchant_id = $2)
        AND position(lower($3) IN lower(payer_name)) > 0
      ORDER BY id DESC LIMIT ${MOST}) found ON true`,
};

/** A payment request whose payer has a name; several people can have it. */
export interface Candidate {
  readonly paymentRequestId: string;
  readonly merchantId: string;
  readonly name: string;
  readonly email: string | null;
  readonly mobileNumber: string | null;
  readonly status: Status;
  readonly createdAt: Date;
}

/**
 * Finds up to 100 payment requests with a part of the payer's name in any case, the newest first.
 *
 * @param merchantId null: of all merchants
 */
export async function findCandidates(
  db: Executor,
  merchantId: string | null,
  name: string,
): Promise<Candidate[]> {
  type Row = Candidate & { readonly lastId: string | null; readonly rows: number };
  const found: Candidate[] = [];
  let after: string | null = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  while (after !== null && found.length < MOST) {
    const rows: Row[] = await db.query<Row>(PAGE, [after, merchantId, name]);
    for (const { lastId: _, rows: __, ...candidate } of rows) {
      if (candidate.paymentRequestId !== null) found.push(candidate);
    }
    const [first] = rows;
    after = first && first.rows === ROWS_AT_ONCE ? first.lastId : null;
  }
  return found.slice(0, MOST);
}
