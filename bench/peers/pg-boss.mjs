/**
 * pg-boss as a webhook queue: two workers with batches of 32. A worker posts a batch concurrently
 * and
 * completes it job by job. While batches are full it fetches without a pause, pg-boss's option for
 * throughput.
 * `node bench/peers/pg-boss.mjs DATABASE_URL CA_FILE`
 */
import { PgBoss } from 'pg-boss';
import { CONCURRENCY, databaseUrl, post, serveDrains } from './webhook-queue.mjs';

const QUEUE = 'webhooks';
/** While a worker posts its batch, the other fetches and completes. */
const WORKERS = 2;

const boss = new PgBoss(databaseUrl);
boss.on('error', (error) => console.error(error));
await boss.start();
await boss.createQueue(QUEUE);

serveDrains(async (jobs) => {
  await boss.insert(
    QUEUE,
    jobs.map((data) => ({ data })),
  );
  const options = {
    batchSize: CONCURRENCY / WORKERS,
    localConcurrency: WORKERS,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 0.5,
    perJobResults: /** @type {const} */ (true),
  };
  await boss.work(QUEUE, options, (batch) => Promise.all(batch.map(deliver)));
  return () => boss.offWork(QUEUE);
});

/** @param {{ id: string, data: import('../webhooks/post-webhook.ts').WebhookJob }} job */
async function deliver({ id, data }) {
  try {
    await post(data);
    return { id, status: /** @type {const} */ ('completed') };
  } catch {
    return { id, status: /** @type {const} */ ('failed') };
  }
}
