/**
 * `npm run bench -- growth`: what calls cost the database server among ten million payment requests,
 * beside what they cost among ten thousand: in the same server, in turn, medians and ratios.
 * Options: `--rows <n>`, `--webhook-days <n>`, `--seed-only`, `--keep`, `--quick`, `--json`, and
 * parts of names to measure only these. The databases are its own, and of a sandbox; with `--keep`
 * on a server of yours (BENCH_DATABASE_URL) they are there the next time.
 */
import pg from 'pg';
import { LIST_CALLS } from '../growth/list-calls.ts';
import { type LogOfALife, measureLog } from '../growth/measure-log.ts';
import type { Cost } from '../growth/probe.ts';
import { REQUEST_CALLS } from '../growth/request-calls.ts';
import { seed } from '../growth/seed-database.ts';
import { type Call, openSubject, type Subject } from '../growth/seeded-database.ts';
import { describeSizes, type Sizes } from '../growth/table-sizes.ts';
import { WEBHOOK_CALLS } from '../growth/webhook-calls.ts';

const args = process.argv.slice(2);
const option = (name: string, otherwise: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : otherwise;
const isQuick = args.includes('--quick');
const isJson = args.includes('--json');
const only = args.filter((arg, at) => at > 0 && !/^(--|\d)/.test(arg));
/** Where the ratio begins. */
const FEW = 10_000;
const many = option('--rows', isQuick ? 20_000 : 10_000_000);
/** A year: more than the service keeps by itself, so that no table is smaller than it could be. */
const webhookDays = option('--webhook-days', 365);
/** Taken in turn, so that what else the machine does meets both sizes. */
const ROUNDS = isQuick ? 1 : 10;
const CALLS_A_ROUND = isQuick ? 2 : 30;
/** A connection's first calls plan their statements; the sixth is planned for good. */
const WARM_UP_CALLS = isQuick ? 1 : 8;
/** Two keep two cores busy; a third uses what they leave while they wait for the disk. */
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

const serverUrl = process.env.BENCH_DATABASE_URL;
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is not set: run npm run bench.');
const say = (text: string) => (isJson ? process.stderr : process.stdout).write(`${text}\n`);
const startedMs = performance.now();
const sizes: Sizes[] = [];
const subjects: Subject[] = [];
try {
  for (const rows of [FEW, many]) subjects.push(await prepare(rows));
  if (!args.includes('--seed-only')) await measure();
} finally {
  for (const { probe } of subjects) await probe.close();
  if (!args.includes('--keep')) for (const rows of [FEW, many]) await drop(nameOf(rows));
}

async function prepare(rows: number): Promise<Subject> {
  const url = await makeDatabase(nameOf(rows));
  const onStep = (step: string) =>
    say(`${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${step}`);
  const workers = rows > FEW ? MOST_WORKERS : 1;
  const newest = await seed({ databaseUrl: url, rows, webhookDays, workers, onStep });
  sizes.push(await describeSizes(url, rows));
  return openSubject(url, rows, newest);
}

async function measure(): Promise<void> {
  // The lists first: what the others create is open and new, more than there is in life.
  const calls = [...LIST_CALLS, ...REQUEST_CALLS, ...WEBHOOK_CALLS].filter(
    ({ name }) => only.length === 0 || only.some((part) => name.includes(part)),
  );
  const lines: Line[] = [];
  for (const one of calls) {
    const line = await compare(one);
    lines.push(line);
    say(describe(line));
  }
  const logs: LogOfALife[] = [];
  for (const subject of subjects) logs.push(await measureLog(subject));
  if (isJson) process.stdout.write(`${JSON.stringify({ lines, sizes, logs }, null, 2)}\n`);
  for (const size of sizes) say(size.text);
  for (const log of logs) say(tellLog(log));
}

async function compare(one: Call): Promise<Line> {
  const costs: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, subject] of subjects.entries()) {
      const measured = round === 0 ? [] : (costs[index] as Cost[]);
      const times = round === 0 ? WARM_UP_CALLS : CALLS_A_ROUND;
      for (let n = 0; n < times; n += 1) measured.push(await costOf(subject, one));
    }
  }
  const [few, grown] = [distribution(costs[0]), distribution(costs[1])];
  return { name: one.name, few, many: grown, ratio: grown.p50Ms / few.p50Ms };
}

async function costOf(subject: Subject, { prepare: before, run }: Call): Promise<Cost> {
  const prepared = (await before?.(subject)) as never;
  return subject.probe.cost((db) => run(db, prepared, subject));
}

function distribution(costs: readonly Cost[]): Distribution {
  const ms = costs.map((cost) => cost.ms).sort((a, b) => a - b);
  const at = (share: number) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0;
  const buffers = costs.reduce((sum, cost) => sum + cost.buffers, 0) / costs.length;
  return { p50Ms: at(0.5), p99Ms: at(0.99), buffers: Math.round(buffers) };
}

function describe({ name, few, many: grown, ratio }: Line): string {
  const tell = ({ p50Ms, p99Ms, buffers }: Distribution) =>
    `${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)} ms ${buffers} pages`.padStart(30);
  return `${name.padEnd(38)} ${tell(few)} ${tell(grown)}  ${ratio.toFixed(2)}`;
}

function tellLog({ rows, bytes, fullPages }: LogOfALife): string {
  const pages = `${fullPages.toFixed(0)} whole pages among them`;
  return `${rows} payment requests: the life of one more writes ${bytes} B of log, ${pages}`;
}

function nameOf(rows: number): string {
  return `payreq_growth_${rows}`;
}

async function makeDatabase(name: string): Promise<string> {
  const url = new URL(serverUrl as string);
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
