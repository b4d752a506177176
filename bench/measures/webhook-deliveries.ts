import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../service/src/database/database.ts';
import { notifySenders } from '../../service/src/webhooks/events/outbox.ts';
import { renderWebhookMessage } from '../../service/src/webhooks/model/message.ts';
import { type Child, startChild } from '../child-processes/start-child.ts';
import { watchDatabase } from '../child-processes/watch-database.ts';
import { type Watched, watchProcess } from '../child-processes/watch-process.ts';
import type { Contender, Line, Sample } from '../line.ts';
import type { Bench } from '../open-bench.ts';
import { startQueue } from '../peers/start-peer.ts';
import { dropDatabase, makeDatabase } from '../service/make-database.ts';
import { onboardListener } from '../service/onboard.ts';
import {
  commitEvents,
  connectService,
  resourceOf,
  type Target,
} from '../webhooks/commit-events.ts';
import type { WebhookJob } from '../webhooks/post-webhook.ts';
import type { Arrivals } from '../webhooks/receiver.ts';

const RECEIVER = fileURLToPath(new URL('../webhooks/receiver.ts', import.meta.url));
const HTTPS_LOOP = fileURLToPath(new URL('../limits/https-loop.ts', import.meta.url));
/**
 * Merchants with an endpoint each, at different ports. 32 endpoints with 8 slots each are more than
 * loopback needs, so that the limit for each destination does not matter.
 */
const ENDPOINTS = 32;
/** The concurrency of the peers (peers/webhook-queue.mjs). */
const CONCURRENCY = 64;
/** On a busy machine an attempt can fail; the retries follow 5 and 30 s later. */
const RETRIES_MS = 60_000;
/** The share of a round before the first round: connections open, code is compiled. */
const WARM_UP_SHARE = 0.2;

/** Measures deliveries a second, from the first arrival to the last, when all are due at once. */
export async function webhookDeliveriesLine(bench: Bench): Promise<Line> {
  const [service, { caFile, tlsFile }] = [await bench.service(), await bench.tls()];
  const receiver = await startChild(RECEIVER, [`${ENDPOINTS}`, tlsFile]);
  const ports = receiver.firstMessage as readonly number[];
  const urls = ports.map((port) => `https://localhost:${port}/webhooks`);
  const db = connectService(service);
  const targets: Target[] = [];
  for (const url of urls) {
    targets.push({
      merchantId: await onboardListener(db, service.settings, url),
      webhookUrl: null,
    });
  }
  const loop = await startChild(HTTPS_LOOP, [caFile, `${CONCURRENCY}`]);
  const queues = bench.hasPeers ? await startQueues(bench, caFile) : [];
  const contender = (name: string, watched: Watched, fill: Fill): Contender => {
    return { name, run: roundRunner(bench, receiver, watched, fill) };
  };
  return {
    name: 'webhook deliveries',
    figure: 'perSecond',
    ours: contender('ours', service, (count) => fillOutbox(db, targets, count)),
    beside: [
      contender('bare https post loop', loop, (count) => fillQueue(loop, urls, count)),
      ...queues.map(({ name, queue }) =>
        contender(name, queue, (count) => fillQueue(queue, urls, count)),
      ),
    ],
    async end() {
      await Promise.all([db.close(), loop.end(), ...queues.map(({ end }) => end())]);
      await receiver.end();
    },
  };
}

/**
 * Makes `count` deliveries due at once.
 * @returns the function that stops the work after the last
 */
type Fill = (count: number) => Promise<() => Promise<unknown>>;

function roundRunner(
  { effort }: Bench,
  receiver: Child,
  watched: Watched,
  fill: Fill,
): () => Promise<Sample> {
  let isWarm = false;
  return async () => {
    if (!isWarm) await runRound(receiver, watched, fill, effort.deliveries * WARM_UP_SHARE);
    isWarm = true;
    return runRound(receiver, watched, fill, effort.deliveries);
  };
}

async function runRound(
  receiver: Child,
  watched: Watched,
  fill: Fill,
  count: number,
): Promise<Sample> {
  await receiver.ask({ expect: count });
  const arrived = receiver.nextMessage<Arrivals>(RETRIES_MS);
  const endWatch = await watchProcess(watched);
  const [stop, { firstMs, lastMs }] = await Promise.all([fill(count), arrived]);
  const use = await endWatch();
  await stop();
  return { perSecond: ((count - 1) * 1000) / (lastMs - firstMs), count, ...use };
}

/** Commits all events in a single transaction, so that all are due at the same instant. */
async function fillOutbox(db: Database, targets: readonly Target[], count: number) {
  const all = Array.from({ length: count }, (_, n) => targets[n % targets.length] as Target);
  await commitEvents(db, all);
  await notifySenders(db);
  return async () => {};
}

async function fillQueue(queue: Child, urls: readonly string[], count: number) {
  const jobs = Array.from({ length: count }, (_, n) => jobFor(urls[n % urls.length] as string));
  await queue.ask({ drain: jobs });
  return () => queue.ask({ stop: true });
}

/** Makes a job with the body that the service sends. */
function jobFor(url: string): WebhookJob {
  const id = randomUUID();
  const body = renderWebhookMessage({
    id,
    eventType: 'PAYMENT-COMPLETED',
    message: 'The payer completed the transaction.',
    resource: resourceOf(randomUUID()),
    createdAt: new Date(),
    sequence: 1,
  });
  return { id, url, body };
}

async function startQueues({ serverUrl }: Bench, caFile: string) {
  const names = ['pg-boss', 'graphile-worker'] as const;
  return Promise.all(
    names.map(async (name) => {
      const databaseUrl = await makeDatabase(serverUrl);
      const database = await watchDatabase(serverUrl);
      const queue = { ...(await startQueue(name, databaseUrl, caFile)), database };
      const end = async () => {
        await queue.end();
        await database.end();
        await dropDatabase(serverUrl, databaseUrl);
      };
      return { name, queue, end };
    }),
  );
}
