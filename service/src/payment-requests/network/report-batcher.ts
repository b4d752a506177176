import { createBatcher } from '#database/batcher.ts';
import type { Executor } from '#database/database.ts';
import type { NetworkReport, Verdict } from '#e-transfer/e-transfer-network.ts';
import { runOutsideCalls } from '#lib/call-context.ts';
import { lockFreePaymentRequests } from '#payment-requests/status/status-store.ts';
import { writeMovesInOrder } from '#payment-requests/status/write-changes.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import {
  judgeReport,
  type NetworkReportDeps,
  referencesOf,
  type Taken,
  takeNetworkReport,
  tellOfReport,
} from './apply-report.ts';
import { lockNetworkReferences } from './reference-store.ts';

/** Their rows stay locked while they are written, some 30 ms: a cancellation waits that long. */
const MAX_BATCH = 100;
/** A second's worth; a network that reports more is told to report again. */
const MAX_QUEUE = 2_000;

export type TakeReportsDeps = NetworkReportDeps & { readonly metrics: DatabaseMetrics };

/**
 * Makes the taking of reports that many callers share (contract §5): those that come together are
 * one transaction, judged in the order in which they came, each by what the one before it made of
 * its payment request. Nothing waits there for a lock: a report of a payment request that somebody
 * else holds, or that is not known, has a transaction to itself.
 */
export function takeReportsTogether(
  deps: TakeReportsDeps,
): (report: NetworkReport) => Promise<Verdict> {
  const take = createBatcher<NetworkReport, Taken | null>({
    run: (reports) => deps.db.transaction((tx) => takeAll(tx, deps, reports)),
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    onBatch: (size) => deps.metrics.batched('report', size),
  });

  return async (report) => {
    const taken = await take(report);
    // The network reports; a payer's call that the report arrives in did nothing to the timeline.
    if (taken === null) return runOutsideCalls(() => takeNetworkReport(deps, report));
    tellOfReport(deps, report, taken);
    return taken.verdict;
  };
}

/** @returns what was made of each, in the reports' order; null for what was left alone */
async function takeAll(
  tx: Executor,
  deps: NetworkReportDeps,
  reports: readonly NetworkReport[],
): Promise<readonly (Taken | null)[]> {
  const ids = new Set(reports.map(({ paymentRequestId }) => paymentRequestId));
  const locked = await lockFreePaymentRequests(tx, [...ids]);
  const standing = new Map(locked.map((paymentRequest) => [paymentRequest.id, paymentRequest]));
  const known = reports.filter(({ paymentRequestId }) => standing.has(paymentRequestId));
  const owners = await lockNetworkReferences(tx, referencesOf(known));
  const all: (Taken | null)[] = [];
  for (const report of reports) {
    const current = standing.get(report.paymentRequestId);
    const taken = current ? await judgeReport(tx, deps, current, report, owners) : null;
    const latest = taken?.moves.at(-1)?.moved;
    if (latest) standing.set(latest.id, latest);
    all.push(taken);
  }
  await writeMovesInOrder(
    tx,
    deps,
    all.flatMap((taken) => taken?.moves ?? []),
  );
  return all;
}
