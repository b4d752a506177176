import {
  type Deployment,
  openDeployment,
  type ShellSettings,
} from '#commands/cli/with-deployment.ts';
import { changeStatusDepsOf, refundDepsOf } from '#compose/change-deps.ts';
import { createChangeSignals } from '#compose/change-signals.ts';
import { networkSurroundingsOf } from '#compose/connect-network.ts';
import { readPrimary } from '#database/replica/overview-reads.ts';
import type { NetworkSurroundings } from '#e-transfer/e-transfer-network.ts';
import { createTimelineNotes } from '#payment-requests/timeline/payer-steps.ts';
import { createLog } from '#telemetry/log/log.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { createSenderSignal } from '#webhooks/events/wake-senders.ts';
import { SERVICE_VERSION } from '../../version.ts';

/** Reports of a batch of entries write side by side. */
const POOL_SIZE = 4;

/** A deployment, and what its network may use. */
export interface NetworkDeployment extends Deployment {
  readonly surroundings: NetworkSurroundings;
}

/** Runs a command's work with the parts of `payreq serve` that a network uses. */
export function withNetwork<Result>(
  shell: ShellSettings,
  work: (deployment: NetworkDeployment) => Promise<Result>,
): Promise<Result> {
  const run = async (deployment: Deployment): Promise<Result> => {
    const { db, clock, environment } = deployment;
    // The command prints its result; its log lines would only repeat it.
    const log = createLog({ level: 'fatal', destination: { write: () => {} } });
    const metrics = createMetrics({ environment, version: SERVICE_VERSION });
    const reads = readPrimary(db);
    const foundation = { config: deployment, clock, log, db, reads, metrics, tracing: null };
    const changes = createChangeSignals({ db, clock, livePages: null });
    const move = changeStatusDepsOf(foundation, changes, createSenderSignal(db));
    const refund = refundDepsOf(foundation, changes, move);
    const notes = createTimelineNotes({ db, clock });
    const surroundings = networkSurroundingsOf({ foundation, move, refund, notes });
    try {
      return await work({ ...deployment, surroundings });
    } finally {
      // The loop of the feed's waits would keep the process alive after the command's end.
      await Promise.all([notes.settle(), changes.feedWaiters.close()]);
    }
  };
  return openDeployment(shell, run, POOL_SIZE);
}
