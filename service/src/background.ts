import type { ApprovalDeps } from '#approvals/act-or-propose.ts';
import { runApproved } from '#approvals/run-approved.ts';
import { pruneSignIns } from '#console/sign-in/prune-sign-ins.ts';
import { countPayments } from '#counters/count-payments.ts';
import { pruneCounters } from '#counters/prune-counters.ts';
import type { Database } from '#database/database.ts';
import { pruneIdempotencyAnswers } from '#idempotency/prune-idempotency-answers.ts';
import { sumDays } from '#ledger/day-sums/sum-days.ts';
import { joinLoops, type Loop, startLoop } from '#lib/loop.ts';
import { pruneOldNotices, sendNextNotice } from '#merchants/notices/send-notices.ts';
import { MAILER_LIMITS, type Mailer } from '#merchants/notices/smtp-mailer.ts';
import { type CarryOutDeps, carryOutErasures } from '#payment-requests/erasure/carry-out.ts';
import { takeOverPayments } from '#payment-requests/network/money/take-over-payments.ts';
import { reconcileNetworkRequests } from '#payment-requests/network/reconcile.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { expirePaymentRequests } from '#payment-requests/status/expire-overdue.ts';
import type { RefundReportDeps } from '#refunds/network/apply-refund-reports.ts';
import { type HandOverDeps, handOverRefunds } from '#refunds/network/hand-over.ts';
import { pruneDaily, type RetentionDeps } from '#retention/prune.ts';
import { simulateRefunds } from '#sandbox/refunds/simulate-refunds.ts';
import { type SandboxSimulatorDeps, startSandboxSimulator } from '#sandbox/sandbox-simulator.ts';
import type { ClockWatch } from '#telemetry/health/clock-watch.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import { endDeletedDeliveries } from '#webhooks/endpoints/remove.ts';
import { pruneWebhookEvents } from '#webhooks/events/prune-events.ts';
import { runReplays } from '#webhooks/replays/run-replays.ts';
import {
  startWebhookDelivery,
  type WebhookDeliveryDeps,
} from '#webhooks/sending/deliver-webhooks.ts';
import { tidyDestinations } from '#webhooks/sending/update-breakers.ts';
import type { ConnectedNetwork } from './compose/connect-network.ts';

/** Expiry is exact when read; the timer only has to write it, and send its webhook, soon. */
const EXPIRY_INTERVAL_MS = 1_000;

/** Expired rows may wait for their deletion; a minute keeps each run's batch small. */
const PRUNE_INTERVAL_MS = 60_000;

/** The network hears of a cancellation within a second. */
const RECONCILE_INTERVAL_MS = 1_000;
/** 32 looks, four at a time, each with two calls that take 4 s at most; with room for the rest. */
const LONGEST_RECONCILIATION_MS = 90_000;

/** A refund is handed over, and simulated, within a second of its time. */
const REFUND_INTERVAL_MS = 1_000;

/** A person waits for an approved act whose process died. */
const APPROVED_INTERVAL_MS = 2_000;
/** Ten acts, each with room for a statement that meets a silent connection. */
const LONGEST_APPROVED_MS = 150_000;

/** A replay queues 40 at most at a time: so often, that is up to 80 a second. */
const REPLAY_INTERVAL_MS = 500;

/** The numbers of the overview are at most this much older than the feed. */
const COUNTING_INTERVAL_MS = 3_000;

/** A report reads the entries that are not summed yet: some thousand on a busy day. */
const DAY_SUMS_INTERVAL_MS = 10_000;

/** An e-mail need not be there within the second. */
const NOTICE_INTERVAL_MS = 5_000;
/** A single e-mail, with room for two statements that meet a silent connection. */
const LONGEST_NOTICE_MS = MAILER_LIMITS.wholeTimeoutMs + 30_000;

export interface BackgroundDeps {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clockWatch: Pick<ClockWatch, 'fault'>;
  readonly delivery: WebhookDeliveryDeps;
  readonly retentionEventsDays: number;
  /** `RETENTION_YEARS`; 0: payment requests are kept for ever. */
  readonly retentionYears: number;
  readonly retention: RetentionDeps;
  readonly erasure: CarryOutDeps;
  /** `TIME_ZONE` */
  readonly timeZone: string;
  /** null: no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly isSandbox: boolean;
  readonly move: ChangeStatusDeps;
  /** null in production: it has no simulator. */
  readonly simulator: SandboxSimulatorDeps | null;
  /** null in the sandbox: it has no network. */
  readonly connected: Pick<ConnectedNetwork, 'network' | 'reconcile' | 'handOver'> | null;
  readonly refund: RefundReportDeps;
  readonly approvals: ApprovalDeps;
}

/** Starts every loop of the background side, by name. */
export function startBackground(deps: BackgroundDeps): Loop {
  const delivery = startWebhookDelivery(deps.delivery);
  const expiry = startLoop({
    ...reported(deps, 'expire-payment-requests'),
    intervalMs: EXPIRY_INTERVAL_MS,
    // An expiry cannot be taken back: a host whose clock is wrong leaves it to the others.
    run: async (signal) =>
      deps.clockWatch.fault() === null && expirePaymentRequests(deps.move, signal),
  });
  const pruning = startLoop({
    ...reported(deps, 'prune-idempotency-answers'),
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => pruneIdempotencyAnswers(deps.db),
  });
  const eventPruning = startLoop({
    ...reported(deps, 'prune-webhook-events'),
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => pruneWebhookEvents(deps.db, deps.retentionEventsDays, reportEnded(deps)),
  });
  const destinationPruning = startLoop({
    ...reported(deps, 'prune-webhook-destinations'),
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => tidyDestinations(deps.db),
  });
  const deletions = startLoop({
    ...reported(deps, 'end-deleted-deliveries'),
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => endDeletedDeliveries(deps.db),
  });
  const replays = startLoop({
    ...reported(deps, 'run-replays'),
    intervalMs: REPLAY_INTERVAL_MS,
    run: (signal) => runReplays(deps.move, signal),
  });
  const takeover = startLoop({
    ...reported(deps, 'take-over-payments'),
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => takeOverPayments({ db: deps.db, currency: deps.move.settings.currency }),
  });
  const counting = startLoop({
    ...reported(deps, 'count-payments'),
    intervalMs: COUNTING_INTERVAL_MS,
    run: () => countPayments(deps),
  });
  const counterPruning = startLoop({
    ...reported(deps, 'prune-payment-counters'),
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => pruneCounters(deps.db),
  });
  const simulator = deps.simulator && startSandboxSimulator(deps.simulator);
  const loops = [
    delivery,
    expiry,
    pruning,
    deletions,
    replays,
    destinationPruning,
    eventPruning,
    takeover,
    counting,
    counterPruning,
    ...(simulator ? [simulator, simulatedRefunds(deps)] : []),
  ];
  loops.push(startNotices(deps), startSignInPruning(deps), approvedActs(deps), daySums(deps));
  loops.push(retention(deps), payerErasures(deps), ...networkLoops(deps));
  return joinLoops(loops);
}

function startSignInPruning(deps: BackgroundDeps): Loop {
  return startLoop({
    ...reported(deps, 'prune-console-sign-ins'),
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => pruneSignIns(deps.db),
  });
}

function daySums(deps: BackgroundDeps): Loop {
  return startLoop({
    ...reported(deps, 'sum-ledger-days'),
    intervalMs: DAY_SUMS_INTERVAL_MS,
    run: () => sumDays(deps),
  });
}

/** Once a day, batch by batch. */
function retention(deps: BackgroundDeps): Loop {
  const { retentionYears } = deps;
  return startLoop({
    ...reported(deps, 'prune-payment-requests'),
    intervalMs: PRUNE_INTERVAL_MS,
    run: async () => retentionYears > 0 && pruneDaily(deps.retention, retentionYears),
  });
}

function payerErasures(deps: BackgroundDeps): Loop {
  return startLoop({
    ...reported(deps, 'erase-payers'),
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => carryOutErasures(deps.erasure),
  });
}

function startNotices(deps: BackgroundDeps): Loop {
  return startLoop({
    ...reported(deps, 'send-merchant-notices'),
    intervalMs: NOTICE_INTERVAL_MS,
    longestRunMs: LONGEST_NOTICE_MS,
    run: async (signal) => (await sendNextNotice(deps, signal)) || pruneOldNotices(deps.db),
  });
}

function approvedActs(deps: BackgroundDeps): Loop {
  return startLoop({
    ...reported(deps, 'run-approved-acts'),
    intervalMs: APPROVED_INTERVAL_MS,
    longestRunMs: LONGEST_APPROVED_MS,
    run: (signal) => runApproved(deps.approvals, signal),
  });
}

function simulatedRefunds(deps: BackgroundDeps): Loop {
  return startLoop({
    ...reported(deps, 'simulate-refunds'),
    intervalMs: REFUND_INTERVAL_MS,
    run: (signal) => simulateRefunds(deps.refund, signal),
  });
}

function handOver(deps: BackgroundDeps, handOverDeps: HandOverDeps): Loop {
  return startLoop({
    ...reported(deps, 'hand-over-refunds'),
    intervalMs: REFUND_INTERVAL_MS,
    longestRunMs: LONGEST_RECONCILIATION_MS,
    run: (signal) => handOverRefunds(handOverDeps, signal),
  });
}

function networkLoops(deps: BackgroundDeps): Loop[] {
  if (!deps.connected) return [];
  const { network, reconcile, handOver: handOverDeps } = deps.connected;
  const reconciliation = startLoop({
    ...reported(deps, 'reconcile-network-requests'),
    intervalMs: RECONCILE_INTERVAL_MS,
    longestRunMs: LONGEST_RECONCILIATION_MS,
    run: (signal) => reconcileNetworkRequests(reconcile, signal),
  });
  const own = network.startBackground();
  return [
    reconciliation,
    ...(handOverDeps ? [handOver(deps, handOverDeps)] : []),
    ...(own ? [own] : []),
  ];
}

function reportEnded({ log, metrics }: BackgroundDeps) {
  return (count: number): void => {
    metrics.operatorNotice('DELIVERIES_GIVEN_UP');
    log.warn({ count, reason: 'RETENTION_ENDED' }, 'webhook deliveries given up');
  };
}

function reported({ log, metrics }: BackgroundDeps, loop: string) {
  return {
    name: loop,
    onError(error: unknown): void {
      metrics.loopFailed(loop);
      log.error({ loop, err: error }, 'background loop failed');
    },
  };
}
