import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from '../line.ts';
import type { InsertOrder } from './pg-clients.ts';

export interface PgbenchOrder extends InsertOrder {
  /** The path of the program. */
  readonly pgbench: string;
  readonly folder: string;
}

/** Transactions of each client in a smoke run. */
const FEW = 20;

/** One round of pgbench with prepared statements; the time of every transaction is in its log. */
export async function runPgbench(order: PgbenchOrder): Promise<Sample> {
  const folder = mkdtempSync(join(order.folder, 'pgbench-'));
  const script = join(folder, 'script.sql');
  writeFileSync(script, order.sql);
  const args = ['--no-vacuum', '--protocol=prepared', `--client=${order.clients}`, '--jobs=1'];
  // It knows whole seconds only; a smoke run wants less.
  const isShort = order.seconds < 1;
  args.push(isShort ? `--transactions=${FEW}` : `--time=${Math.round(order.seconds)}`);
  args.push(`--file=${script}`);
  args.push('--log', `--log-prefix=${join(folder, 'log')}`);
  for (const [name, value] of Object.entries(order.values)) args.push(`--define=${name}=${value}`);
  try {
    const { stdout } = await promisify(execFile)(order.pgbench, args, { env: envOf(order) });
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
    const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0';
    if (!(perSecond > 0) || failed !== '0') throw new Error(`pgbench failed: ${stdout}`);
    return { perSecond, ...latencies(folder) };
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

/** As environment, not as arguments: those are seen by every user of the machine. */
function envOf({ databaseUrl }: PgbenchOrder): Record<string, string> {
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
