import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '../child-processes/start-child.ts';
import { type Watched, watchProcess } from '../child-processes/watch-process.ts';
import type { Sample } from '../line.ts';

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

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));

/** One process for all bursts: its code is compiled by the first one. */
let generator: Promise<Child> | undefined;

/**
 * Runs one burst from a process of its own, so that it shares no event loop with what it loads,
 * and watches what it loads while the burst counts. One burst at a time.
 */
export async function generateLoad(
  request: LoadRequest,
  watched?: Watched,
): Promise<Sample & Load> {
  generator ??= startChild(GENERATOR);
  const child = await generator;
  child.hold(true);
  try {
    // It says that the warm-up is over, and then what it found.
    await child.ask(request);
    const endWatch = watched && (await watchProcess(watched));
    const load = await child.told<Load>(request.seconds * 1000);
    const use = (await endWatch?.()) ?? {};
    if (load.failures > 0 && !request.allowsFailures) {
      const statuses = JSON.stringify(load.statuses);
      throw new Error(`${request.method} ${request.url}: answers were not good: ${statuses}`);
    }
    return { ...load, ...use };
  } finally {
    child.hold(false);
  }
}
