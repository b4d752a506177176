import type { Executor } from '#database/database.ts';
import type {
  ETransferNetwork,
  MakeNetwork,
  NetworkSurroundings,
} from '#e-transfer/e-transfer-network.ts';
import type { LivePages } from '#http/live/live-pages.ts';
import { createReportBatcher } from '#payment-requests/network/apply-report.ts';
import { createNetworkCalls } from '#payment-requests/network/client.ts';
import { reportFee } from '#payment-requests/network/money/report-fee.ts';
import { reportUnmatched } from '#payment-requests/network/money/report-unmatched.ts';
import type { ReconcileDeps } from '#payment-requests/network/reconcile.ts';
import type { PayingDeps } from '#payment-requests/payer-link/routes.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import type { TimelineNotes } from '#payment-requests/timeline/payer-steps.ts';
import {
  createRefundReports,
  type RefundReportDeps,
} from '#refunds/network/apply-refund-reports.ts';
import { failUncoveredRefunds } from '#refunds/network/fail-uncovered.ts';
import type { HandOverDeps } from '#refunds/network/hand-over.ts';
import { reportRefundBooking } from '#refunds/network/report-refund-booking.ts';
import type { Config } from '../config.ts';
import type { Foundation } from './foundation.ts';
import { channelsOf } from './messages/message-deps.ts';
import { hasNetwork, networkNamed } from './networks.ts';

export interface ConnectNetworkDeps {
  readonly foundation: Foundation;
  readonly move: ChangeStatusDeps;
  readonly refund: RefundReportDeps;
  readonly notes: TimelineNotes;
  readonly livePages: LivePages;
  /** Makes another network than the configured one; for tests. */
  readonly makeNetwork: MakeNetwork | undefined;
}

/** The network of a production deployment, with the needs of the parts that use it. */
export interface ConnectedNetwork {
  readonly network: ETransferNetwork;
  readonly paying: PayingDeps;
  readonly reconcile: ReconcileDeps;
  /** null: the network cannot give money back. */
  readonly handOver: HandOverDeps | null;
}

/** Makes the configured network for a command; null where none is configured. */
export async function makeConfiguredNetwork(
  config: Config,
  surroundings: NetworkSurroundings,
): Promise<ETransferNetwork | null> {
  if (!hasNetwork(config)) return null;
  const make = await networkNamed(config.eTransferNetwork)?.load(config);
  return make?.(surroundings) ?? null;
}

/** Connects the configured network; null where none is configured. */
export async function connectNetwork({
  foundation,
  move,
  refund,
  notes,
  livePages,
  makeNetwork,
}: ConnectNetworkDeps): Promise<ConnectedNetwork | null> {
  const { config, db, clock, log, metrics } = foundation;
  const make = makeNetwork ?? (await networkNamed(config.eTransferNetwork)?.load(config));
  if (!make) return null;
  const report = reportDepsOf({ foundation, move, refund });
  const network = make(networkSurroundingsOf({ foundation, move, refund, notes }));
  const calls = createNetworkCalls({ network, clock, metrics });
  return {
    network,
    reconcile: { ...report, calls, times: network.times },
    handOver: network.refunds && { ...refund, calls, calendar: config.bank.calendar },
    paying: {
      ...{ ...config, db, calls, log, livePages },
      sendsReceipts: channelsOf(config).includes('EMAIL'),
      simulatedNetwork: network.isSimulated,
      tellsPayersBrowser: network.tellsPayersBrowser,
    },
  };
}

/** Makes the surroundings of a network; the commands that take bank files give it, too. */
export function networkSurroundingsOf({
  foundation,
  move,
  refund,
  notes,
}: Pick<ConnectNetworkDeps, 'foundation' | 'move' | 'refund' | 'notes'>): NetworkSurroundings {
  const { config, db, clock, log, metrics } = foundation;
  const { currency, paymentLinkBase, secretsKey, timeZone, cell } = config;
  const report = reportDepsOf({ foundation, move, refund });
  return {
    db,
    clock,
    log,
    metrics,
    secretsKey,
    currency,
    publicOrigin: new URL(paymentLinkBase).origin,
    cell,
    timeZone,
    listener: {
      report: createReportBatcher(report),
      reportUnmatched: (money) => reportUnmatched(report, money),
      reportFee: (fee) => reportFee(report, fee),
      reportRefunds: createRefundReports(refund),
      reportRefundBooking: (booking) => reportRefundBooking(refund, booking),
      noteStep: (id, step) => notes.noteStep(id, step),
    },
  };
}

/** A report changes a status and may take money back: refunds then lose their cover. */
export function reportDepsOf({
  foundation: { config, log, metrics },
  move,
  refund,
}: Pick<ConnectNetworkDeps, 'foundation' | 'move' | 'refund'>) {
  return {
    ...{ ...config, ...move, log, metrics },
    onMoneyReturned: (tx: Executor, ids: readonly string[], references: readonly string[]) =>
      failUncoveredRefunds(tx, refund, ids, references),
  };
}
