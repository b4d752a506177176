import type pg from 'pg';

/** The owners of the seeded rows, and where the list is hardest for each. */
export const SEEDED = {
  /** 40 %: some of everything, with many that stay open for long. */
  giant: 'mer_giant',
  /** 20 %: only small amounts, so that what is common elsewhere is absent here. */
  small: 'mer_small',
  /** The rest, shared by this many. */
  others: 1_000,
} as const;

export interface Seed {
  readonly rows: number;
  /** The newest row's instant; the oldest is a year before. */
  readonly now: Date;
  /** Owns them all, and exists; without one there are the merchants of SEEDED. */
  readonly merchantId?: string;
  /** Told of each step, for whoever waits. */
  readonly onStep?: (step: string) => void;
}

const CHUNK = 1_000_000;
const YEAR_MS = 365 * 86_400_000;

/** Rows are made from their number alone, so that two seeds of one size are alike. */
const insertFor = (owner: string) => `
  INSERT INTO payment_requests (
    id, merchant_id, merchant_transaction_id, amount_cents, type, payer_name, payer_email,
    payer_mobile_number, invoice_number, business_unit, display_message, short_code, status,
    status_reason_code, status_reason_message, payment_institution, payment_network_reference,
    payment_completed_at, version, webhook_sequence, created_at, expires_at)
  SELECT
    (lpad(to_hex(created_ms), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid,
    merchant_id, CASE WHEN t % 5 > 0 THEN h END,
    -- Small, with a long tail; the second merchant sells nothing above 20.00.
    CASE WHEN merchant_id = '${SEEDED.small}' THEN 100 + a % 1900
         WHEN a % 100000 = 7 THEN 900000 + a % 99999
         ELSE 500 + (a % 300) * (a % 211) END,
    'ECOMM', 'Payer ' || t,
    CASE WHEN t % 50 = 0 THEN 'none@shop.example'
         ELSE 'Payer' || t % 2000003 || '@example.com' END,
    CASE WHEN t % 2 = 0 THEN '+1 (416) ' || 1000000 + t % 3000017 END,
    CASE WHEN a % 100 = 1 THEN 'N/A' WHEN a % 2 = 0 THEN 'INV-' || i END,
    CASE WHEN t % 100000 = 3 THEN 'airport' WHEN t % 10 < 5 THEN 'web'
         WHEN t % 10 < 8 THEN 'store-' || t % 7 END,
    'Thank you for your order ' || i, substr(md5(h), 1, 16), status,
    CASE status WHEN 'FAILED' THEN 'PAYER_DECLINED' WHEN 'EXPIRED' THEN 'LINK_EXPIRED'
                WHEN 'CANCELLED' THEN 'CANCELLED_BY_MERCHANT' END,
    CASE WHEN status IN ('FAILED', 'EXPIRED', 'CANCELLED') THEN 'It was not paid.' END,
    CASE status WHEN 'PAID' THEN 'Maple Bank' END, CASE status WHEN 'PAID' THEN 'REF-' || i END,
    CASE status WHEN 'PAID' THEN created_at + interval '2 min' END,
    CASE status WHEN 'CREATED' THEN 1 ELSE 2 END, CASE status WHEN 'CREATED' THEN 0 ELSE 1 END,
    created_at,
    CASE WHEN is_long_open THEN created_at + interval '364 days'
         ELSE created_at + interval '24 h' END
  FROM (
    SELECT *, CASE
      WHEN is_long_open THEN 'CREATED'
      -- Among them expiries that passed in the last seconds and are not written yet.
      WHEN created_at > $4::timestamptz - interval '1 day 30 s' AND s % 10 < 4 THEN 'CREATED'
      WHEN s % 10 < 7 THEN 'PAID' WHEN s % 10 < 9 THEN 'EXPIRED'
      WHEN s % 20 = 9 THEN 'FAILED' WHEN s % 10000 = 19 THEN 'PROCESSING'
      ELSE 'CANCELLED' END AS status
    FROM (
      SELECT *, to_timestamp(created_ms / 1000.0) AS created_at,
        ${owner} AS merchant_id,
        m % 10 < 4 AND s % 13 = 5
          AND created_ms > $5::bigint - 363 * 86400000::bigint AS is_long_open
      FROM (
        SELECT i, h, ('x' || substr(h, 1, 7))::bit(28)::bigint AS m,
          ('x' || substr(h, 8, 7))::bit(28)::bigint AS s,
          ('x' || substr(h, 15, 7))::bit(28)::bigint AS a,
          ('x' || substr(h, 22, 7))::bit(28)::bigint AS t,
          -- Some share their millisecond: the order of their ids is part of the list's.
          $5::bigint - ((($3::bigint - i) / 3 * 3 * ${YEAR_MS}::numeric) / $3)::bigint AS created_ms
        FROM (SELECT i, md5('seed' || i) AS h
              FROM generate_series($1::bigint, $2::bigint) i) numbers
      ) drawn) times) statuses`;

const MANY_OWNERS = `
  CASE WHEN m % 10 < 4 THEN '${SEEDED.giant}' WHEN m % 10 < 6 THEN '${SEEDED.small}'
       ELSE 'mer_' || m % ${SEEDED.others} END`;

const INSERT_EVENTS = `
  INSERT INTO payment_request_moves (payment_request_id, position, status, cause, occurred_at)
  SELECT id, 1, 'CREATED', 'CREATED', created_at FROM payment_requests
  UNION ALL
  SELECT id, 2, status, 'SEEDED', created_at + interval '2 min' FROM payment_requests
  WHERE status <> 'CREATED'`;

/**
 * Fills an empty, migrated database with payment requests of many merchants, straight into its
 * tables. Needs a superuser: the triggers that guard moves are passed by.
 */
export async function seedPaymentRequests(client: pg.ClientBase, seed: Seed): Promise<void> {
  const { rows, now, merchantId, onStep = () => {} } = seed;
  // No trigger and no foreign key is asked: the rows come from nobody's hands.
  await client.query("SET session_replication_role = 'replica'");
  await client.query("SET maintenance_work_mem = '512MB'");
  if (merchantId === undefined) await insertMerchants(client);
  const insert = insertFor(merchantId ? client.escapeLiteral(merchantId) : MANY_OWNERS);
  const rebuild = await dropIndexes(client, 'payment_requests');
  for (let first = 1; first <= rows; first += CHUNK) {
    const last = Math.min(first + CHUNK - 1, rows);
    await client.query(insert, [first, last, rows, now, now.getTime()]);
    onStep(`${last} rows`);
  }
  await rebuild(onStep);
  await client.query(INSERT_EVENTS);
  onStep('events');
  await client.query('VACUUM ANALYZE payment_requests');
  await client.query('VACUUM ANALYZE payment_request_moves');
  await client.query("SET session_replication_role = 'origin'");
  onStep('analyzed');
}

async function insertMerchants(client: pg.ClientBase): Promise<void> {
  await client.query(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
                            signing_secret_encrypted)
     SELECT id, id, 'seeded', '', '' FROM (
       SELECT 'mer_' || generate_series(0, ${SEEDED.others} - 1)
       UNION ALL SELECT unnest(ARRAY['${SEEDED.giant}', '${SEEDED.small}'])) ids (id)
     ON CONFLICT DO NOTHING`,
  );
}

/** Takes the indexes off a table that is about to be filled; gives what puts them back. */
async function dropIndexes(client: pg.ClientBase, table: string) {
  const { rows } = await client.query<{ name: string; text: string }>(
    `SELECT indexname AS name, indexdef AS text FROM pg_indexes
     WHERE tablename = $1 AND NOT EXISTS (
       SELECT FROM pg_constraint WHERE conindid = indexname::regclass)`,
    [table],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return async (onStep: (step: string) => void) => {
    for (const { name, text } of rows) {
      await client.query(text);
      onStep(name);
    }
  };
}
