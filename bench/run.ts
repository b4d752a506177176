/**
 * `npm run bench`: ours and its limit in the same run, in turn, several rounds, medians and ratios.
 * Options: `--quick` (one short round, for a smoke run), `--json`, and parts of names to run only
 * these.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Load } from './load.ts';
import { callMeasures, type Measure } from './measures/calls.ts';
import { setStage } from './stage.ts';

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const isJson = args.includes('--json');
const only = args.filter((arg) => !arg.startsWith('--'));
/** Machines are shared and noisy: of five rounds the median holds when two of them are disturbed. */
const ROUNDS = isQuick ? 1 : 5;
const SECONDS = isQuick ? 1 : 5;

interface Line {
  readonly name: string;
  readonly limitName: string;
  readonly perSecond: number;
  readonly limitPerSecond: number;
  readonly ratio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly residentMiB: number;
}

const serverUrl = process.env.BENCH_DATABASE_URL;
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is not set: run npm run bench.');
const folder = mkdtempSync(join(tmpdir(), 'payment-requests-bench-'));
const stage = await setStage(serverUrl, folder);
try {
  const lines: Line[] = [];
  for (const measure of await callMeasures(stage, SECONDS)) {
    if (only.length > 0 && !only.some((part) => measure.name.includes(part))) continue;
    lines.push(await compare(measure));
    if (!isJson) process.stdout.write(`${describe(lines.at(-1) as Line)}\n`);
  }
  if (isJson) process.stdout.write(`${JSON.stringify({ machine: machine(), lines }, null, 2)}\n`);
  else process.stdout.write(`\n${machine()}; medians of ${ROUNDS} rounds of ${SECONDS} s\n`);
} finally {
  await stage.end();
  rmSync(folder, { recursive: true });
}

async function compare({ name, limitName, ours, limit }: Measure): Promise<Line> {
  const rounds: { ours: Load; limit: Load }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ ours: await ours(), limit: await limit() });
  }
  const middle = (read: (round: { ours: Load; limit: Load }) => number) => median(rounds.map(read));
  return {
    name,
    limitName,
    perSecond: middle((round) => round.ours.perSecond),
    limitPerSecond: middle((round) => round.limit.perSecond),
    ratio: middle((round) => round.ours.perSecond / round.limit.perSecond),
    p50Ms: middle((round) => round.ours.p50Ms),
    p99Ms: middle((round) => round.ours.p99Ms),
    residentMiB: residentMiB(stage.pid),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function describe(line: Line): string {
  const { name, limitName, perSecond, limitPerSecond, ratio, p50Ms, p99Ms } = line;
  return (
    `${name.padEnd(28)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50Ms} ms  p99 ${p99Ms} ms  ` +
    `${ratio.toFixed(2)} of ${limitName} (${limitPerSecond.toFixed(0)}/s)  ` +
    `${line.residentMiB.toFixed(0)} MiB`
  );
}

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function machine(): string {
  return `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
}
