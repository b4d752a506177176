/**
 * `npm run bench -- growth`: the database server's cost of calls with ten million payment requests
 * and with ten thousand, measured in turn on the same server; medians and ratios.
 * Options: `--rows <n>`, `--webhook-days <n>`, `--seed-only`, `--keep`, `--quick`, `--json`, and
 * parts of names to measure only these calls. The bench creates both databases, as sandboxes. With
 * `--keep` on a server of yours (BENCH_DATABASE_URL) they stay for the next run.
 */
import pg from 'pg';
import type { Call } from '../growth/call.ts';
import { LIST_CALLS } from '../growth/list-calls.ts';
import { type LogVolume, measureLog } from '../growth/measure-log.ts';
import type { Cost } from '../growth/probe.ts';
import { REQUEST_CALLS } from '../growth/request-calls.ts';
import { seedDatabase } from '../growth/seed-database.ts';
import { openSeededDatabase, type SeededDatabase } from '../growth/seeded-database.ts';
import { describeSizes, type Sizes } from '../growth/table-sizes.ts';
import { WEBHOOK_CALLS } from '../growth/webhook-calls.ts';
import { readOptions } from './read-options.ts';

const { serverUrl, isJson, args, numberOf } = readOptions();
const isQuick = args.includes('--quick');
const nameParts = args.filter((arg) => !/^(--|\d)/.test(arg));
/** The rows of the small database, the divisor of the ratios. */
const FEW = 10_000;
const many = numberOf('--rows', isQuick ? 20_000 : 10_000_000);
/** A year exceeds every time of keeping, so that no table is smaller than possible. */
const webhookDays = numberOf('--webhook-days', 365);
/** Each round measures both databases, so that a disturbance meets both. */
const ROUNDS = isQuick ? 1 : 10;
const CALLS_A_ROUND = isQuick ? 2 : 30;
/** A connection plans a statement for its first calls; the sixth plan stays. */
const WARM_UP_CALLS = isQuick ? 1 : 8;
/** Two workers keep two cores busy; a third uses the cores while they wait for the disk. */
const MOST_WORKERS = 3;

interface Line {
  readonly name: string;
  readonly few: Distribution;
  readonly many: Distribution;
  readonly ratio: number;
}

interface Distribution {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly buffers: number;
}

const startedMs = performance.now();
const sizes: Sizes[] = [];
const databases: SeededDatabase[] = [];
try {
  for (const rows of [FEW, many]) databases.push(await prepare(rows));
  if (!args.includes('--seed-only')) await measure();
} finally {
  for (const { probe } of databases) await probe.close();
  if (!args.includes('--keep')) for (const rows of [FEW, many]) await drop(nameOf(rows));
}

async function prepare(rows: number): Promise<SeededDatabase> {
  const url = await makeDatabase(nameOf(rows));
  const onStep = (step: string) =>
    print(`${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${step}`);
  const workers = rows > FEW ? MOST_WORKERS : 1;
  const newest = await seedDatabase({ databaseUrl: url, rows, webhookDays, workers, onStep });
  sizes.push(await describeSizes(url, rows));
  return openSeededDatabase(url, rows, newest);
}

async function measure(): Promise<void> {
  // The lists come first: the other calls add more new and open rows than a real day does.
  const calls = [...LIST_CALLS, ...REQUEST_CALLS, ...WEBHOOK_CALLS].filter(
    ({ name }) => nameParts.length === 0 || nameParts.some((part) => name.includes(part)),
  );
  const lines: Line[] = [];
  for (const call of calls) {
    const line = await compare(call);
    lines.push(line);
    print(describe(line));
  }
  const logs: LogVolume[] = [];
  for (const seeded of databases) logs.push(await measureLog(seeded));
  if (isJson) process.stdout.write(`${JSON.stringify({ lines, sizes, logs }, null, 2)}\n`);
  for (const size of sizes) print(size.text);
  for (const log of logs) print(describeLog(log));
}

async function compare(call: Call): Promise<Line> {
  const costs: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, seeded] of databases.entries()) {
      const measured = round === 0 ? [] : (costs[index] as Cost[]);
      const times = round === 0 ? WARM_UP_CALLS : CALLS_A_ROUND;
      for (let n = 0; n < times; n += 1) measured.push(await call.measure(seeded));
    }
  }
  const [few, grown] = [distribution(costs[0]), distribution(costs[1])];
  return { name: call.name, few, many: grown, ratio: grown.p50Ms / few.p50Ms };
}

function distribution(costs: readonly Cost[]): Distribution {
  const ms = costs.map((cost) => cost.ms).sort((a, b) => a - b);
  const at = (share: number) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0;
  const buffers = costs.reduce((sum, cost) => sum + cost.buffers, 0) / costs.length;
  return { p50Ms: at(0.5), p99Ms: at(0.99), buffers: Math.round(buffers) };
}

function describe({ name, few, many: grown, ratio }: Line): string {
  const figures = ({ p50Ms, p99Ms, buffers }: Distribution) =>
    `${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)} ms ${buffers} pages`.padStart(30);
  return `${name.padEnd(38)} ${figures(few)} ${figures(grown)}  ${ratio.toFixed(2)}`;
}

function describeLog({ rows, bytes, fullPages }: LogVolume): string {
  const pages = `${fullPages.toFixed(0)} whole pages`;
  const log = `${bytes} B of log until its webhook`;
  return `${rows} payment requests: one more writes ${log}, with ${pages}`;
}

function print(text: string): void {
  (isJson ? process.stderr : process.stdout).write(`${text}\n`);
}

function nameOf(rows: number): string {
  return `payreq_growth_${rows}`;
}

async function makeDatabase(name: string): Promise<string> {
  const url = new URL(serverUrl);
  await onServer(async (admin) => {
    const { rows } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rows.length === 0) await admin.query(`CREATE DATABASE ${name}`);
  });
  url.pathname = `/${name}`;
  return url.href;
}

function drop(name: string): Promise<void> {
  return onServer(async (admin) => {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

async function onServer(work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
