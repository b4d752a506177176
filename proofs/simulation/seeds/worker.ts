import { parentPort, workerData } from 'node:worker_threads';
import { type SeedFailure, simulateSeed } from './simulate-seed.ts';
import type { WorkerSeeds } from './simulate-seeds.ts';

const { from, to, stride, mostFailures } = workerData as WorkerSeeds;
const failures: SeedFailure[] = [];
for (let seed = from; seed < to && failures.length < mostFailures; seed += stride) {
  const failure = await simulateSeed(seed);
  if (failure) failures.push(failure);
}
parentPort?.postMessage(failures);
