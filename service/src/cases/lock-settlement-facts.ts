import type { Executor } from '#database/database.ts';
import type { MoneyPart } from '#e-transfer/money-parts.ts';
import { formatAmount } from '#lib/money.ts';
import { isId } from '#lib/new-id.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import { availableCents } from '#payment-requests/model/money/sums.ts';
import { findMovements } from '#payment-requests/network/money/movement-store.ts';
import { findCase, lockCase } from './case-store.ts';
import { referencesOf } from './model/operator-case.ts';
import { findReplaced } from './read/find-replaced.ts';
import { readLeftCents } from './read/read-left.ts';
import { lockPaymentRequests } from './settle-case.ts';

/** The facts on which the settlement of a case rests: sums and statuses, no data of payers. */
export interface SettlementFacts {
  readonly merchantId: string | null;
  /** The money that the case is about; null: its details name no sum. */
  readonly amountCents: number | null;
  readonly facts: Readonly<Record<string, string | number | null>>;
}

/**
 * Locks a case with its payment requests, in the order of `settleCase`, and reads the facts.
 *
 * @param target the payment request that gets the money; null: the one of the case
 * @param others payment requests that the act changes, too
 * @throws OperatorFault for an unknown case
 */
export async function lockSettlementFacts(
  tx: Executor,
  id: string,
  target: string | null,
  others: readonly string[] = [],
): Promise<SettlementFacts> {
  const found = isId(id) ? await findCase(tx, id) : null;
  if (!found) throw new Refusal('case.unknown', { id });
  const paymentRequestId = (isId(target ?? '') ? target : null) ?? found.paymentRequestId;
  const paymentRequest = await lockPaymentRequests(
    tx,
    [found.paymentRequestId, paymentRequestId, ...others],
    paymentRequestId,
  );
  const operatorCase = (await lockCase(tx, id)) ?? found;
  const { kind, details, closedAt, settlement, merchantId } = operatorCase;
  const arrivedCents = centsIn(details, 'arrivedCents');
  const isOfParts = kind === 'PART_PAYMENT' && paymentRequest !== null;
  const partsCents = isOfParts ? availableCents(paymentRequest) : null;
  const leftCents = await readLeftCents(tx, operatorCase);
  const [refundCents, bookedCents] = [
    centsIn(details, 'refundCents'),
    centsIn(details, 'bookedCents'),
  ];
  return {
    merchantId: paymentRequest?.merchant.id ?? merchantId,
    amountCents: leftCents ?? arrivedCents ?? refundCents ?? partsCents,
    facts: {
      caseKind: kind,
      caseStatus: closedAt === null ? 'OPEN' : (settlement ?? 'CLOSED'),
      caseMovements: referencesOf(operatorCase).join(', ') || null,
      arrivedCents,
      leftCents,
      ...(bookedCents !== null && { refundCents, bookedCents }),
      paymentRequestId,
      ...(paymentRequest && {
        paymentRequestStatus: paymentRequest.status,
        askedCents: paymentRequest.amountCents,
        receivedCents: paymentRequest.sums.receivedCents,
        returnedCents: paymentRequest.sums.returnedCents,
        refundingCents: paymentRequest.sums.refundingCents,
        refundedCents: paymentRequest.sums.refundedCents,
      }),
    },
  };
}

/** The facts of a replacement, with the earlier booking and the payment request that has it. */
export async function lockReplaceFacts(
  tx: Executor,
  id: string,
  movement: string | null,
): Promise<SettlementFacts> {
  const operatorCase = isId(id) ? await findCase(tx, id) : null;
  if (operatorCase?.closedAt !== null) {
    // After the replacement the corrected booking stands in the place of the earlier one.
    const { incoming } = await findMovements(tx, operatorCase ? referencesOf(operatorCase) : []);
    const [corrected] = incoming.values();
    return lockSettlementFacts(tx, id, corrected?.paymentRequestId ?? null);
  }
  const replaced = await findReplaced(tx, operatorCase, movement);
  const found = await lockSettlementFacts(tx, id, replaced?.paymentRequestId ?? null);
  if (!replaced) return found;
  const { networkReference, amountCents } = replaced.old;
  const correctedMovement = `${networkReference}: ${formatAmount(amountCents)}`;
  return { ...found, facts: { ...found.facts, correctedMovement } };
}

/** The facts of a split, with the status and the sum of each payment request in one line. */
export async function lockSplitFacts(
  tx: Executor,
  id: string,
  parts: readonly MoneyPart[],
): Promise<SettlementFacts> {
  const ids = parts.map(({ paymentRequestId }) => paymentRequestId).filter(isId);
  const found = await lockSettlementFacts(tx, id, null, ids);
  const known = new Map((await findPaymentRequests(tx, ids)).map((each) => [each.id, each]));
  const lines = parts.map(({ paymentRequestId, amountCents }) => {
    const part = `${paymentRequestId}: ${formatAmount(amountCents)}`;
    const each = known.get(paymentRequestId);
    if (!each) return part;
    const sums = `${formatAmount(each.sums.receivedCents)} of ${formatAmount(each.amountCents)}`;
    return `${part} (${each.status}, ${sums})`;
  });
  return { ...found, facts: { ...found.facts, splitParts: lines.join('; ') } };
}

function centsIn(details: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = details[name];
  return typeof value === 'number' ? value : null;
}
