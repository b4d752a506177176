import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** What a process used in a span of time. Without /proc (macOS) nothing is known. */
export interface Use {
  /** Of one core; two threads can use more than 100. */
  readonly cpuPercent?: number;
  /** The share of time in which the event loop was busy. */
  readonly loopPercent?: number;
  /** How late the event loop was, of 99 % of its turns. */
  readonly loopLateP99Ms?: number;
  /** The most memory in RAM, in 10^6 bytes. */
  readonly residentMB?: number;
}

export interface Watched {
  readonly pid: number;
  /** The service's own metrics, where it is the service. */
  readonly opsUrl?: string;
}

/** The unit of /proc/PID/stat: Linux has fixed it for programs (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** Starts to watch. @returns the end of it, and what was used in between */
export async function watchProcess({ pid, opsUrl }: Watched): Promise<() => Promise<Use>> {
  const loopOf = async () => (opsUrl ? readLoop(opsUrl) : {});
  // The gauges are since the last look: this one only begins.
  await loopOf();
  resetPeak(pid);
  const before = cpuSeconds(pid);
  const startedMs = performance.now();
  return async () => {
    const seconds = (performance.now() - startedMs) / 1000;
    const after = cpuSeconds(pid);
    const peak = peakMB(pid);
    return {
      ...(before !== undefined &&
        after !== undefined && { cpuPercent: ((after - before) / seconds) * 100 }),
      ...(peak !== undefined && { residentMB: peak }),
      ...(await loopOf()),
    };
  };
}

/** Memory in RAM now, in 10^6 bytes. */
export function residentMB(pid: number): number | undefined {
  return kilobytes(pid, 'VmRSS');
}

function peakMB(pid: number): number | undefined {
  return kilobytes(pid, 'VmHWM');
}

/** From here on VmHWM is the peak since now (proc(5), clear_refs). */
function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Then the peak is the process's whole life's, which is no less.
  }
}

function cpuSeconds(pid: number): number | undefined {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return undefined;
  // The name in parentheses may hold spaces; user and system time are the 14th and 15th field.
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
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
