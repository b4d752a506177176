import type { Verdict } from './check-history.ts';
import type { FindingKind } from './checks/findings.ts';

const KINDS: readonly FindingKind[] = ['lost', 'unexpected', 'disordered', 'backlog'];
/** The first findings explain a run; the history holds the rest. */
const MOST_SHOWN = 10;

/**
 * Prints the counts and the first findings of each kind. `lost 0, unexpected 0` stands on a line of
 * its own.
 *
 * @returns the exit code: 0 only when there is no finding of any kind
 */
export function printVerdict(verdict: Verdict, print: (line: string) => void): number {
  print(`faults: ${textOf(verdict.faults)}`);
  print(`calls: ${textOf(verdict.calls)}`);
  print(`webhooks received: ${verdict.received}`);
  for (const kind of KINDS) {
    for (const finding of verdict[kind].slice(0, MOST_SHOWN)) print(`${kind}: ${finding}`);
    const rest = verdict[kind].length - MOST_SHOWN;
    if (rest > 0) print(`${kind}: and ${rest} more`);
  }
  print(`disordered ${verdict.disordered.length}, backlog ${verdict.backlog.length}`);
  print(`lost ${verdict.lost.length}, unexpected ${verdict.unexpected.length}`);
  return KINDS.every((kind) => verdict[kind].length === 0) ? 0 : 1;
}

function textOf(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return parts.sort().join(', ') || 'none';
}
