/**
 * `npm run bench -- console`: every page of the console and the search, with a million payment
 * requests, beside the API's list in the same run and in turn. Options: `--rows <n>` (1,000,000),
 * `--times <n>` (100), `--json`, and parts of names to measure only these pages. With `--keep` on a
 * server of yours (BENCH_DATABASE_URL) the database stays for the next run. `--lists` measures the
 * lists instead, each with its filters over a hundred thousand rows, and weighs their pages.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase } from '../../service/src/database/database.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { rotatingKey } from '../../service/src/lib/secret-key.ts';
import { createCredentials } from '../../service/src/merchants/credentials/create.ts';
import { SCOPES } from '../../service/src/merchants/scopes.ts';
import { signIn } from '../../service/test/support/console/console-client.ts';
import { type ConsoleCall, consoleCalls, listCalls } from '../console/console-calls.ts';
import { type ProcessorTime, watchProcessorTime } from '../console/processor-time.ts';
import { countSeeded, readSample, seedConsole } from '../console/seed-console.ts';
import { seedLists } from '../console/seed-lists.ts';
import { describeMachine } from '../describe-machine.ts';
import { OWNERS } from '../growth/seed-rows.ts';
import { dropDatabase, makeNamedDatabase } from '../service/make-database.ts';
import {
  authorize,
  type ServiceUnderTest,
  startServiceUnderTest,
} from '../service/service-under-test.ts';
import { readOptions } from './read-options.ts';

const WARM_UP = 10;
/** Half of the largest loss of a person's patience; a search is part of a page. */
const LIMITS_MS = { page: 100, search: 50, list: 50 };
/** A page of a list, compressed: a second on a slow mobile network. */
const MOST_BYTES = 60_000;

const { serverUrl, isJson, args, numberOf } = readOptions();
const rows = numberOf('--rows', 1_000_000);
const times = numberOf('--times', 100);
const isOfLists = args.includes('--lists');
const nameParts = args.filter((arg) => !/^(--|\d)/.test(arg));

interface Line {
  readonly name: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Processor time of service and database: the p95 on a machine without other work. */
  readonly busyP95Ms: number;
  /** Its median, which other work on the machine changes least. */
  readonly busyP50Ms: number;
  /** The p95 divided by that of the API's list. */
  readonly ratio: number;
  readonly limitMs: number;
  /** The size of the page, compressed; left out: not weighed. */
  readonly bytes?: number | undefined;
  /** Answers other than 200; 303 for pages that ask for a fresh sign-in. */
  readonly statuses: readonly number[];
}

const startedMs = performance.now();
const step = (text: string) => print(`${seconds(startedMs)} s: ${text}`);
const databaseUrl = await makeNamedDatabase(serverUrl, `payreq_console_${rows}`);
await seedConsole(databaseUrl, rows, step);
if (isOfLists) await seedLists(databaseUrl);
step(`counted in ${(await countSeeded(databaseUrl)).toFixed(0)} s`);
// The secrets stay, so that a kept database opens again.
const secretOf = (name: string) => createHash('sha256').update(`bench ${name}`).digest('base64');
const settings = {
  DATABASE_URL: databaseUrl,
  CREDENTIALS_PEPPER: secretOf('pepper'),
  SECRETS_KEY: secretOf('key'),
};
// The lists of the bank are there where payers transfer money alone.
const folder = mkdtempSync(join(tmpdir(), 'bench-lists-'));
const bank = {
  ENVIRONMENT: 'production',
  E_TRANSFER_NETWORK: 'bank-transfer',
  CURRENCY: 'EUR',
  BANK_FILES_DIR: folder,
};
const all = isOfLists ? { ...settings, ...bank } : settings;
// Without loops: only people call.
const service = await startServiceUnderTest(serverUrl, all, ['--roles', 'api']);
try {
  await measure({ ...service, databaseUrl });
} finally {
  await service.end();
  rmSync(folder, { recursive: true, force: true });
  if (!args.includes('--keep')) await dropDatabase(serverUrl, databaseUrl);
}
process.exit();

async function measure(own: ServiceUnderTest): Promise<void> {
  const db = connectDatabase({ url: own.databaseUrl, poolSize: 2 });
  const visited = { url: own.url, database: { db }, clock: systemClock };
  const people = visited as unknown as Parameters<typeof signIn>[0];
  const clients = {
    operator: await signIn(people, { role: 'operator' }),
    administrator: await signIn(people, { role: 'administrator', merchantId: OWNERS.giant }),
  };
  const { calls, skipped } = isOfLists
    ? { calls: listCalls(clients), skipped: [] }
    : await consoleCalls(clients, await readSample(own.databaseUrl));
  const chosen = calls.filter(
    ({ name }) => nameParts.length === 0 || nameParts.some((part) => name.includes(part)),
  );
  const headers = await headersOfGiant(own, db);
  const list = async () => {
    const answer = await fetch(`${own.url}/v1/payment-requests`, { headers });
    await answer.text();
    return answer.status;
  };
  const lines = await measureInTurn(chosen, list, watchProcessorTime(own.pid, db));
  await db.close();
  const machine = describeMachine();
  if (isJson) process.stdout.write(`${JSON.stringify({ machine, rows, times, lines }, null, 2)}\n`);
  for (const line of lines) print(describe(line));
  for (const path of skipped) print(`not measured, without rows to show: ${path}`);
  print(`${machine}; ${rows} payment requests, ${times} calls each, one at a time, in turn`);
}

async function headersOfGiant(own: ServiceUnderTest, db: ReturnType<typeof connectDatabase>) {
  // A run before has kept its key.
  await db.query({ name: '', text: `DELETE FROM api_keys WHERE merchant_id = '${OWNERS.giant}'` });
  const credentialsPepper = rotatingKey(own.settings.CREDENTIALS_PEPPER ?? '');
  const deps = { db, clock: systemClock, environment: 'sandbox', cell: 1, actor: 'bench' } as const;
  const made = await createCredentials({ ...deps, credentialsPepper }, OWNERS.giant, SCOPES);
  return authorize(own.url, { ...made, apiKey: made.apiKey ?? '' });
}

/** A disturbance of the machine meets all calls alike. */
async function measureInTurn(
  calls: readonly ConsoleCall[],
  list: () => Promise<number>,
  processor: ProcessorTime,
): Promise<Line[]> {
  const measured = [
    { name: 'API list, first page', isSearch: false, call: list },
    ...calls.map(({ name, isSearch, run, weigh }) => ({ name, isSearch, call: run, weigh })),
  ].map((each) => ({
    ...each,
    ms: [] as number[],
    busyMs: [] as number[],
    statuses: new Set<number>(),
  }));
  for (let n = 0; n < WARM_UP + times; n += 1) {
    await processor.refresh();
    for (const { call, ms, busyMs, statuses } of measured) {
      const busyFromMs = processor.readMs();
      const fromMs = performance.now();
      const status = await call(n);
      if (n >= WARM_UP) {
        ms.push(performance.now() - fromMs);
        busyMs.push(processor.readMs() - busyFromMs);
      }
      if (status !== 200) statuses.add(status);
    }
  }
  const bytes = new Map<string, number>();
  for (const { name, weigh } of calls) if (weigh) bytes.set(name, await weigh());
  const listP95 = at(measured[0]?.ms ?? [], 0.95);
  return measured.map(({ name, isSearch, ms, busyMs, statuses }) => ({
    name,
    busyP95Ms: at(busyMs, 0.95),
    busyP50Ms: at(busyMs, 0.5),
    p50Ms: at(ms, 0.5),
    p95Ms: at(ms, 0.95),
    ratio: at(ms, 0.95) / listP95,
    limitMs: LIMITS_MS[isSearch ? 'search' : isOfLists ? 'list' : 'page'],
    bytes: bytes.get(name),
    statuses: [...statuses],
  }));
}

function at(ms: readonly number[], share: number): number {
  const sorted = ms.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function describe({ name, p50Ms, p95Ms, busyP95Ms, ratio, limitMs, ...line }: Line): string {
  const { statuses, bytes = 0, busyP50Ms } = line;
  const figures =
    `p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`.padEnd(32) +
    `processor time p50 ${busyP50Ms.toFixed(1)} ms, p95 ${busyP95Ms.toFixed(1)} ms`.padEnd(48);
  const isSlow = Math.min(p95Ms, busyP95Ms) > limitMs ? `  ABOVE ${limitMs} ms` : '';
  const other = statuses.length > 0 ? `  answers ${statuses.join(', ')}` : '';
  const weight = bytes > 0 ? `, ${(bytes / 1_000).toFixed(1)} kB` : '';
  const isHeavy = bytes > MOST_BYTES ? `  ABOVE ${MOST_BYTES} bytes` : '';
  const found = `${ratio.toFixed(2)} × list${weight}${isSlow}${isHeavy}${other}`;
  return `${name.padEnd(52)} ${figures} ${found}`;
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1_000).toFixed(0);
}

function print(text: string): void {
  (isJson ? process.stderr : process.stdout).write(`${text}\n`);
}
