/**
 * graphile-worker as a webhook queue, with the batching that its documentation measures its own
 * throughput with (worker.graphile.org/docs/performance), and as many jobs at once as the others.
 * `node bench/peers/graphile-worker.mjs DATABASE_URL CA_FILE`
 */
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { databaseUrl, POSTS_AT_ONCE, post, serveDrains } from './webhook-queue.mjs';

const preset = {
  worker: {
    connectionString: databaseUrl,
    concurrentJobs: POSTS_AT_ONCE,
    // As its documentation recommends.
    maxPoolSize: POSTS_AT_ONCE + 2,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    logger: new Logger(() => () => {}),
  },
};

const utils = await makeWorkerUtils({ preset });
await utils.migrate();

serveDrains(async (jobs) => {
  await utils.addJobs(jobs.map((payload) => ({ identifier: 'webhook', payload })));
  const runner = await run({
    preset,
    taskList: { webhook: (payload) => post(/** @type {any} */ (payload)) },
  });
  return () => runner.stop();
});
