/**
 * The common part of both job queues: the webhook jobs, and the messages of the measure.
 * `{ drain: WebhookJob[] }` stores the jobs and starts to work when all are stored;
 * `{ stop: true }` ends the work.
 */
import { readFileSync } from 'node:fs';
import { createPoster } from '../webhooks/post-webhook.ts';

/** @typedef {import('../webhooks/post-webhook.ts').WebhookJob} WebhookJob */

/** The concurrency of the bare loop. */
export const CONCURRENCY = 64;

export const [databaseUrl = '', caFile = ''] = process.argv.slice(2);

/** Posts a webhook; throws when the answer is not 200, so that the queue retries. */
export const post = createPoster({ caPem: readFileSync(caFile, 'utf8'), maxSockets: CONCURRENCY });

/**
 * @param {(jobs: readonly WebhookJob[]) => Promise<() => Promise<void>>} drain
 *   starts the work and returns the function that stops it
 */
export function serveDrains(drain) {
  let stop = async () => {};
  process.once('disconnect', () => process.exit());
  process.on('message', async (/** @type {{ drain?: WebhookJob[] }} */ { drain: jobs }) => {
    if (jobs) stop = await drain(jobs);
    else await stop();
    process.send?.('done');
  });
  process.send?.('ready');
}
