import { join } from 'node:path';
import { spawnCli } from '../../service/test/commands/run-cli.ts';
import { createTestAuthority } from '../../service/test/support/webhooks/https-listener.ts';
import type { Verdict } from '../history/check-history.ts';
import { conclude } from '../history/conclude.ts';
import { openHistory, readHistory } from '../history/history.ts';
import { onboardMerchants } from '../history/onboard.ts';
import { startReceiver } from '../history/receiver.ts';
import { startWorkload } from '../history/workload.ts';
import { startCluster } from './cluster/cluster.ts';
import type { Account } from './cluster/machine.ts';
import { measureOutages, type Outage } from './measure-outage.ts';
import { type FaultName, runFaults } from './run-faults.ts';
import { makeSplitBrainTable } from './split-brain.ts';
import { startDeployment } from './start-service.ts';

/** A first copy of PostgreSQL for two machines, on a machine with other work. */
const FIRST_WHOLE_MS = 120_000;
const MERCHANTS = 3;

export interface HaOptions {
  readonly seed: number;
  readonly faults: readonly FaultName[];
  readonly account: Account;
  /** Whether the logs and the history stay when the run is over. */
  readonly keepsFolder: boolean;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

export interface HaResult {
  readonly verdict: Verdict;
  readonly outages: readonly Outage[];
  /** Broken promises beside those of the history, as sentences. */
  readonly broken: readonly string[];
}

/**
 * Starts cluster, service and load, runs the faults, and compares. All started processes have ended
 * when it returns or throws.
 */
export async function proveFailover(options: HaOptions): Promise<HaResult> {
  const stops: (() => Promise<void>)[] = [];
  const { signal } = options;
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(signal.reason));
  const proving = prove(options, stops);
  // After an abort the failures of the proof are ignored until the process exits.
  proving.catch(() => {});
  try {
    return await Promise.race([proving, aborted.promise]);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function prove(options: HaOptions, stops: (() => Promise<void>)[]): Promise<HaResult> {
  const { seed, faults, account, signal, print } = options;
  const authority = await createTestAuthority();
  print('starting etcd, Patroni and PostgreSQL three times, and HAProxy …');
  const cluster = await startCluster({ account, authority, signal });
  stops.push(() => cluster.stop({ keepsFolder: options.keepsFolder }));
  print(`logs and history are in ${cluster.folder}${options.keepsFolder ? ', and stay' : ''}`);
  const leader = await cluster.untilWhole(FIRST_WHOLE_MS);
  await makeSplitBrainTable(cluster.urlOn(leader.name, 'postgres'));
  const history = openHistory(join(cluster.folder, 'history.jsonl'), seed);
  const receiver = await startReceiver(history);
  stops.push(() => receiver.close());
  print('starting two processes for calls and two for the loops …');
  const deployment = await startDeployment(cluster, leader, receiver.caPem);
  stops.push(async () => deployment.stop());
  const { settings, origins } = deployment;
  const databaseUrl = settings.DATABASE_URL ?? '';
  const merchants = await onboardMerchants(databaseUrl, settings, MERCHANTS);
  for (const merchant of merchants) await receiver.register(origins[0] ?? '', merchant);

  let next = 0;
  const nextOrigin = () => origins[next++ % origins.length] ?? '';
  const workload = startWorkload({ history, nextOrigin, merchants, workers: 2, pauseMs: 200 });
  stops.push(() => workload.stop());
  const broken: string[] = [];
  await runFaults({ cluster, deployment, history, print, broken, signal }, faults);

  print('waiting until all work is done …');
  const merchantIds = merchants.map(({ merchantId }) => merchantId);
  const verdict = await conclude({ history, workload, databaseUrl, merchantIds });
  if (!(await deployment.areReady())) broken.push('a process of the service has not healed');
  const doctor = await spawnCli(['doctor'], settings);
  if (doctor.exitCode !== 0) broken.push(`payreq doctor found a fault:\n${doctor.stdout}`);
  return { verdict, outages: measureOutages(readHistory(history.path)), broken };
}
