import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { SeedFailure } from './simulate-seed.ts';

/** More threads than cores only wait for each other. */
const MOST_THREADS = 8;

export interface Seeds {
  readonly from: number;
  readonly count: number;
}

/** The part of the seeds that one thread takes, from `from` in steps of `stride`. */
export interface WorkerSeeds {
  readonly from: number;
  readonly to: number;
  readonly stride: number;
  /** A thread stops after so many failures: they have one cause more often than many. */
  readonly mostFailures: number;
}

const MOST_FAILURES = 3;

/** Simulates seeds on every core. @returns the failures, by seed */
export async function simulateSeeds({ from, count }: Seeds): Promise<SeedFailure[]> {
  const stride = Math.min(MOST_THREADS, availableParallelism(), count);
  const parts = Array.from({ length: stride }, (_, index) => ({
    from: from + index,
    to: from + count,
    stride,
    mostFailures: MOST_FAILURES,
  }));
  const failures = await Promise.all(parts.map(runWorker));
  return failures.flat().sort((one, other) => one.seed - other.seed);
}

function runWorker(workerData: WorkerSeeds): Promise<SeedFailure[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (code !== 0) reject(new Error(`a thread of the simulation ended with ${code}`));
    });
  });
}
