import { createHash } from 'node:crypto';
import pg from 'pg';
import { OWNERS } from '../growth/seed-rows.ts';

/** Rows of each list: a hundred thousand of the largest merchant, or of the deployment. */
export const LISTED = 100_000;

const GIANT = `'${OWNERS.giant}'`;
const ENDPOINT = `md5(${GIANT} || ' 1')::uuid`;
const NUMBERS = `generate_series(1, ${LISTED}) n`;

/**
 * Rows of the lists that the seed of growth leaves short. Behind an outage each delivery waits: a
 * hundred were tried, most of them answered 503. Of the others' kinds and states there are several.
 */
const ROWS = [
  `SET session_replication_role = 'replica'`,
  `SET synchronous_commit = off`,
  `INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
   SELECT md5('waiting event' || n)::uuid, ${GIANT}, md5('waiting request' || n)::uuid, 1,
     CASE n % 3 WHEN 0 THEN 'PAYMENT-FAILED' ELSE 'PAYMENT-COMPLETED' END,
     '{"eventType":"PAYMENT-COMPLETED","resource":{}}'
   FROM ${NUMBERS}`,
  `INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence,
     endpoint_id, url, destination, attempts, failed_at, failed_by)
   SELECT time_ordered_uuid(), md5('waiting event' || n)::uuid, ${GIANT},
     md5('waiting request' || n)::uuid, 1, ${ENDPOINT}, 'https://shop.example/webhooks',
     ${ENDPOINT}::text, (n <= 100)::int,
     CASE WHEN n <= 100 THEN date_trunc('ms', now()) - make_interval(secs => n) END,
     CASE WHEN n <= 100 THEN CASE n % 10 WHEN 0 THEN 'timeout' ELSE '5xx' END END
   FROM ${NUMBERS}`,
  `INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms, outcome,
     http_status)
   SELECT id, 1, failed_at, 40,
     CASE failed_by WHEN 'timeout' THEN 'TIMED_OUT' ELSE 'REFUSED_BY_LISTENER' END,
     CASE failed_by WHEN '5xx' THEN 503 END
   FROM webhook_deliveries WHERE failed_at IS NOT NULL AND attempts = 1`,
  `INSERT INTO operator_cases (id, kind, payment_request_id, merchant_id, details, opened_at,
     closed_at, settlement)
   SELECT gen_random_uuid(), CASE n % 3 WHEN 0 THEN 'AMOUNT_MISMATCH' WHEN 1 THEN 'WRONG_ACCOUNT'
     ELSE 'MONEY_RETURNED' END, NULL, ${GIANT},
     jsonb_build_object('networkReference', 'CASE-' || n, 'receivedCents', n),
     now() - make_interval(mins => n), CASE WHEN n % 2 = 0 THEN now() END,
     CASE WHEN n % 2 = 0 THEN 'CLOSED' END
   FROM ${NUMBERS}`,
  `INSERT INTO audit_log (occurred_at, actor, action, merchant_id, details, position, hash)
   SELECT now() - make_interval(mins => ${LISTED} - n), 'console (Ada, https://id.example ada)',
     CASE n % 20 WHEN 0 THEN 'API_KEY_CREATED' ELSE 'REFUND_CREATED' END, ${GIANT},
     jsonb_build_object('refundId', gen_random_uuid()), n + 1000000, decode(repeat('00', 32), 'hex')
   FROM ${NUMBERS}`,
  `INSERT INTO refunds (id, payment_request_id, merchant_id, merchant_refund_id, body_hash,
     amount_cents, status, payment_network_reference, payment_completed_at, created_at)
   SELECT gen_random_uuid(), p.id, p.merchant_id, 'more-' || p.short_code,
     decode(repeat('00', 32), 'hex'), 100, 'COMPLETED', 'MORE-' || p.payment_network_reference,
     p.payment_completed_at + interval '1 h', p.payment_completed_at + interval '1 h'
   FROM payment_requests p WHERE p.status = 'PAID' AND p.merchant_id = ${GIANT} LIMIT ${LISTED}`,
  `INSERT INTO refund_events (refund_id, position, status, cause, occurred_at)
   SELECT id, 1, 'CREATED', 'CREATED', created_at FROM refunds r
   WHERE NOT EXISTS (SELECT FROM refund_events e WHERE e.refund_id = r.id)`,
  `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
     signing_secret_encrypted)
   SELECT 'mer_more_' || n, 'Shop number ' || n, 'seeded', '', '' FROM ${NUMBERS}`,
  `INSERT INTO creditor_account_keys (key, merchant_id) VALUES ('CA000000000000000001', ${GIANT})`,
  `INSERT INTO bank_files (id, sha256, size_bytes, state, kind, completed_at)
   SELECT md5('file' || n)::uuid, sha256(n::text::bytea), 1000, 'COMPLETE', 'camt.053', now()
   FROM ${NUMBERS}`,
  `INSERT INTO bank_statements (id, file_id, kind, account, currency, day)
   VALUES (md5('statement')::uuid, md5('file1')::uuid, 'camt.053', 'CA000000000000000001', 'CAD',
     current_date)`,
  `INSERT INTO bank_entries (id, file_id, statement_id, account, entry_number, payment_number, rank,
     direction, amount_cents, currency, is_booked, is_reversal, is_return, is_batch_sum,
     booking_date, bank_reference, fingerprint, outcome, matched_at)
   SELECT gen_random_uuid(), md5('file1')::uuid, md5('statement')::uuid, 'CA000000000000000001', n,
     0, 1, CASE n % 7 WHEN 0 THEN 'DEBIT' ELSE 'CREDIT' END, n, 'CAD', true, false, false, false,
     current_date, 'BANK-' || n, sha256(n::text::bytea), 'ORDINARY', now()
   FROM ${NUMBERS}`,
  // The lists of the bank are those of a deployment with real money.
  `UPDATE deployment SET environment = 'production'`,
  `VACUUM (ANALYZE) webhook_events, webhook_deliveries, webhook_attempts, operator_cases, audit_log,
     refunds, refund_events, merchants, bank_files, bank_statements, bank_entries`,
];

/** Fills each list. A database that was filled before stays as it is. */
export async function seedLists(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: found } = await client.query('SELECT FROM bank_entries LIMIT 1');
    if (found.length === 0) for (const statement of ROWS) await client.query(statement);
  } finally {
    await client.end();
  }
}

const OWN = `/console/m/${OWNERS.giant}`;
const OPERATOR = '/console/operator';
/** The id that the seed gives the first file: an MD5 of its name. */
const FILE = createHash('md5')
  .update('file1')
  .digest('hex')
  .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The lists with their filters that no index answers alone, by their paths. */
export const LISTS: Readonly<Record<string, readonly string[]>> = {
  administrator: [
    `${OWN}/payment-requests`,
    `${OWN}/payment-requests?status=PAID`,
    `${OWN}/payment-requests?status=FAILED`,
    `${OWN}/payment-requests?status=CREATED&status=PROCESSING`,
    `${OWN}/payment-requests?amountMin=900`,
    `${OWN}/payment-requests?period=30d`,
    `${OWN}/refunds`,
    `${OWN}/refunds?status=FAILED`,
    `${OWN}/deliveries`,
    `${OWN}/deliveries?status=PENDING`,
    `${OWN}/deliveries?status=SUCCEEDED`,
    `${OWN}/deliveries?lastAnswer=failed`,
    `${OWN}/deliveries?lastAnswer=5xx`,
    `${OWN}/deliveries?lastAnswer=timeout`,
    `${OWN}/deliveries?lastAnswer=4xx`,
    `${OWN}/deliveries?lastAnswer=2xx`,
    `${OWN}/deliveries?order=attempt`,
    `${OWN}/deliveries?order=attempt&lastAnswer=timeout`,
    `${OWN}/ledger`,
    `${OWN}/cases`,
    `${OWN}/cases?state=settled`,
    `${OWN}/cases?kind=WRONG_ACCOUNT`,
    `${OWN}/audit`,
    `${OWN}/audit?action=API_KEY_CREATED`,
  ],
  operator: [
    `${OPERATOR}/cases`,
    `${OPERATOR}/cases?state=all`,
    `${OPERATOR}/audit`,
    `${OPERATOR}/audit?actor=nobody`,
    `${OPERATOR}/audit?actor=ada`,
    `${OPERATOR}/merchants`,
    `${OPERATOR}/merchants?q=number%2099`,
    `${OPERATOR}/merchants?q=nowhere`,
    `${OPERATOR}/sessions`,
    `${OPERATOR}/bank-files`,
    `${OPERATOR}/bank-files/${FILE}`,
    `${OPERATOR}/bank-files/${FILE}?match=MATCHED`,
  ],
};
