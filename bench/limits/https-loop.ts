/**
 * The limit of sending: a bare loop of `node:https` posts over kept connections, signed like the
 * service's, with no database behind it. Takes the messages of a queue, see
 * peers/webhook-queue.mjs. `node bench/limits/https-loop.ts CA_FILE POSTS_AT_ONCE`
 */
import { readFileSync } from 'node:fs';
import { createPoster, type WebhookJob } from '../webhooks/post-webhook.ts';

const [caFile = '', most = '1'] = process.argv.slice(2);
const post = createPoster({ caPem: readFileSync(caFile, 'utf8'), most: Number(most) });

process.once('disconnect', () => process.exit());
process.on('message', ({ drain: jobs = [] }: { drain?: WebhookJob[] }) => {
  process.send?.('done');
  let next = 0;
  for (let lane = 0; lane < Number(most); lane += 1) void sendNext();

  async function sendNext(): Promise<void> {
    for (let job = jobs[next++]; job; job = jobs[next++]) await post(job);
  }
});
process.send?.('ready');
