/**
 * `npm run bench`: measures the service, its limits and its peers in turn, in the same run, several
 * rounds, and prints medians and ratios. The end compares them with the targets. Options: `--quick`
 * (a single short round), `--json`, `--without-peers`, and parts of names to run only these lines.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from './describe-machine.ts';
import { FULL, QUICK } from './effort.ts';
import type { LineMakers } from './line.ts';
import { coldStartLine } from './measures/cold-start.ts';
import { merchantCallLines } from './measures/merchant-calls.ts';
import { payerPageLine } from './measures/payer-page.ts';
import { refundLines } from './measures/refunds.ts';
import { webhookDeliveriesLine } from './measures/webhook-deliveries.ts';
import { webhookLagLine } from './measures/webhook-lag.ts';
import { openBench } from './open-bench.ts';
import { arePeersInstalled } from './peers/start-peer.ts';
import { type LineResult, runRounds } from './run-rounds.ts';
import { FORM } from './service/service-under-test.ts';
import { lineRows, tableHead, targetRows } from './table.ts';
import { evaluateTargets } from './targets.ts';

const args = process.argv.slice(2);
const isJson = args.includes('--json');
const nameParts = args.filter((arg) => !arg.startsWith('--'));
const effort = args.includes('--quick') ? QUICK : FULL;
const hasPeers = !args.includes('--without-peers') && arePeersInstalled();

const serverUrl = process.env.BENCH_DATABASE_URL;
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is not set: use npm run bench.');
const folder = mkdtempSync(join(tmpdir(), 'payment-requests-bench-'));
const bench = openBench({ serverUrl, folder, effort, hasPeers });
const makers: LineMakers = {
  ...merchantCallLines(bench),
  ...refundLines(bench),
  'payer page': () => payerPageLine(bench),
  'webhook deliveries': () => webhookDeliveriesLine(bench),
  'commit to first attempt': () => webhookLagLine(bench),
  'cold start': () => coldStartLine(bench),
};
try {
  print(tableHead());
  const lines = await measureLines();
  const targets = evaluateTargets(lines);
  // A quick round is shorter than the steps in which Linux counts processor time.
  for (const row of effort === QUICK ? [] : ['', ...targetRows(targets)]) print(row);
  const machine = describeMachine();
  const rounds = effort.rounds === 1 ? '1 round' : `${effort.rounds} rounds`;
  print(`\n${machine}\n${rounds}, ${effort.seconds} s for a round of calls`);
  print(`the service ran ${FORM}`);
  if (effort === QUICK) print('too short to compare with the targets');
  if (!hasPeers) print('without peers');
  const result = { machine, form: FORM, effort, lines, targets };
  if (isJson) process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await bench.end();
  rmSync(folder, { recursive: true });
}

async function measureLines(): Promise<readonly LineResult[]> {
  const lines: LineResult[] = [];
  for (const [name, make] of Object.entries(makers)) {
    if (nameParts.length > 0 && !nameParts.some((part) => name.includes(part))) continue;
    const line = await make();
    try {
      lines.push(await runRounds(line, effort.rounds));
    } finally {
      await line.end?.();
    }
    for (const row of lineRows(lines.at(-1) as LineResult)) print(row);
  }
  if (lines.length === 0) throw new Error(`No line has ${nameParts.join(' or ')} in its name.`);
  return lines;
}

function print(text: string): void {
  if (!isJson) process.stdout.write(`${text}\n`);
}
