import pg from 'pg';
import { countPayments } from '../../service/src/counters/count-payments.ts';
import { connectDatabase } from '../../service/src/database/database.ts';
import { sumDays } from '../../service/src/ledger/day-sums/sum-days.ts';
import { seedDatabase } from '../growth/seed-database.ts';
import { OWNERS } from '../growth/seed-rows.ts';

/** Webhooks of a week: the pages show no older ones. */
const WEBHOOK_DAYS = 7;
const WORKERS = 3;

/** A ledger entry for each payment, and a refund for one in a hundred. */
const MONEY = [
  `SET session_replication_role = 'replica'`,
  `INSERT INTO ledger_entries (id, merchant_id, type, amount_cents, currency, payment_request_id,
     network_reference, created_at)
   SELECT md5('payment' || id)::uuid, merchant_id, 'PAYMENT', amount_cents, 'CAD', id,
     payment_network_reference, payment_completed_at
   FROM payment_requests WHERE status = 'PAID'`,
  `INSERT INTO refunds (id, payment_request_id, merchant_id, merchant_refund_id, body_hash,
     amount_cents, status, payment_network_reference, payment_completed_at, created_at)
   SELECT (left(id::text, 24) || right(md5('refund' || id), 12))::uuid, id, merchant_id,
     'refund-' || short_code, decode(md5(id::text) || md5(id::text), 'hex'), 100, 'COMPLETED',
     'REFUND-' || payment_network_reference, payment_completed_at + interval '1 h',
     payment_completed_at + interval '1 h'
   FROM payment_requests WHERE status = 'PAID' AND left(md5(id::text), 2) < '03'`,
  `INSERT INTO refund_events (refund_id, position, status, cause, occurred_at)
   SELECT id, 1, 'CREATED', 'CREATED', created_at FROM refunds`,
  'VACUUM (ANALYZE) ledger_entries, refunds, refund_events',
];

/**
 * Fills a database with a year of payment requests, their webhooks and money. A database that was
 * filled before stays as it is.
 */
export async function seedConsole(
  databaseUrl: string,
  rows: number,
  onStep: (step: string) => void,
): Promise<void> {
  const options = { databaseUrl, rows, webhookDays: WEBHOOK_DAYS, workers: WORKERS };
  await seedDatabase({ ...options, onStep: () => {} });
  onStep(`${rows} payment requests`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: found } = await client.query('SELECT FROM ledger_entries LIMIT 1');
    if (found.length === 0) for (const statement of MONEY) await client.query(statement);
  } finally {
    await client.end();
  }
  onStep('ledger entries and refunds');
}

/** Counts all that was seeded, as after an upgrade. @returns the seconds that it took */
export async function countSeeded(databaseUrl: string): Promise<number> {
  const db = connectDatabase({ url: databaseUrl, poolSize: 1 });
  const startedMs = performance.now();
  try {
    while (await countPayments({ db }));
    while (await sumDays({ db }));
    return (performance.now() - startedMs) / 1_000;
  } finally {
    await db.close();
  }
}

/** Values of rows of the largest merchant, by which pages and the search find them. */
export interface Sample {
  /** Ids, by the part of the path before them. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** Texts that people search for, by kind. */
  readonly searched: Readonly<Record<string, readonly string[]>>;
}

const SAMPLED = 200;
/** Tables of which only a part of the pages is read. */
const SOME = 'TABLESAMPLE SYSTEM (1)';
const IDS = {
  'payment-requests': `SELECT id::text FROM payment_requests ${SOME}`,
  refunds: `SELECT id::text FROM refunds`,
  deliveries: `SELECT id::text FROM webhook_deliveries ${SOME}`,
  endpoints: 'SELECT id::text FROM webhook_endpoints',
  events: `SELECT id::text FROM webhook_events ${SOME}`,
};
const SEARCHED = {
  id: 'id',
  'short code': 'short_code',
  'own reference': 'merchant_transaction_id',
  'invoice number': 'invoice_number',
  'e-mail': 'payer_email',
  phone: 'payer_mobile_number',
  amount: `to_char(amount_cents / 100.0, 'FM9999990.00')`,
  'network reference': 'payment_network_reference',
};

/** Reads what the pages and the search are asked for. */
export async function readSample(databaseUrl: string): Promise<Sample> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const read = async (text: string): Promise<string[]> => {
    const found = await client.query<{ id: string }>(text, [OWNERS.giant]);
    return found.rows.map(({ id }) => id);
  };
  const ids: Record<string, string[]> = {};
  for (const [name, text] of Object.entries(IDS)) {
    ids[name] = await read(`${text} WHERE merchant_id = $1 LIMIT ${SAMPLED}`);
  }
  const searched: Record<string, string[]> = { 'refund id': ids.refunds ?? [] };
  for (const [name, column] of Object.entries(SEARCHED)) {
    searched[name] = await read(`SELECT ${column} AS id FROM payment_requests ${SOME}
      WHERE merchant_id = $1 AND ${column} IS NOT NULL LIMIT ${SAMPLED}`);
  }
  await client.end();
  return { ids, searched };
}
