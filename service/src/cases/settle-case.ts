import type { Database, Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { availableCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { followMoney } from '#payment-requests/network/money/follow-money.ts';
import type { ChangeStatusDeps, Written } from '#payment-requests/status/change-status.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';
import type { ChangeRefundDeps } from '#refunds/status/change-refund-status.ts';
import { findCase, hasLiveRefund, lockCase, saveSettlement } from './case-store.ts';
import { allowsSettlement, CASE_KINDS, SETTLEMENTS, type Settlement } from './model/case-kinds.ts';
import { correctedReferencesOf, type OperatorCase, referencesOf } from './model/operator-case.ts';

export interface SettleDeps
  extends Pick<ChangeStatusDeps, 'clock' | 'settings' | 'misbehaviourOf'> {
  readonly db: Database;
  /** Writes messages to payers, in the transaction; left out: none. */
  readonly messages?: SettlingDeps['messages'];
  /** The operator, for the audit log. */
  readonly actor: string;
  /** Whether the network can give money back: else a refund would wait for ever. */
  readonly canRefund: boolean;
}

export interface SettledCase {
  readonly id: string;
  readonly kind: OperatorCase['kind'];
  readonly settlement: Settlement;
  /** The end of the money, for people and programs. */
  readonly outcome: string;
  readonly paymentRequestId: string | null;
}

/** The dependencies of an act, which changes payment requests and refunds. */
export type SettlingDeps = ChangeStatusDeps & ChangeRefundDeps;

/** The end of an act; `audited` goes to the audit log. */
export type Settled = Written & { readonly outcome: string; readonly audited?: object };

/** The act of a settlement on the money, under the locks of `settleCase`. */
export type Settling = (tx: Executor, deps: SettlingDeps, found: LockedCase) => Promise<Settled>;

export interface LockedCase {
  readonly operatorCase: OperatorCase;
  /** The payment request that gets or gives the money; null: none is named. */
  readonly paymentRequest: PaymentRequest | null;
}

export interface SettleOptions {
  readonly settlement: Settlement;
  /** The payment request that the operator names; null: the one of the case. */
  readonly target: string | null;
  /** Other payment requests that change; left out: none. */
  readonly others?: readonly string[];
  /** Why, for the audit log; null: none was given. */
  readonly note: string | null;
}

/**
 * Settles a case once (contract §5): the money moves, and case, audit log and ledger are written,
 * in one transaction. Locks the payment requests before the case, as reports of the network do.
 *
 * @returns the settlement; the caller signals the payment request's change to other processes
 * @throws OperatorFault for an unknown or settled case, and for a settlement that it does not allow
 */
export async function settleCase(
  deps: SettleDeps,
  id: string,
  { settlement, target, others = [], note }: SettleOptions,
  settle: Settling,
): Promise<SettledCase> {
  const { db, clock, actor } = deps;
  const settled = await db.transaction(async (tx) => {
    const found = isId(id) ? await findCase(tx, id) : null;
    if (!found) throw new Refusal('case.unknown', { id });
    refuseSettlement(found, settlement);
    const paymentRequestId = target ?? found.paymentRequestId;
    const paymentRequest = await lockPaymentRequests(
      tx,
      [found.paymentRequestId, target, ...others],
      paymentRequestId,
    );
    if (target !== null && !paymentRequest) {
      throw new Refusal('request.unknown', { id: target });
    }
    const operatorCase = (await lockCase(tx, id)) ?? found;
    await refuseSettled(tx, operatorCase, settlement, paymentRequest);
    const written = await settle(tx, settlingDeps(deps), { operatorCase, paymentRequest });
    await saveSettlement(tx, id, settlement, clock.now());
    const about = [found.paymentRequestId, paymentRequestId, ...others];
    const references = [...referencesOf(found), ...correctedReferencesOf(found)];
    await followMoney(
      tx,
      deps,
      about.filter((each) => each !== null),
      references,
    );
    const moved = settlement === 'CLOSED' ? null : paymentRequest;
    const after = moved && (await lockPaymentRequest(tx, moved.id));
    const { kind, merchantId } = operatorCase;
    await recordAct(
      tx,
      { clock, actor },
      settlement === 'CLOSED' ? 'OPERATOR_CASE_CLOSED' : 'OPERATOR_CASE_SETTLED',
      paymentRequest?.merchant.id ?? merchantId,
      {
        caseId: id,
        kind,
        ...(settlement !== 'CLOSED' && { settlement, paymentRequestId, outcome: written.outcome }),
        ...written.audited,
        ...(moved && after && { before: auditedSums(moved), after: auditedSums(after) }),
        ...(note !== null && { note }),
      },
    );
    return {
      ...written,
      result: { id, kind, settlement, outcome: written.outcome, paymentRequestId },
    };
  });
  settled.publish();
  return settled.result;
}

/** The status and the sums of a payment request, without data of its payer. */
function auditedSums(paymentRequest: PaymentRequest) {
  const { returnedCents, refundingCents, refundedCents } = paymentRequest.sums;
  const received = paymentRequest.sums.receivedCents;
  const { status } = paymentRequest;
  return { status, receivedCents: received, returnedCents, refundingCents, refundedCents };
}

/** Callers signal after the commit: a command ends before a signal in the background is sent. */
function settlingDeps({ db, clock, settings, misbehaviourOf, messages }: SettleDeps): SettlingDeps {
  return {
    db,
    clock,
    settings,
    ...(misbehaviourOf && { misbehaviourOf }),
    ...(messages && { messages }),
    wakeSenders() {},
    onStatusChanged() {},
    onRefundChanged() {},
    // The gauge of open cases reads the database.
    onCaseOpened() {},
  };
}

function refuseSettlement({ id, kind }: OperatorCase, settlement: Settlement): void {
  if (allowsSettlement(kind, settlement)) return;
  const { meaning, allows, advice } = CASE_KINDS[kind];
  const ways = [...allows, 'CLOSED' as const].map((each) => SETTLEMENTS[each]).join(', ');
  const more = ` ${meaning} ${advice} It allows: ${ways}.`;
  throw new Refusal('case.way', { id, kind, way: SETTLEMENTS[settlement] }, null, more);
}

/** A refund that failed leaves the money where it was: its case can be settled again. */
async function refuseSettled(
  tx: Executor,
  found: OperatorCase,
  wanted: Settlement,
  paymentRequest: PaymentRequest | null,
): Promise<void> {
  const { id, kind, closedAt, settlement } = found;
  if (closedAt === null) return;
  if (settlement === 'REFUNDED' && !(await hasLiveRefund(tx, id))) return;
  // Each part has a refund of its own: the amount available tells whether any has failed.
  const isRepeated = settlement === 'REFUNDED' && wanted === 'REFUNDED';
  const isOfParts = kind === 'PART_PAYMENT' && paymentRequest !== null;
  if (isRepeated && isOfParts && availableCents(paymentRequest) > 0) return;
  if (settlement === null) throw new Refusal('case.overtaken', { id });
  throw new Refusal('case.settled', { id, how: settlement });
}

/** Locks payment requests in the order of their ids, so that two operators cannot deadlock. */
export async function lockPaymentRequests(
  tx: Executor,
  ids: readonly (string | null)[],
  wanted: string | null,
): Promise<PaymentRequest | null> {
  let found: PaymentRequest | null = null;
  const sorted = [...new Set(ids)].filter((id) => id !== null).sort();
  for (const id of sorted) {
    const paymentRequest = await lockPaymentRequest(tx, id);
    if (id === wanted) found = paymentRequest;
  }
  return found;
}
