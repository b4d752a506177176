import { createLivePages } from '#http/live/live-pages.ts';
import type { Loop } from '#lib/loop.ts';
import { findPaymentRequestVersions } from '#payment-requests/payer-link/link-store.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { createTimelineNotes, type TimelineNotes } from '#payment-requests/timeline/payer-steps.ts';
import type { RefundReportDeps } from '#refunds/network/apply-refund-reports.ts';
import { type ClockWatch, createClockWatch } from '#telemetry/health/clock-watch.ts';
import { createRecentAnswers, type RecentAnswers } from '#telemetry/health/recent-answers.ts';
import {
  createUntrustedForwarders,
  type UntrustedForwarders,
} from '#telemetry/log/untrusted-forwarders.ts';
import { createSenderSignal, type SenderSignal } from '#webhooks/events/wake-senders.ts';
import { createWebhookUrlGuard, type WebhookUrlGuard } from '#webhooks/https/url-guard.ts';
import { changeStatusDepsOf, refundDepsOf } from './change-deps.ts';
import { type ChangeSignals, createChangeSignals } from './change-signals.ts';
import type { ClosingSteps } from './closing-steps.ts';
import { type ConnectedNetwork, connectNetwork } from './connect-network.ts';
import type { Foundation, ServiceOptions } from './foundation.ts';
import { hasNetwork } from './networks.ts';

/** The parts that calls, loops and health share; made once a process. */
export interface Parts {
  readonly changes: ChangeSignals;
  /** The needs of the one writer of a status. */
  readonly move: ChangeStatusDeps;
  /** The needs of the one writer of a refund's status. */
  readonly refund: RefundReportDeps;
  readonly notes: TimelineNotes;
  /** null in the sandbox: it has no network. */
  readonly connected: ConnectedNetwork | null;
  readonly guard: WebhookUrlGuard;
  readonly senderSignal: SenderSignal;
  readonly answers: RecentAnswers;
  readonly clockWatch: ClockWatch;
  readonly forwarders: UntrustedForwarders;
  /** Every loop that has started; the start adds them. */
  readonly loops: Pick<Loop, 'turns'>[];
}

/** Makes the parts that stand on the foundation. */
export async function createParts(
  foundation: Foundation,
  makeNetwork: ServiceOptions['makeNetwork'],
  closing: ClosingSteps,
): Promise<Parts> {
  const { config, clock, log, db, metrics } = foundation;
  const findVersions = (ids: readonly string[]) => findPaymentRequestVersions(db, ids);
  const livePages = hasNetwork(config) ? createLivePages({ clock, findVersions }) : null;
  const changes = createChangeSignals({ db, clock, livePages });
  closing.keep('feed waiters', () => changes.feedWaiters.close());
  const senderSignal = createSenderSignal(db);
  const move = changeStatusDepsOf(foundation, changes, senderSignal);
  const refund = refundDepsOf(foundation, changes, move);
  const notes = createTimelineNotes({ db, clock });
  const { untrustedForwarders } = config;
  return {
    changes,
    move,
    refund,
    notes,
    connected:
      livePages &&
      (await connectNetwork({ foundation, move, refund, notes, livePages, makeNetwork })),
    guard: createWebhookUrlGuard({
      allowCidrs: config.webhookAllowCidrs,
      allowPorts: config.webhookAllowPorts,
      resolvers: config.webhookResolvers,
    }),
    senderSignal,
    answers: createRecentAnswers(clock),
    clockWatch: createClockWatch({ db, clock, log, metrics }),
    forwarders: createUntrustedForwarders({ db, clock, log, untrustedForwarders }),
    loops: [changes.feedWaiters],
  };
}
