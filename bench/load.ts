import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Sample } from './measure.ts';
import { type Watched, watchProcess } from './watch-process.ts';

export interface LoadRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /**
   * In a value, `[<number>]` becomes another number for each request, and `[<address>]` one of
   * 65,536 addresses.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  readonly seconds: number;
  /** Not counted: connections open, code gets compiled; 1 when left out. */
  readonly warmUpSeconds?: number;
  readonly expectedStatus: number;
  /** Other answers are counted and do not make the burst worthless. */
  readonly allowsFailures?: true;
  /**
   * Requests a second over all connections, evenly spread, timed from when each was due. Left out:
   * every connection sends its next request when it has its answer.
   */
  readonly rate?: number;
}

/** What the generator found. */
export interface Load {
  /** Good answers a second, over the whole burst. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers of another status than expected, and connections that broke. */
  readonly failures: number;
  /** How many answers had each status; 0: the connection broke. */
  readonly statuses: Readonly<Record<string, number>>;
  /** CPU time of the generator, of one core: near 100, it is the generator that was measured. */
  readonly generatorCpuPercent: number;
}

const GENERATOR = fileURLToPath(new URL('load-generator.ts', import.meta.url));

/**
 * Runs one burst from a process of its own, so that it shares no event loop with what it loads,
 * and watches what it loads while the burst counts.
 */
export async function generateLoad(
  request: LoadRequest,
  watched?: Watched,
): Promise<Sample & Load> {
  const child = spawn(process.execPath, [GENERATOR], { stdio: ['pipe', 'pipe', 'inherit'] });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.stdin.end(JSON.stringify(request));
  let isWarm = false;
  let endWatch: Awaited<ReturnType<typeof watchProcess>> | undefined;
  let load: Load | undefined;
  let use = {};
  for await (const line of createInterface({ input: child.stdout })) {
    // The first line says that the warm-up is over.
    if (isWarm) {
      load = JSON.parse(line) as Load;
      use = (await endWatch?.()) ?? {};
    }
    isWarm = true;
    if (watched && !endWatch) endWatch = await watchProcess(watched);
  }
  process.off('exit', endWithUs);
  const what = `${request.method} ${request.url}`;
  if (!load) throw new Error(`${what}: the load generator ended without a result`);
  if (load.failures > 0 && !request.allowsFailures) {
    throw new Error(`${what}: answers were not good: ${JSON.stringify(load.statuses)}`);
  }
  return { ...load, ...use };
}
