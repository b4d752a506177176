import type { HistoryLine } from '../history/history-line.ts';

/** A fault, and the longest time around it in which no creation was acknowledged. */
export interface Outage {
  readonly fault: string;
  readonly ms: number;
}

/**
 * The longest time without an acknowledged creation, for each fault until the next one. The time
 * before the fault counts from the last acknowledgement. Pure.
 *
 * @returns Infinity for a fault after which nothing was acknowledged
 */
export function measureOutages(lines: readonly HistoryLine[]): Outage[] {
  const creates = new Set<number>();
  const outages: { fault: string; ms: number; isOver: boolean }[] = [];
  let lastMs = 0;
  for (const line of lines) {
    if (line.kind === 'fault') outages.push({ fault: line.fault, ms: 0, isOver: false });
    if (line.kind === 'sent' && line.asked.name === 'create') creates.add(line.call);
    if (line.kind !== 'answered' || line.outcome !== 'ok' || !creates.has(line.call)) continue;
    const outage = outages.at(-1);
    if (outage) {
      outage.ms = Math.max(outage.ms, line.atMs - lastMs);
      outage.isOver = true;
    }
    lastMs = line.atMs;
  }
  return outages.map(({ fault, ms, isOver }) => ({ fault, ms: isOver ? ms : Infinity }));
}
