import { randomBytes } from 'node:crypto';
import type { Database } from '#database/database.ts';
import type { LivePages } from '#http/live/live-pages.ts';
import type { NetworkListener } from '../e-transfer-network.ts';
import type { RefusalReason } from '../refusal-reason.ts';
import { type GatewayPayment, reportOf } from './gateway-payment.ts';
import {
  claimDueReports,
  confirmGatewayPayment,
  markReported,
  notifyOfGatewayChange,
  refuseGatewayPayment,
} from './gateway-payment-store.ts';
import type { Institution } from './institutions.ts';
import { askInstitution, endUnanswered, refuseSession } from './refusal-store.ts';
import { planReturn } from './return-store.ts';
import type { Behaviour } from './test-users.ts';

export interface ReportDeps {
  readonly db: Database;
  readonly listener: NetworkListener;
  readonly livePages: LivePages;
}

/** The most payments that one run reports. */
const BATCH = 32;

export interface Confirming {
  readonly institution: Institution;
  /** The id of the session that confirms. */
  readonly decidedBy: Buffer;
  readonly behaviour: Behaviour;
}

/**
 * A payer confirms. No money moves before whoever ordered the payment has taken the report, so that
 * a confirmation that races a cancellation or the expiry has one outcome. Safe to repeat: the
 * second finds nothing open.
 */
export async function confirmPayment(
  deps: ReportDeps,
  { id }: GatewayPayment,
  { institution, decidedBy, behaviour }: Confirming,
): Promise<void> {
  if (behaviour.kind === 'IS_REFUSED') {
    return offerAnother(deps, id, behaviour.reason, decidedBy);
  }
  if (behaviour.kind === 'IS_NOT_ANSWERED') {
    const answersAfterSeconds = behaviour.afterMs / 1_000;
    const wait = { institution: institution.name, decidedBy, answersAfterSeconds };
    const asked = await askInstitution(deps.db, id, wait);
    if (asked) await tellOfChange(deps, id);
    return;
  }
  const isLater = behaviour.kind === 'SETTLES_LATER';
  const confirmed = await confirmGatewayPayment(deps.db, id, {
    decidedBy,
    institution: institution.name,
    networkReference: newNetworkReference('SN'),
    settlesAfterSeconds: isLater ? behaviour.afterMs / 1_000 : null,
  });
  if (!confirmed) return;
  // Planned before the report: a process that dies in between still returns the money.
  if (behaviour.kind === 'IS_RETURNED') await planReturn(deps.db, id, behaviour.afterMs / 1_000);
  await report(deps, confirmed);
}

/**
 * Refuses what the payer can correct: the payment stays open, and the payer may choose another
 * institution. The last refusal that is allowed refuses the payment (decision 0036). A repetition
 * does nothing.
 */
export async function offerAnother(
  deps: ReportDeps,
  id: string,
  reason: RefusalReason,
  sessionId: Buffer,
): Promise<void> {
  const told = await refuseSession(deps.db, id, sessionId, reason);
  if (!told) return;
  deps.listener.noteStep(told.paymentRequestId, 'INSTITUTION_REFUSED');
  if (told.state === 'REFUSED') await report(deps, told);
}

/** The payer, the institution or the network refuses an open payment. */
export async function refusePayment(
  deps: ReportDeps,
  id: string,
  reason: RefusalReason,
  sessionId: Buffer,
): Promise<void> {
  const refused = await refuseGatewayPayment(deps.db, id, reason, sessionId);
  if (refused) await report(deps, refused);
}

/**
 * Settles what is due and makes the reports that are: those that failed, and those that a process
 * did not live to make.
 *
 * @returns whether more may be due.
 * @throws  the first failure, after all others of the batch were reported.
 */
export async function reportDuePayments(deps: ReportDeps, signal: AbortSignal): Promise<boolean> {
  const unanswered = await endUnanswered(deps.db, BATCH);
  for (const { paymentRequestId } of unanswered) {
    deps.listener.noteStep(paymentRequestId, 'INSTITUTION_REFUSED');
  }
  const due = await claimDueReports(deps.db, BATCH);
  const failures: unknown[] = [];
  for (const payment of [...unanswered, ...due]) {
    if (signal.aborted) return false;
    await report(deps, payment).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return due.length === BATCH || unanswered.length === BATCH;
}

async function report(deps: ReportDeps, payment: GatewayPayment): Promise<void> {
  const due = reportOf(payment);
  if (due) {
    const { outcome, isRevocable } = due;
    const { paymentRequestId } = payment;
    const verdict = await deps.listener.report({ paymentRequestId, outcome, isRevocable });
    await markReported(deps.db, payment, verdict === 'TAKEN' ? due.ifTaken : due.ifNotTaken);
  }
  await tellOfChange(deps, payment.id);
}

/** Tells open pages, here and in other processes. A page that misses it is told a little later. */
export async function tellOfChange(
  { db, livePages }: Pick<ReportDeps, 'db' | 'livePages'>,
  id: string,
): Promise<void> {
  livePages.changed([id]);
  await notifyOfGatewayChange(db, id).catch(() => {});
}

/** Without I, L, O and U: for reading aloud. */
const REFERENCE_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Makes a reference of 12 characters with 60 random bits, so that none comes twice.
 * @param prefix SN: a payment; SR: a refund
 */
export function newNetworkReference(prefix: 'SN' | 'SR'): string {
  const digits = Array.from(randomBytes(12), (byte) => REFERENCE_DIGITS[byte % 32]);
  return `${prefix}${digits.join('')}`;
}
