import type { ApprovalDeps } from '#approvals/act-or-propose.ts';
import { runApproved } from '#approvals/run-approved.ts';
import { pruneSignIns } from '#console/sign-in/prune-sign-ins.ts';
import { countPayments } from '#counters/count-payments.ts';
import { pruneCounters } from '#counters/prune-counters.ts';
import type { Database } from '#database/database.ts';
import { pruneIdempotencyAnswers } from '#idempotency/prune-idempotency-answers.ts';
import { sumDays } from '#ledger/day-sums/sum-days.ts';
import { joinLoops, type Loop, type LoopWork, oneAfterAnother, startLoop } from '#lib/loop.ts';
import { LONGEST_EXCHANGE_MS, type Mailer } from '#lib/mail/mailer.ts';
import { pruneOldNotices, sendNextNotice } from '#merchants/notices/send-notices.ts';
import { advanceMessages } from '#messages/outbox/message-outbox.ts';
import type { SendMessagesDeps } from '#messages/sending/record-outcome.ts';
import { sendingWork } from '#messages/sending/send-messages.ts';
import { pruneMessages } from '#messages/upkeep/prune-messages.ts';
import { type CarryOutDeps, carryOutErasures } from '#payment-requests/erasure/carry-out.ts';
import { CHANNELS } from '#payment-requests/model/messages/delivery.ts';
import { reconcileNetworkRequests } from '#payment-requests/network/reconcile.ts';
import { indexTexts } from '#payment-requests/search-texts/index-texts.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { expirePaymentRequests } from '#payment-requests/status/expire-overdue.ts';
import type { RefundReportDeps } from '#refunds/network/apply-refund-reports.ts';
import { handOverRefunds } from '#refunds/network/hand-over.ts';
import { pruneDaily, type RetentionDeps } from '#retention/prune.ts';
import { simulateRefunds } from '#sandbox/refunds/simulate-refunds.ts';
import {
  runDueSteps,
  type SandboxSimulatorDeps,
  startSandboxSimulator,
} from '#sandbox/sandbox-simulator.ts';
import { startAdvances } from '#sandbox/time/start-advances.ts';
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

/** A search finds a new payment request within 5 s, with time for the run. */
const TEXTS_INTERVAL_MS = 2_000;

/** A report reads the entries that are not summed yet: some thousand on a busy day. */
const DAY_SUMS_INTERVAL_MS = 10_000;

/** An e-mail need not be there within the second. */
const NOTICE_INTERVAL_MS = 5_000;
/** A single e-mail, with room for two statements that meet a silent connection. */
const LONGEST_NOTICE_MS = LONGEST_EXCHANGE_MS + 30_000;

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
  /** null: no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly messages: SendMessagesDeps;
  /** The loops that learn of mails that came back. */
  readonly bounces: readonly LoopWork[];
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
  const { simulator, connected } = deps;
  const works = [
    ...eventWorks(deps),
    ...peopleWorks(deps, simulator !== null),
    ...CHANNELS.map((channel) => sendingWork(deps.messages, channel)),
    ...deps.bounces,
    ...(connected ? networkWorks(connected) : []),
  ];
  return joinLoops([
    startWebhookDelivery(deps.delivery),
    ...(simulator
      ? [startSandboxSimulator(simulator), startAdvances(advances(deps, simulator))]
      : []),
    ...oneAfterAnother(works).map((work) => start(deps, work)),
  ]);
}

/** An advance does at once what the loops would do within a second. */
function advances({ move, refund, messages }: BackgroundDeps, simulator: SandboxSimulatorDeps) {
  const channels = CHANNELS.map((channel) => sendingWork(messages, channel));
  const sendMessages = async (signal: AbortSignal) => {
    for (const { run, over } of channels) await run(signal, () => {}).then(over);
  };
  return {
    ...simulator,
    advanceMessages,
    onAdvanced: (id: string) => move.onSumsChanged?.(id),
    run: {
      EXPIRY: (signal: AbortSignal) => expirePaymentRequests(move, signal),
      SIMULATOR_STEP: (signal: AbortSignal) => runDueSteps(simulator, signal),
      REFUND_STEP: (signal: AbortSignal) => simulateRefunds(refund, signal),
      MESSAGE: sendMessages,
      WEBHOOK_ATTEMPT: async (_: AbortSignal, id: string) => move.wakeSenders([id]),
    },
  };
}

/** A run takes 15 s at most, unless its row says another time. */
type Row = readonly [
  name: string,
  intervalMs: number,
  run: LoopWork['run'],
  longestRunMs?: LoopWork['longestRunMs'],
];

function worksOf(rows: readonly Row[]): LoopWork[] {
  return rows.map(([name, intervalMs, run, longestRunMs]) => ({
    name,
    intervalMs,
    run,
    ...(longestRunMs !== undefined && { longestRunMs }),
  }));
}

function eventWorks(deps: BackgroundDeps): LoopWork[] {
  const { db, move, clockWatch, retentionEventsDays } = deps;
  return worksOf([
    // An expiry cannot be taken back: a host whose clock is wrong leaves it to the others.
    [
      'expire-payment-requests',
      EXPIRY_INTERVAL_MS,
      async (signal) => clockWatch.fault() === null && expirePaymentRequests(move, signal),
    ],
    ['prune-idempotency-answers', PRUNE_INTERVAL_MS, () => pruneIdempotencyAnswers(db)],
    ['end-deleted-deliveries', PRUNE_INTERVAL_MS, () => endDeletedDeliveries(db)],
    ['run-replays', REPLAY_INTERVAL_MS, (signal) => runReplays(move, signal)],
    ['prune-webhook-destinations', PRUNE_INTERVAL_MS, () => tidyDestinations(db)],
    [
      'prune-webhook-events',
      PRUNE_INTERVAL_MS,
      () => pruneWebhookEvents(db, retentionEventsDays, reportEnded(deps)),
    ],
    ['count-payments', COUNTING_INTERVAL_MS, () => countPayments(deps)],
    ['index-search-texts', TEXTS_INTERVAL_MS, () => indexTexts(db)],
    ['prune-payment-counters', PRUNE_INTERVAL_MS, () => pruneCounters(db)],
  ]);
}

function peopleWorks(deps: BackgroundDeps, isSimulated: boolean): LoopWork[] {
  const { db, retention, retentionYears, refund } = deps;
  const refunds: Row = [
    'simulate-refunds',
    REFUND_INTERVAL_MS,
    (signal) => simulateRefunds(refund, signal),
  ];
  return worksOf([
    ...(isSimulated ? [refunds] : []),
    [
      'send-merchant-notices',
      NOTICE_INTERVAL_MS,
      async (signal) => (await sendNextNotice(deps, signal)) || pruneOldNotices(db),
      LONGEST_NOTICE_MS,
    ],
    ['prune-messages', PRUNE_INTERVAL_MS, () => pruneMessages(db)],
    ['prune-console-sign-ins', PRUNE_INTERVAL_MS, () => pruneSignIns(db)],
    [
      'run-approved-acts',
      APPROVED_INTERVAL_MS,
      (signal) => runApproved(deps.approvals, signal),
      LONGEST_APPROVED_MS,
    ],
    ['sum-ledger-days', DAY_SUMS_INTERVAL_MS, () => sumDays(deps)],
    // Once a day, batch by batch.
    [
      'prune-payment-requests',
      PRUNE_INTERVAL_MS,
      async () => retentionYears > 0 && pruneDaily(retention, retentionYears),
    ],
    ['erase-payers', PRUNE_INTERVAL_MS, () => carryOutErasures(deps.erasure)],
  ]);
}

function networkWorks({
  network,
  reconcile,
  handOver,
}: NonNullable<BackgroundDeps['connected']>): LoopWork[] {
  const rows: Row[] = [
    [
      'reconcile-network-requests',
      RECONCILE_INTERVAL_MS,
      (signal) => reconcileNetworkRequests(reconcile, signal),
      LONGEST_RECONCILIATION_MS,
    ],
  ];
  if (handOver) {
    const run: LoopWork['run'] = (signal) => handOverRefunds(handOver, signal);
    rows.push(['hand-over-refunds', REFUND_INTERVAL_MS, run, LONGEST_RECONCILIATION_MS]);
  }
  return [...worksOf(rows), ...network.loops];
}

/** A failed run is counted and logged; the loop goes on. */
function start(
  { log, metrics }: BackgroundDeps,
  { failure = 'background loop failed', ...work }: LoopWork,
): Loop {
  return startLoop({
    ...work,
    onError(error) {
      metrics.loopFailed(work.name);
      log.error({ loop: work.name, err: error }, failure);
    },
  });
}

function reportEnded({ log, metrics }: BackgroundDeps) {
  return (count: number): void => {
    metrics.operatorNotice('DELIVERIES_GIVEN_UP');
    log.warn({ count, reason: 'RETENTION_ENDED' }, 'webhook deliveries given up');
  };
}
