import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { timesOf } from './process-times.ts';
import type { DatabaseTime, DatabaseWatch } from './watch-database.ts';

/** CPU time, event loop and memory of a process in a span of time; empty without /proc (macOS). */
export interface Use extends DatabaseTime {
  /** User and system time of all threads. */
  readonly cpuSeconds?: number;
  /** Percent of one core; several threads can use more than 100. */
  readonly cpuPercent?: number;
  /** The percentage of time in which the event loop was busy. */
  readonly loopPercent?: number;
  /** The event loop's delay, 99th percentile. */
  readonly loopLateP99Ms?: number;
  /** The peak of the memory in RAM, in 10^6 bytes. */
  readonly residentMB?: number;
}

export interface Watched {
  readonly pid: number;
  /** The operators' listener; only the service has metrics. */
  readonly opsUrl?: string;
  /** The server that does the process's work; its time is read, too. */
  readonly database?: DatabaseWatch;
}

/** Starts to watch a process. @returns a function that ends the watch and gives the use */
export async function watchProcess(watched: Watched): Promise<() => Promise<Use>> {
  const { pid, opsUrl, database } = watched;
  const loopOf = async () => (opsUrl ? readLoop(opsUrl) : {});
  // The gauges cover the time since the last scrape; this scrape starts that time.
  await loopOf();
  resetPeak(pid);
  const databaseBefore = await database?.read();
  const before = timesOf(pid)?.seconds;
  const startedMs = performance.now();
  return async () => {
    const seconds = (performance.now() - startedMs) / 1000;
    const after = timesOf(pid)?.seconds;
    const peak = peakMB(pid);
    const cpu = difference(after, before);
    return {
      ...(cpu !== undefined && { cpuSeconds: cpu, cpuPercent: (cpu / seconds) * 100 }),
      ...(database && spentBetween(databaseBefore, await database.read())),
      ...(peak !== undefined && { residentMB: peak }),
      ...(await loopOf()),
    };
  };
}

/** The time that a server spent between two readings. */
export function spentBetween(before: DatabaseTime = {}, after: DatabaseTime): DatabaseTime {
  const databaseSeconds = difference(after.databaseSeconds, before.databaseSeconds);
  const statementSeconds = difference(after.statementSeconds, before.statementSeconds);
  return {
    ...(databaseSeconds !== undefined && { databaseSeconds }),
    ...(statementSeconds !== undefined && { statementSeconds }),
  };
}

function difference(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before;
}

/** The present memory in RAM, in 10^6 bytes. */
export function residentMB(pid: number): number | undefined {
  return kilobytes(pid, 'VmRSS');
}

function peakMB(pid: number): number | undefined {
  return kilobytes(pid, 'VmHWM');
}

/** Restarts VmHWM, the peak of the memory (proc(5), clear_refs). */
function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The peak since the start of the process stays: a figure that is too high, never too low.
  }
}

function kilobytes(pid: number, field: 'VmRSS' | 'VmHWM'): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const found = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(path, 'utf8'));
  return found ? (Number(found[1]) * 1024) / 1e6 : undefined;
}

async function readLoop(opsUrl: string): Promise<Use> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  const gauge = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const busy = gauge(/^nodejs_eventloop_utilization_ratio(?:\{[^}]*\})? (\S+)/m);
  const late = gauge(/^nodejs_eventloop_delay_p99_seconds(?:\{[^}]*\})? (\S+)/m);
  return {
    ...(Number.isFinite(busy) && { loopPercent: busy * 100 }),
    ...(Number.isFinite(late) && { loopLateP99Ms: late * 1000 }),
  };
}
