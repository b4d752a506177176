/**
 * What the two job queues have in common: the jobs of webhooks, and the messages that the
 * measurement sends: `{ drain: WebhookJob[] }` puts jobs in and begins to work on them once all are
 * there; `{ stop: true }` ends the work.
 */
import { readFileSync } from 'node:fs';
import { createPoster } from '../webhooks/post-webhook.ts';

/** @typedef {import('../webhooks/post-webhook.ts').WebhookJob} WebhookJob */

/** As many as the bare loop has at once. */
export const POSTS_AT_ONCE = 64;

export const [databaseUrl = '', caFile = ''] = process.argv.slice(2);

/** Posts one webhook; throws where it is not taken, so that the queue tries it again. */
export const post = createPoster({ caPem: readFileSync(caFile, 'utf8'), most: POSTS_AT_ONCE });

/** @param {(jobs: readonly WebhookJob[]) => Promise<() => Promise<void>>} drain begins; gives the stop */
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
