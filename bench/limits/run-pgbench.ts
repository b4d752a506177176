import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from '../line.ts';
import type { InsertLoad } from './pg-clients.ts';

export interface PgbenchLoad extends InsertLoad {
  /** The program's path. */
  readonly pgbench: string;
  readonly folder: string;
}

/** Transactions of each client in a quick run. */
const QUICK_TRANSACTIONS = 20;

/** Runs a round of pgbench with prepared statements; its log holds the time of each transaction. */
export async function runPgbench(load: PgbenchLoad): Promise<Sample> {
  const folder = mkdtempSync(join(load.folder, 'pgbench-'));
  const script = join(folder, 'script.sql');
  writeFileSync(script, load.sql);
  const args = ['--no-vacuum', '--protocol=prepared', `--client=${load.clients}`, '--jobs=1'];
  // pgbench accepts only whole seconds; a quick run needs less.
  const isShort = load.seconds < 1;
  args.push(
    isShort ? `--transactions=${QUICK_TRANSACTIONS}` : `--time=${Math.round(load.seconds)}`,
  );
  args.push(`--file=${script}`);
  args.push('--log', `--log-prefix=${join(folder, 'log')}`);
  for (const [name, value] of Object.entries(load.values)) args.push(`--define=${name}=${value}`);
  try {
    const { stdout } = await promisify(execFile)(load.pgbench, args, { env: envOf(load) });
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
    const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0';
    if (!(perSecond > 0) || failed !== '0') throw new Error(`pgbench failed: ${stdout}`);
    const count = Number(/^number of transactions actually processed: (\d+)/m.exec(stdout)?.[1]);
    return { perSecond, count, ...latencies(folder) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function latencies(folder: string): Pick<Sample, 'p50Ms' | 'p99Ms'> {
  const logs = readdirSync(folder).filter((name) => name.startsWith('log'));
  const lines = logs.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'),
  );
  // The third field is the transaction's time in microseconds.
  const sorted = Float64Array.from(lines, (line) => Number(line.split(' ')[2]) / 1000).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Passes the password in the environment: every user of the machine sees arguments. */
function envOf({ databaseUrl }: PgbenchLoad): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return {
    PATH: process.env.PATH ?? '',
    PGHOST: decodeURIComponent(hostname),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
  };
}
