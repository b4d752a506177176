import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../service/src/database/database.ts';
import { notifySenders } from '../../service/src/webhooks/events/outbox.ts';
import { renderWebhookMessage } from '../../service/src/webhooks/model/message.ts';
import { type Child, startChild } from '../child-processes/start-child.ts';
import { type Watched, watchProcess } from '../child-processes/watch-process.ts';
import type { Contender, Line, Sample } from '../line.ts';
import type { Bench } from '../open-bench.ts';
import { startQueue } from '../peers/start-peer.ts';
import { dropDatabase, makeDatabase } from '../service/make-database.ts';
import { onboardListener } from '../service/onboard.ts';
import { commitEvents, connectStage, resourceOf, type Target } from '../webhooks/commit-events.ts';
import type { WebhookJob } from '../webhooks/post-webhook.ts';
import type { Arrivals } from '../webhooks/receiver.ts';

const RECEIVER = fileURLToPath(new URL('../webhooks/receiver.ts', import.meta.url));
const HTTPS_LOOP = fileURLToPath(new URL('../limits/https-loop.ts', import.meta.url));
/**
 * Merchants with one endpoint each, at a port of its own: eight exchanges at once with each of 32
 * are more than can be under way on loopback, so that no bound by destination is what is measured.
 */
const ENDPOINTS = 32;
/** What the peers have too (peers/webhook-queue.mjs). */
const POSTS_AT_ONCE = 64;
/** On a machine that is busy, an attempt may fail and be made again 5 and 30 s later. */
const MORE_PATIENCE_MS = 60_000;
/** Before the first round of each: connections open, code gets compiled. */
const WARM_UP_SHARE = 0.2;

/** Deliveries a second when many are due at once, from the first one's arrival to the last one's. */
export async function webhookDeliveriesLine(bench: Bench): Promise<Line> {
  const [stage, { caFile, tlsFile }] = [await bench.stage(), await bench.tls()];
  const receiver = await startChild(RECEIVER, [`${ENDPOINTS}`, tlsFile]);
  const ports = receiver.greeting as readonly number[];
  const urls = ports.map((port) => `https://localhost:${port}/webhooks`);
  const db = connectStage(stage);
  const targets: Target[] = [];
  for (const url of urls) {
    targets.push({ merchantId: await onboardListener(db, stage.settings, url), webhookUrl: null });
  }
  const loop = await startChild(HTTPS_LOOP, [caFile, `${POSTS_AT_ONCE}`]);
  const queues = bench.hasPeers ? await startQueues(bench, caFile) : [];
  const round = (name: string, watched: Watched, fill: Fill): Contender => {
    const run = runRounds(bench, receiver, watched, fill);
    return { name, run };
  };
  return {
    name: 'webhook deliveries',
    figure: 'perSecond',
    ours: round('ours', stage, (count) => fillOutbox(db, targets, count)),
    beside: [
      round('bare https post loop', loop, (count) => fillQueue(loop, urls, count)),
      ...queues.map(({ name, queue }) =>
        round(name, queue, (count) => fillQueue(queue, urls, count)),
      ),
    ],
    async end() {
      await Promise.all([db.close(), loop.end(), ...queues.map(({ end }) => end())]);
      await receiver.end();
    },
  };
}

/** Makes so many due at once. @returns what stops the work once all have arrived */
type Fill = (count: number) => Promise<() => Promise<unknown>>;

function runRounds(
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
  const arrived = receiver.told<Arrivals>(MORE_PATIENCE_MS);
  const endWatch = await watchProcess(watched);
  const [stop, { firstMs, lastMs }] = await Promise.all([fill(count), arrived]);
  const use = await endWatch();
  await stop();
  return { perSecond: ((count - 1) * 1000) / (lastMs - firstMs), ...use };
}

/** In one commit, so that all are due in one moment. */
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

/** With the body that the service would send. */
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
      const queue = await startQueue(name, databaseUrl, caFile);
      const end = async () => {
        await queue.end();
        await dropDatabase(serverUrl, databaseUrl);
      };
      return { name, queue, end };
    }),
  );
}
