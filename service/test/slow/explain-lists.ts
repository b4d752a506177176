// Run by hand, for docs/decisions: fills a database of its own on TEST_DATABASE_URL's server and
// says how PostgreSQL answers the list's statements there.
//   node service/test/slow/explain-lists.ts [rows] [--keep] [--plans]
import pg from 'pg';
import { migrate } from '#database/schema/migrate.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { NO_FILTERS, type PaymentRequestFilters } from '#payment-requests/read/filters.ts';
import { paymentRequestPage } from '#payment-requests/read/list-store.ts';
import { SEEDED, seedPaymentRequests } from '../support/payment-requests/seed.ts';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const NAME = 'payreq_explain_lists';
const NOW = new Date('2026-03-01T12:00:00.000Z');
const args = process.argv.slice(2);
const rows = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 10_000_000);

interface Case extends Partial<PaymentRequestFilters> {
  readonly name: string;
  readonly merchantId?: string;
  /** Deep in the list rather than on its first page. */
  readonly deep?: true;
  readonly limit?: number;
}

const { giant, small } = SEEDED;
const MONTH = { createdFrom: new Date('2025-07-01'), createdTo: new Date('2025-08-01') };
const STORE = { businessUnit: 'store-3' };
const PAID: Partial<PaymentRequestFilters> = { statuses: ['PAID'] };
const PLACEHOLDER = 'none@shop.example';

/** Each filter where it is common, rare and absent, and the combinations that could go wrong. */
const CASES: readonly Case[] = [
  { name: 'none' },
  { name: 'none, deep', deep: true },
  { name: 'none, 100', limit: 101 },
  { name: 'created range', ...MONTH },
  { name: 'created range, empty', createdFrom: NOW, createdTo: NOW },
  { name: 'status PAID', statuses: ['PAID'] },
  { name: 'status PAID, deep', statuses: ['PAID'], deep: true },
  { name: 'status PROCESSING (rare)', statuses: ['PROCESSING'] },
  { name: 'status CREATED', statuses: ['CREATED'] },
  { name: 'status EXPIRED', statuses: ['EXPIRED'] },
  { name: 'status EXPIRED, deep', statuses: ['EXPIRED'], deep: true },
  { name: 'status FAILED, EXPIRED, CANCELLED', statuses: ['FAILED', 'EXPIRED', 'CANCELLED'] },
  { name: 'status FAILED, range', statuses: ['FAILED'], ...MONTH },
  { name: 'merchantTransactionId', merchantTransactionId: 'HASH' },
  { name: 'merchantTransactionId, absent', merchantTransactionId: 'absent' },
  { name: 'invoiceNumber, absent', invoiceNumber: 'INV-none' },
  { name: 'invoiceNumber, common', invoiceNumber: 'N/A' },
  { name: 'businessUnit, common', businessUnit: 'web' },
  { name: 'businessUnit, rare', businessUnit: 'airport' },
  { name: 'businessUnit, absent', businessUnit: 'moon' },
  { name: 'networkReference', networkReference: 'REF-77' },
  { name: 'networkReference, absent', networkReference: 'REF-none' },
  { name: 'networkReference, PAID', networkReference: 'REF-77', statuses: ['PAID'] },
  { name: 'shortCode', shortCode: 'abcdefabcdefabcd' },
  { name: 'payerEmail', payerEmail: 'payer77@example.com' },
  { name: 'payerEmail, common', payerEmail: PLACEHOLDER },
  { name: 'payerMobileNumber', payerMobileNumber: '14161000066' },
  { name: 'amount exactly', amountMinCents: 12_300, amountMaxCents: 12_300 },
  { name: 'amount above, all', amountMinCents: 1 },
  { name: 'amount above, half', amountMinCents: 15_000 },
  { name: 'amount above, 1 %', amountMinCents: 60_000 },
  { name: 'amount above, rare', amountMinCents: 900_000 },
  { name: 'amount above, common but not here', amountMinCents: 15_000, merchantId: small },
  { name: 'amount between, narrow', amountMinCents: 12_300, amountMaxCents: 12_310 },
  { name: 'amount above, rare, PAID', amountMinCents: 900_000, statuses: ['PAID'] },
  { name: 'amount above, rare, EXPIRED', amountMinCents: 900_000, statuses: ['EXPIRED'] },
  { name: 'amount above, all, PROCESSING', amountMinCents: 1, statuses: ['PROCESSING'] },
  { name: 'amount above, half, PROCESSING', amountMinCents: 15_000, statuses: ['PROCESSING'] },
  { name: 'amount above, rare, range', amountMinCents: 900_000, ...MONTH },
  { name: 'amount above, rare, common e-mail', amountMinCents: 900_000, payerEmail: PLACEHOLDER },
  { name: 'businessUnit common, EXPIRED', businessUnit: 'web', statuses: ['EXPIRED'] },
  { name: 'businessUnit rare, PAID', businessUnit: 'airport', statuses: ['PAID'] },
  { name: 'businessUnit absent, EXPIRED', businessUnit: 'moon', statuses: ['EXPIRED'] },
  { name: 'businessUnit common, PROCESSING', businessUnit: 'web', statuses: ['PROCESSING'] },
  { name: 'common invoice, common e-mail', invoiceNumber: 'N/A', payerEmail: PLACEHOLDER },
  { name: 'common e-mail, rare unit', payerEmail: PLACEHOLDER, businessUnit: 'airport' },
  { name: 'e-mail, FAILED', payerEmail: 'payer77@example.com', statuses: ['FAILED'] },
  { name: 'common e-mail, common unit', payerEmail: PLACEHOLDER, businessUnit: 'web' },
  { name: 'common invoice, rare unit', invoiceNumber: 'N/A', businessUnit: 'airport' },
  { name: 'FAILED, unit, rare amount', statuses: ['FAILED'], ...STORE, amountMinCents: 900_000 },
  { name: 'CREATED where nothing is open long', statuses: ['CREATED'], merchantId: small },
  { name: 'EXPIRED, small merchant', statuses: ['EXPIRED'], merchantId: 'mer_7' },
  { name: 'PROCESSING, deep', statuses: ['PROCESSING'], deep: true },
  { name: 'PAID, amount not here', ...PAID, amountMinCents: 15_000, merchantId: small },
  { name: 'amount not here, deep', amountMinCents: 15_000, merchantId: small, deep: true },
  { name: 'CSV batch, none', limit: 500 },
  { name: 'CSV batch, EXPIRED', limit: 500, statuses: ['EXPIRED'] },
  { name: 'CSV batch, amount above, 1 %', limit: 500, amountMinCents: 60_000 },
  { name: 'CSV batch, amount above, rare', limit: 500, amountMinCents: 900_000 },
  { name: 'no such merchant', merchantId: 'mer_none', statuses: ['EXPIRED'] },
  { name: 'small merchant, none', merchantId: 'mer_7' },
  { name: 'small merchant, rare amount', merchantId: 'mer_7', amountMinCents: 900_000 },
];

const url = new URL(SERVER);
url.pathname = `/${NAME}`;
await prepare();
const client = new pg.Client({ connectionString: url.href });
await client.connect();
try {
  await sayIndexes();
  for (const each of CASES) await explain(each);
} finally {
  await client.end();
  if (!args.includes('--keep')) await onServer(`DROP DATABASE ${NAME} WITH (FORCE)`);
}

async function explain({ name, merchantId = giant, deep, limit = 21, ...filters }: Case) {
  const enough = Math.min(limit, 101);
  const after = deep ? { createdAt: new Date('2025-09-01'), id: '0198'.padEnd(32, '0') } : null;
  const asked = {
    merchantId,
    filters: { ...NO_FILTERS, ...filters },
    now: NOW,
    after,
    limit,
    enough,
  };
  const { statement, values } = paymentRequestPage(asked);
  const text = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`;
  let best = { total: Number.POSITIVE_INFINITY, line: '', plan: {} as Plan };
  let first = 0;
  for (let run = 0; run < 3; run++) {
    const { rows: answers } = await client.query(text, [...values]);
    const [{ Plan: plan, ...times }] = answers[0]['QUERY PLAN'];
    const total = times['Planning Time'] + times['Execution Time'];
    if (run === 0) first = total;
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    const line = [
      plan['Actual Rows'],
      first.toFixed(1),
      times['Planning Time'].toFixed(1),
      times['Execution Time'].toFixed(1),
      buffers,
      [...new Set(indexesOf(plan))].join(', '),
    ].join(' | ');
    if (total < best.total) best = { total, line, plan };
  }
  console.log(`| ${name} | ${best.line} |`);
  if (args.includes('--plans')) sayPlan(best.plan, 1);
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'CTE Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** The indexes that were read, without those that a page's rows are completed from. */
function indexesOf(plan: Plan): string[] {
  const name = plan['Index Name']?.replace('payment_requests_', '');
  const isRun = (plan['Actual Loops'] ?? 0) > 0;
  const own = name && isRun && !/_pkey$|^pkey$/.test(name) ? [name] : [];
  const whole = plan['Node Type'] === 'Seq Scan' && isRun ? ['SEQ SCAN'] : [];
  return [...own, ...whole, ...(plan.Plans ?? []).flatMap(indexesOf)];
}

function sayPlan(plan: Plan, depth: number): void {
  const removed = plan['Rows Removed by Filter'];
  console.log(
    [
      ' '.repeat(depth * 2) + plan['Node Type'],
      plan['Index Name'] ?? plan['CTE Name'] ?? '',
      plan['Subplan Name'] ?? '',
      `rows ${plan['Actual Rows']} x ${plan['Actual Loops']}`,
      removed ? `removed ${removed}` : '',
    ].join(' '),
  );
  for (const each of plan.Plans ?? []) sayPlan(each, depth + 1);
}

async function sayIndexes(): Promise<void> {
  const { rows: sizes } = await client.query(
    `SELECT relname AS name, pg_size_pretty(pg_relation_size(oid)) AS size FROM pg_class
     WHERE relname LIKE 'payment_requests%' AND relkind IN ('r', 'i') ORDER BY relname`,
  );
  for (const { name, size } of sizes) console.log(`${name}: ${size}`);
  console.log('| filters | rows | first ms | planning ms | execution ms | buffers | indexes |');
  console.log('|---|---|---|---|---|---|---|');
}

async function prepare(): Promise<void> {
  const exists = await onServer(`SELECT FROM pg_database WHERE datname = '${NAME}'`);
  if (exists) return;
  await onServer(`CREATE DATABASE ${NAME}`);
  await migrate({ url: url.href, environment: 'sandbox', transitions: TRANSITIONS });
  const seeder = new pg.Client({ connectionString: url.href });
  await seeder.connect();
  const started = performance.now();
  const onStep = (step: string) =>
    console.error(`${Math.round((performance.now() - started) / 1000)} s: ${step}`);
  await seedPaymentRequests(seeder, { rows, now: NOW, onStep });
  await seeder.end();
}

/** @returns whether the statement gave rows. */
async function onServer(text: string): Promise<boolean> {
  const admin = new pg.Client({ connectionString: SERVER });
  await admin.connect();
  try {
    return ((await admin.query(text)).rowCount ?? 0) > 0;
  } finally {
    await admin.end();
  }
}
