/**
 * graphile-worker as a webhook queue, with the batching of its documented throughput measurement
 * (worker.graphile.org/docs/performance) and the concurrency of the other queues.
 * `node bench/peers/graphile-worker.mjs DATABASE_URL CA_FILE`
 */
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { CONCURRENCY, databaseUrl, post, serveDrains } from './webhook-queue.mjs';

const preset = {
  worker: {
    connectionString: databaseUrl,
    concurrentJobs: CONCURRENCY,
    // Its documentation recommends this size.
    maxPoolSize: CONCURRENCY + 2,
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
