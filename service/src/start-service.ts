import { createAccess } from '#access/create-access.ts';
import { requireMerchant as checkMerchant } from '#access/require-merchant.ts';
import { connectDatabase, type Database } from '#database/database.ts';
import { limitTransactions } from '#database/limit-transactions.ts';
import type { MakeNetwork } from '#e-transfer/e-transfer-network.ts';
import { LoadGate } from '#http/overload/load-gate.ts';
import type { Clock, DatabaseClock } from '#lib/clock.ts';
import type { Loop } from '#lib/loop.ts';
import { createTogether } from '#payment-requests/create/creation-batcher.ts';
import { noCreationHooks } from '#payment-requests/create/creation-hooks.ts';
import type { CreateRoutesDeps } from '#payment-requests/create/routes.ts';
import { findTogether } from '#payment-requests/lookup/batch-lookups.ts';
import type { ValidateWebhookUrlDeps } from '#payment-requests/model/validate-webhook-url.ts';
import { findOpenedLinks } from '#payment-requests/payer-link/find-link.ts';
import { createChangeSignal } from '#payment-requests/read/change-signal.ts';
import { listenForChanges } from '#payment-requests/read/change-signal-store.ts';
import { type ChangeWaiters, createChangeWaiters } from '#payment-requests/read/wait-for-change.ts';
import { alertOperator } from '#payment-requests/status/alert-operator.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { createTimelineNotes, type TimelineNotes } from '#payment-requests/timeline/payer-steps.ts';
import { createFailureLimit } from '#rate-limits/failure-limit.ts';
import { limitMerchantCalls } from '#rate-limits/limit-merchant-calls.ts';
import { createMerchantBudget } from '#rate-limits/merchant-budget.ts';
import { createSandboxCreationHooks } from '#sandbox/create-sandbox-creation-hooks.ts';
import { misbehaviourOf } from '#sandbox/misbehaviour-of.ts';
import { type ClockWatch, createClockWatch } from '#telemetry/health/clock-watch.ts';
import { createProcessHealth, type Health } from '#telemetry/health/health.ts';
import { createRecentAnswers, type RecentAnswers } from '#telemetry/health/recent-answers.ts';
import type { Log } from '#telemetry/log/log.ts';
import { createUntrustedForwarders } from '#telemetry/log/untrusted-forwarders.ts';
import { createMetrics, type Metrics } from '#telemetry/metrics/metrics.ts';
import type { Tracing } from '#telemetry/tracing/tracing.ts';
import { createSenderSignal } from '#webhooks/events/wake-senders.ts';
import { createFeedWaiters, type FeedWaiters } from '#webhooks/feed/wait-for-events.ts';
import { createWebhookUrlGuard, type WebhookUrlGuard } from '#webhooks/https/url-guard.ts';
import { type AppDeps, createApp, createOpsApp } from './app.ts';
import { startBackground } from './background.ts';
import { backgroundDepsOf } from './background-deps.ts';
import { checkKeys } from './check-keys.ts';
import { createClosingSteps } from './closing-steps.ts';
import type { Config } from './config.ts';
import { type ConnectedNetwork, connectNetwork } from './connect-network.ts';
import { DATABASE_READINGS } from './database-readings.ts';
import { listen } from './listen.ts';
import { startTraces } from './start-traces.ts';
import { createTrafficClassifier } from './traffic-class.ts';
import { SERVICE_VERSION } from './version.ts';

/** What one process does: answer calls, run the loops, or both (contract §1). */
export const ROLES = ['api', 'background'] as const;
export type Role = (typeof ROLES)[number];

export interface ServiceOptions {
  readonly config: Config;
  readonly roles: readonly Role[];
  /** Follows the database's clock where it can; a test's clock cannot. */
  readonly clock: Clock | DatabaseClock;
  readonly log: Log;
  /**
   * How many processes share this machine's work, this one among them, under a parent that has the
   * operators' listener; left out: this is the only one, and has its own.
   */
  readonly processes?: number;
  /** Makes another network than the one that the configuration names; for tests. */
  readonly makeNetwork?: MakeNetwork;
}

export interface RunningService {
  /** The public listener's port; null without the api role. */
  readonly port: number | null;
  /** null where a parent has the operators' listener. */
  readonly opsPort: number | null;
  readonly health: Health;
  /** Makes every background loop look now. */
  wake(): void;
  /** Takes nothing new, finishes what runs, and lets go of everything. */
  stop(): Promise<void>;
  /** What a stop has not closed yet, as in "3 calls". */
  unfinished(): readonly string[];
}

/** What the parts share; made once. */
export interface Shared extends ServiceOptions {
  readonly db: Database;
  readonly metrics: Metrics;
  readonly guard: WebhookUrlGuard;
  readonly move: ChangeStatusDeps;
  /** Calls of this process that wait for a payment request to change. */
  readonly waiters: ChangeWaiters;
  /** Calls of this process that wait for events. */
  readonly feedWaiters: FeedWaiters;
  /** To be told, after the commit, of every change of a payment request: wakes all who wait. */
  readonly onChanged: (id: string) => void;
  readonly notes: TimelineNotes;
  /** null in the sandbox. */
  readonly connected: ConnectedNetwork | null;
  readonly requestLog: AppDeps['requestLog'];
  readonly answers: RecentAnswers;
  readonly clockWatch: ClockWatch;
  readonly forwarders: AppDeps['forwarders'];
  /** null: no traces are exported. */
  readonly tracing: Tracing | null;
  /** The origin of {base_url}. */
  readonly origin: string;
}

/** Puts the service together, part by part, and starts it. The only composition root. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, roles } = options;
  const metrics = createMetrics({ ...config, version: SERVICE_VERSION });
  const tracing = await startTraces(config, metrics);
  const shared = share(options, metrics, tracing);
  const closing = createClosingSteps();
  if (tracing) closing.keep('traces', () => tracing.stop());
  closing.keep('database connections', () => shared.db.close());
  closing.keep('feed waiters', () => shared.feedWaiters.close());
  let unreadyBecause: string | null = 'the service is starting';
  const stop = async () => {
    unreadyBecause = 'the service is stopping';
    await closing.closeAll();
  };
  try {
    let background: Loop | null = null;
    let clockLoop: Loop | null = null;
    const loops = () =>
      [shared.feedWaiters, clockLoop, background].flatMap((part) => part?.turns() ?? []);
    shared.metrics.observeLoops(loops);
    const health = createProcessHealth({
      ...shared,
      loops,
      warning: () => shared.forwarders.warning(),
      simulatedNetwork: shared.connected?.network.isSimulated ?? false,
      unreadyBecause: () => unreadyBecause ?? shared.clockWatch.fault() ?? shared.answers.refusal(),
    });
    let opsPort: number | null = null;
    if (options.processes === undefined) {
      const ops = createOpsApp({ ...config, ...shared, health });
      closing.keep('operators’ listener', () => ops.close());
      opsPort = await listen(ops, config.opsHost, config.opsPort);
    }
    await checkKeys(shared.db, config);
    const comparing = await shared.clockWatch.start();
    clockLoop = comparing;
    closing.keep('clock comparison', () => comparing.stop());
    if (roles.includes('background')) {
      const started = startBackground(await backgroundDepsOf(shared));
      background = started;
      closing.drain('background loops', () => started.stop());
    }
    let port: number | null = null;
    if (roles.includes('api')) {
      const { db, waiters, feedWaiters, connected } = shared;
      const stopListening = listenForChanges(db, (ids) => {
        waiters.wake(ids);
        feedWaiters.wake();
        connected?.livePages.changed(ids);
      });
      closing.keep('change signals', stopListening);
      const app = createApp(appDepsOf(shared));
      closing.drain(
        'public listener',
        () => app.close(),
        () => `${app.openCalls.count()} calls`,
      );
      port = await listen(app, config.host, config.port);
    }
    unreadyBecause = null;
    const wake = () => background?.wake();
    return { port, opsPort, health, wake, stop, unfinished: closing.unfinished };
  } catch (error) {
    await stop();
    throw error;
  }
}

function share(options: ServiceOptions, metrics: Metrics, tracing: Tracing | null): Shared {
  const { config, clock, log, makeNetwork } = options;
  const answers = createRecentAnswers(clock);
  const db = connectDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  metrics.observePool(() => db.poolUse());
  metrics.observeDatabase({ db, clock, readings: DATABASE_READINGS });
  const signal = createSenderSignal(db);
  const changes = createChangeSignal(db);
  const waiters = createChangeWaiters({ db, clock });
  const feedWaiters = createFeedWaiters({ db });
  const onChanged = (id: string) => {
    waiters.wake([id]);
    feedWaiters.wake();
    connected?.livePages.changed([id]);
    changes.raise(id);
  };
  const move: ChangeStatusDeps = {
    db,
    clock,
    addresses: config,
    ...(config.environment === 'sandbox' && { misbehaviourOf }),
    wakeSenders: () => signal.raise(),
    onStatusChanged: ({ id, from, to }) => {
      metrics.paymentRequestMoved({ from, to });
      onChanged(id);
      log.info({ paymentRequestId: id, from, to }, 'payment request moved');
    },
    onCaseOpened: alertOperator({ metrics, log }),
  };
  const notes = createTimelineNotes({ db, clock });
  const connected = connectNetwork({ config, db, clock, log, metrics, move, notes, makeNetwork });
  return {
    ...options,
    db,
    metrics,
    guard: createWebhookUrlGuard({
      allowCidrs: config.webhookAllowCidrs,
      allowPorts: config.webhookAllowPorts,
      resolvers: config.webhookResolvers,
    }),
    move,
    waiters,
    feedWaiters,
    onChanged,
    notes,
    connected,
    answers,
    clockWatch: createClockWatch({ db, clock, log, metrics }),
    tracing,
    requestLog: { log, metrics, clock, answers },
    forwarders: createUntrustedForwarders({ ...config, db, clock, log }),
    origin: new URL(config.publicApiUrl).origin,
  };
}

function appDepsOf(shared: Shared): AppDeps {
  const { config, db, clock, guard, move, onChanged } = shared;
  const access = createAccess({ ...config, db, clock, metrics: shared.metrics });
  const budgets = {
    reads: createMerchantBudget({ db, clock, kind: 'reads', limit: config.rateLimitReads }),
    writes: createMerchantBudget({ db, clock, kind: 'writes', limit: config.rateLimitWrites }),
  };
  const requireMerchant: CreateRoutesDeps['requireMerchant'] = (...scopes) =>
    limitMerchantCalls(checkMerchant(access, scopes), budgets);
  const validation: ValidateWebhookUrlDeps = {
    webhookUrlFault: async (url) => {
      const judgement = await guard.judge(url, 'save');
      return judgement.allowed ? null : judgement.reason;
    },
    areWebhookOriginsRegistered: config.environment === 'production',
  };
  const gate = new LoadGate(clock);
  shared.metrics.observeLoad(() => gate.load());
  const isSandbox = config.environment === 'sandbox';
  const hooks = isSandbox ? createSandboxCreationHooks() : noCreationHooks;
  return {
    ...shared,
    gate,
    classify: createTrafficClassifier(config),
    access,
    tokenLimits: {
      budget: createMerchantBudget({ db, clock, kind: 'tokens', limit: config.rateLimitTokens }),
      failures: createFailureLimit({ clock, limit: config.rateLimitTokens }),
    },
    trustedProxies: config.trustedProxies,
    apiReference: config,
    paymentRequests: {
      db,
      clock,
      addresses: config,
      waiters: shared.waiters,
      find: findTogether(db, shared.metrics),
      requireMerchant,
      validation: { ...validation, clock, limits: config, hooks },
      create: createTogether({ db, hooks, addresses: config, metrics: shared.metrics }),
    },
    webhooks: {
      ...config,
      db: limitTransactions(db),
      clock,
      guard,
      wakeSenders: move.wakeSenders,
      feedWaiters: shared.feedWaiters,
      requireMerchant,
    },
    changes: { move, update: { ...validation, db, clock, onChanged }, requireMerchant },
    simulations: isSandbox ? { move, requireMerchant } : null,
    paymentLinks: {
      ...config,
      db,
      clock,
      notes: shared.notes,
      findLink: findOpenedLinks(shared),
      paying: shared.connected?.paying ?? null,
    },
    network: shared.connected?.network ?? null,
  };
}

/** Readiness, log and pages say so: no real money moves (contract §1). */
export function isNetworkSimulated({ eTransferNetwork }: Config): boolean {
  return eTransferNetwork === 'simulated';
}
