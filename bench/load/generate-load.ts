import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '../child-processes/start-child.ts';
import { type Watched, watchProcess } from '../child-processes/watch-process.ts';
import type { Sample } from '../line.ts';

export interface LoadRequest {
  /** In the path, `[<number>]` becomes twelve digits, which are a number below 65,536. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /**
   * In a value, `[<number>]` becomes a new number for each request, and `[<address>]` an address
   * out of 65,536.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Calls that differ in these, and take turns with the call itself. */
  readonly others?: readonly Pick<LoadRequest, 'url' | 'headers'>[];
  readonly connections: number;
  readonly seconds: number;
  /** The warm-up is not measured: connections open, code is compiled. Default: 1. */
  readonly warmUpSeconds?: number;
  readonly expectedStatus: number;
  /** Counts other answers; without it, they fail the burst. */
  readonly allowsFailures?: true;
  /**
   * Requests a second over all connections, evenly spread; a time begins when its request is due.
   * Without a rate, every connection sends its next request when the answer has come.
   */
  readonly rate?: number;
}

/** The result of a burst. */
export interface Load {
  /** Good answers a second over the whole burst. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers with an unexpected status, and connections that broke. */
  readonly failures: number;
  /** The number of answers by status; status 0: the connection broke. */
  readonly statuses: Readonly<Record<string, number>>;
  /** CPU time of the generator in percent of a core. Near 100, the generator is the limit. */
  readonly generatorCpuPercent: number;
}

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));

/** All bursts share a process, so that only the first burst compiles its code. */
let generator: Promise<Child> | undefined;

/**
 * Runs a burst in a separate process, which shares no event loop with the measured process, and
 * watches the measured process after the warm-up. Callers wait for a burst before the next.
 *
 * @throws Error when an answer has an unexpected status, unless `allowsFailures` is set
 */
export async function generateLoad(
  request: LoadRequest,
  watched?: Watched,
): Promise<Sample & Load> {
  generator ??= startChild(GENERATOR);
  const child = await generator;
  child.ref();
  try {
    // The first message ends the warm-up; the next holds the result.
    await child.ask(request);
    const endWatch = watched && (await watchProcess(watched));
    const load = await child.nextMessage<Load>(request.seconds * 1000);
    const use = (await endWatch?.()) ?? {};
    if (load.failures > 0 && !request.allowsFailures) {
      const statuses = JSON.stringify(load.statuses);
      throw new Error(`${request.method} ${request.url} had unexpected answers: ${statuses}`);
    }
    return { ...load, count: load.perSecond * request.seconds, ...use };
  } finally {
    child.unref();
  }
}
