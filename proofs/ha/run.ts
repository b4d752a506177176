import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { printVerdict } from '../history/print-verdict.ts';
import { type HaResult, proveFailover } from './prove-failover.ts';
import { FAULTS, type FaultName } from './run-faults.ts';

/** The promise of `docs/operations/high-availability.md`. */
const LONGEST_OUTAGE_MS = 60_000;
/** The whole run ends within 8 minutes; the rest of them is for the end of its processes. */
const RUN_MS = 7.5 * 60_000;
/** The user `nobody`: PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    fault: { type: 'string', multiple: true },
    'keep-folder': { type: 'boolean', default: false },
  },
});
const print = (line: string) => console.log(line);
const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopped.abort(new Error('stopped from outside')));
}

try {
  print(`seed ${seed}`);
  const result = await proveFailover({
    seed,
    faults: readFaults(values.fault),
    keepsFolder: values['keep-folder'],
    account: process.getuid?.() === 0 ? NOBODY : null,
    signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(RUN_MS)]),
    print,
  });
  process.exitCode = report(result);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
process.exit();

function readFaults(asked: readonly string[] | undefined): readonly FaultName[] {
  const known = Object.keys(FAULTS) as FaultName[];
  if (!asked) return known;
  const unknown = asked.filter((name) => !known.includes(name as FaultName));
  if (unknown.length > 0) throw new Error(`There is no fault "${unknown}": ${known.join(', ')}.`);
  return asked as FaultName[];
}

/** @returns the exit code */
function report({ verdict, outages, broken }: HaResult): number {
  const slow = outages.filter(({ ms }) => ms >= LONGEST_OUTAGE_MS);
  for (const { fault, ms } of outages) {
    print(`${fault}: writes were back after ${(ms / 1e3).toFixed(1)} s`);
  }
  for (const sentence of broken) print(`broken: ${sentence}`);
  const code = printVerdict(verdict, print);
  return slow.length > 0 || broken.length > 0 ? 1 : code;
}
