/**
 * The process behind generate-load.ts: takes a LoadRequest as a message, sends one when the warm-up
 * is over, and then a Load.
 *
 * It writes ready-made bytes and looks at no more of an answer than its status and length, because
 * it shares the machine with what it measures: a generator that costs more than a bare server would
 * make that server look slow, and ours good beside it.
 */

import type { Load, LoadRequest } from './generate-load.ts';
import { HttpConnection } from './http-connection.ts';
import { renderRequests } from './render-requests.ts';

/** How often what is due is looked at, at a given rate; timers are no finer. */
const TICK_MS = 1;
/** After the end of a burst, for answers on their way. */
const LAST_ANSWERS_MS = 10_000;
const WARM_UP_SECONDS = 1;

process.once('disconnect', () => process.exit());
process.on('message', async (asked: LoadRequest) => {
  process.send?.(await generate(asked));
});
process.send?.('ready');

async function generate(asked: LoadRequest): Promise<Load> {
  const { hostname, port } = new URL(asked.url);
  const connections = await Promise.all(
    Array.from({ length: asked.connections }, () => HttpConnection.open(hostname, Number(port))),
  );
  const next = renderRequests(asked);
  const burst = asked.rate === undefined ? closedBurst : openBurst;
  await burst(connections, next, { ...asked, seconds: asked.warmUpSeconds ?? WARM_UP_SECONDS });
  process.send?.('warm');
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const { latencies, statuses } = await burst(connections, next, asked);
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
  /** Of good answers, in milliseconds. */
  readonly latencies: readonly number[];
  /** All answers, counted by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

type Asked = Pick<LoadRequest, 'seconds' | 'expectedStatus' | 'rate'>;

/** Counts answers, and the time of the good ones. */
function countAnswers({ expectedStatus }: Asked) {
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  const count = (status: number, fromMs: number) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === expectedStatus) latencies.push(performance.now() - fromMs);
  };
  return { latencies, statuses, count };
}

/** Every connection sends its next request when it has its answer. */
async function closedBurst(
  connections: readonly HttpConnection[],
  next: () => string,
  asked: Asked,
): Promise<Burst> {
  const { count, ...burst } = countAnswers(asked);
  const endsMs = performance.now() + asked.seconds * 1000;
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

/** Requests fall due evenly; one that finds no free connection waits, and its wait counts. */
async function openBurst(
  connections: readonly HttpConnection[],
  next: () => string,
  asked: Asked,
): Promise<Burst> {
  const { seconds, rate = 1 } = asked;
  const { count, ...burst } = countAnswers(asked);
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
      // The one that has rested longest: a server gives up on one that was opened and not used.
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
