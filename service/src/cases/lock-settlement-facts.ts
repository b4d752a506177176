import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { availableCents, receivedCents } from '#payment-requests/model/money/sums.ts';
import { findCase, lockCase } from './case-store.ts';
import { referencesOf } from './model/operator-case.ts';
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
 * @throws OperatorFault for an unknown case
 */
export async function lockSettlementFacts(
  tx: Executor,
  id: string,
  target: string | null,
): Promise<SettlementFacts> {
  const found = isId(id) ? await findCase(tx, id) : null;
  if (!found) throw new OperatorFault(`No open case has the id ${id}.`);
  const paymentRequestId = (isId(target ?? '') ? target : null) ?? found.paymentRequestId;
  const paymentRequest = await lockPaymentRequests(
    tx,
    [found.paymentRequestId, paymentRequestId],
    paymentRequestId,
  );
  const operatorCase = (await lockCase(tx, id)) ?? found;
  const { kind, details, closedAt, settlement, merchantId } = operatorCase;
  const arrivedCents = centsIn(details, 'arrivedCents');
  const isOfParts = kind === 'PART_PAYMENT' && paymentRequest !== null;
  const partsCents = isOfParts ? availableCents(paymentRequest) : null;
  const leftCents = await readLeftCents(tx, operatorCase);
  return {
    merchantId: paymentRequest?.merchant.id ?? merchantId,
    amountCents: leftCents ?? arrivedCents ?? centsIn(details, 'refundCents') ?? partsCents,
    facts: {
      caseKind: kind,
      caseStatus: closedAt === null ? 'OPEN' : (settlement ?? 'CLOSED'),
      caseMovements: referencesOf(operatorCase).join(', ') || null,
      arrivedCents,
      leftCents,
      paymentRequestId,
      ...(paymentRequest && {
        paymentRequestStatus: paymentRequest.status,
        askedCents: paymentRequest.amountCents,
        receivedCents: receivedCents(paymentRequest),
        returnedCents: paymentRequest.sums.returnedCents,
        refundingCents: paymentRequest.sums.refundingCents,
        refundedCents: paymentRequest.sums.refundedCents,
      }),
    },
  };
}

function centsIn(details: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = details[name];
  return typeof value === 'number' ? value : null;
}
