/**
 * The process behind generate-load.ts: receives a LoadRequest, sends a message when the warm-up is
 * over, and then a Load.
 *
 * The generator writes ready-made bytes and reads only the status and the length of an answer,
 * because it shares the machine with the measured process. A generator that costs more than a bare
 * server makes that server look slow, and the service fast in comparison.
 */

import type { Load, LoadRequest } from './generate-load.ts';
import { HttpConnection } from './http-connection.ts';
import { renderRequests } from './render-requests.ts';

/** The interval at which due requests are sent at a given rate; timers are no finer. */
const TICK_MS = 1;
/** The wait for the last answers after the end of a burst. */
const LAST_ANSWERS_MS = 10_000;
const WARM_UP_SECONDS = 1;

process.once('disconnect', () => process.exit());
process.on('message', async (request: LoadRequest) => {
  process.send?.(await generate(request));
});
process.send?.('ready');

async function generate(request: LoadRequest): Promise<Load> {
  const { hostname, port } = new URL(request.url);
  const connections = await Promise.all(
    Array.from({ length: request.connections }, () => HttpConnection.open(hostname, Number(port))),
  );
  const next = renderRequests(request);
  const burst = request.rate === undefined ? closedBurst : openBurst;
  await burst(connections, next, { ...request, seconds: request.warmUpSeconds ?? WARM_UP_SECONDS });
  process.send?.('warm');
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const { latencies, statuses } = await burst(connections, next, request);
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const connection of connections) connection.close();
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    perSecond: sorted.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failures: [...statuses].reduce((sum, [, count]) => sum + count, -sorted.length),
    statuses: Object.fromEntries(statuses),
    generatorCpuPercent: (user + system) / 1e4 / seconds,
  };
}

interface Burst {
  /** The times of good answers, in milliseconds. */
  readonly latencies: readonly number[];
  /** The number of all answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

type BurstOptions = Pick<LoadRequest, 'seconds' | 'expectedStatus' | 'rate'>;

/** Counts all answers, and notes the times of good answers. */
function countAnswers({ expectedStatus }: BurstOptions) {
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  const count = (status: number, fromMs: number) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === expectedStatus) latencies.push(performance.now() - fromMs);
  };
  return { latencies, statuses, count };
}

/** Every connection sends its next request when the answer has come. */
async function closedBurst(
  connections: readonly HttpConnection[],
  next: () => string,
  options: BurstOptions,
): Promise<Burst> {
  const { count, ...burst } = countAnswers(options);
  const endsMs = performance.now() + options.seconds * 1000;
  await Promise.all(connections.map(sendUntilEnd));
  return burst;

  function sendUntilEnd(connection: HttpConnection): Promise<void> {
    return new Promise((resolve) => {
      let sentMs = performance.now();
      const onAnswer = (status: number) => {
        count(status, sentMs);
        sentMs = performance.now();
        if (sentMs >= endsMs) resolve();
        else connection.send(next(), onAnswer);
      };
      connection.send(next(), onAnswer);
    });
  }
}

/** Requests fall due evenly. The wait of a request for a free connection counts as its time. */
async function openBurst(
  connections: readonly HttpConnection[],
  next: () => string,
  options: BurstOptions,
): Promise<Burst> {
  const { seconds, rate = 1 } = options;
  const { count, ...burst } = countAnswers(options);
  const free = [...connections];
  const total = Math.ceil(seconds * rate);
  let sent = 0;
  let answered = 0;
  const startedMs = performance.now();
  const dueMs = (index: number) => startedMs + (index * 1000) / rate;
  await new Promise<void>((resolve) => {
    const ticks = setInterval(() => {
      sendDue();
      const isStuck = performance.now() > dueMs(total) + LAST_ANSWERS_MS;
      if (answered < total && !isStuck) return;
      clearInterval(ticks);
      for (; answered < total; answered += 1) count(0, startedMs);
      resolve();
    }, TICK_MS);
  });
  return burst;

  function sendDue(): void {
    while (sent < total && free.length > 0 && dueMs(sent) <= performance.now()) {
      // The connection that rested longest: a server closes a connection that stays unused.
      const connection = free.shift() as HttpConnection;
      const fromMs = dueMs(sent);
      sent += 1;
      connection.send(next(), (status) => {
        answered += 1;
        count(status, fromMs);
        free.push(connection);
        sendDue();
      });
    }
  }
}
