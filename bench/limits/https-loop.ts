/**
 * The limit of sending: a loop of `node:https` posts over persistent connections, signed as the
 * service signs, without a database. It understands the messages of peers/webhook-queue.mjs.
 *   node bench/limits/https-loop.ts CA_FILE CONCURRENCY
 */
import { readFileSync } from 'node:fs';
import { createPoster, type WebhookJob } from '../webhooks/post-webhook.ts';

const [caFile = '', concurrency = '1'] = process.argv.slice(2);
const caPem = readFileSync(caFile, 'utf8');
const post = createPoster({ caPem, maxSockets: Number(concurrency) });

process.once('disconnect', () => process.exit());
process.on('message', ({ drain: jobs = [] }: { drain?: WebhookJob[] }) => {
  process.send?.('done');
  let next = 0;
  for (let lane = 0; lane < Number(concurrency); lane += 1) void sendNext();

  async function sendNext(): Promise<void> {
    for (let job = jobs[next++]; job; job = jobs[next++]) await post(job);
  }
});
process.send?.('ready');
