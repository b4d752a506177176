import type { Database } from '#database/database.ts';
import type { NetworkListener } from '../../e-transfer-network.ts';
import { type AbsentMovement, findAbsent, markAbsent } from './absent-store.ts';

/** Bounds one run's memory and reports, as in report-movements.ts. */
const REPORTS_AT_ONCE = 100;

export interface ReportAbsentDeps {
  readonly db: Database;
  readonly listener: Pick<NetworkListener, 'reportUnmatched'>;
}

/**
 * Reports money that waits for the statement of its day, when that statement lacks it or stays
 * away: a case, and no entry in the ledger, because the statement is the truth (bank-transfer §4).
 * A later statement that lists the money decides about it as if no case were open.
 *
 * @returns whether more may wait
 * @throws the first error of a report that could not be written; the others are marked
 */
export async function reportNextAbsent({ db, listener }: ReportAbsentDeps): Promise<boolean> {
  const found = await findAbsent(db, REPORTS_AT_ONCE);
  if (found.length === 0) return false;
  const reports = await Promise.allSettled(found.map((each) => reportAbsent(listener, each)));
  const done = found.filter((_, index) => reports[index]?.status === 'fulfilled');
  await markAbsent(
    db,
    done.map(({ id }) => id),
  );
  const failed = reports.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return found.length === REPORTS_AT_ONCE;
}

function reportAbsent(
  listener: ReportAbsentDeps['listener'],
  { merchantId, paymentRequestId, currency, institution, ...movement }: AbsentMovement,
): Promise<void> {
  const { networkReference, amountCents, bankReference, bookingDate } = movement;
  return listener.reportUnmatched({
    kind: 'NOT_ON_STATEMENT',
    merchantId,
    paymentRequestId,
    currency,
    institution,
    movement: { networkReference, amountCents, bankReference, bookingDate },
    candidates: [],
  });
}
