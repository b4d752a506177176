import type { Executor } from '#database/database.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { sumOf } from '#payment-requests/model/money/movements.ts';
import { availableCents } from '#payment-requests/model/money/sums.ts';
import { isGone } from '#payment-requests/model/money/waiting.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { waitingUnder } from '#payment-requests/network/money/movement-index.ts';
import {
  findMovementFacts,
  findMovements,
  lockMovements,
} from '#payment-requests/network/money/movement-store.ts';
import { createOperatorRefund } from '#refunds/create/create-operator-refund.ts';
import { findParts, hasLiveRefund, type Part } from './case-store.ts';
import { createRefunds } from './create-refunds.ts';
import { type OperatorCase, referencesOf } from './model/operator-case.ts';
import { type SettleDeps, type SettledCase, settleCase } from './settle-case.ts';

export interface CaseRefund {
  /** The network reference of the one movement to give back, where the case leaves the choice. */
  readonly movement: string | null;
  readonly note: string | null;
}

/** Money that goes back; null as reference: the network chooses among the payment's movements. */
interface Returning {
  readonly amountCents: number;
  readonly networkReference: string | null;
  /** Whether the money is part of the sums of its payment request. */
  readonly isOfPayment: boolean;
}

/**
 * Gives the money of a case back: what is left of its movements, or the parts of a payment request
 * that is over. Each movement is a refund of its own, because each goes back to its own account.
 *
 * @throws OperatorFault as `settleCase`, and when there is no such money any more
 */
export function refundCase(
  deps: SettleDeps,
  id: string,
  { movement, note }: CaseRefund,
): Promise<SettledCase> {
  const options = { settlement: 'REFUNDED', target: null, note } as const;
  return settleCase(deps, id, options, async (tx, settling, { operatorCase, paymentRequest }) => {
    if (!paymentRequest) throw new Refusal('case.noRequest', { id });
    if (!deps.canRefund) throw new Refusal('case.noRefunds');
    const money = await findReturning(tx, operatorCase, paymentRequest, movement);
    // Parts can be given back again, when the refund of one has failed and of another has not.
    const isNamed = await hasLiveRefund(tx, id);
    const { refundIds, publish } = await createRefunds(
      isNamed ? null : id,
      money,
      (operatorCaseId, { networkReference, ...each }) =>
        createOperatorRefund(tx, settling, {
          ...each,
          paymentRequestId: paymentRequest.id,
          movementReference: networkReference,
          operatorCaseId,
        }),
    );
    return { outcome: 'REFUND_CREATED', audited: { refundIds }, publish };
  });
}

function findReturning(
  tx: Executor,
  operatorCase: OperatorCase,
  paymentRequest: PaymentRequest,
  movement: string | null,
): Promise<readonly Returning[]> {
  switch (operatorCase.kind) {
    case 'PART_PAYMENT':
      refuseChoice(movement);
      return partsOf(tx, paymentRequest);
    case 'REFUND_ACCOUNT_UNCLEAR':
      return chosenMovement(tx, operatorCase, paymentRequest, movement);
    default:
      refuseChoice(movement);
      return waitingMoney(tx, operatorCase, paymentRequest);
  }
}

function refuseChoice(movement: string | null): void {
  if (movement === null) return;
  throw new Refusal('case.movement');
}

/**
 * The parts of a payment request that is over. After a return or a refund the parts are not what is
 * left: then the network finds the movements of the rest.
 */
async function partsOf(tx: Executor, paymentRequest: PaymentRequest): Promise<Returning[]> {
  const available = availableCents(paymentRequest);
  if (available === 0) throw new Refusal('case.noPart');
  const parts = await findParts(tx, paymentRequest.id);
  if (sumOf(parts) !== available) {
    return [{ amountCents: available, networkReference: null, isOfPayment: true }];
  }
  return parts.map((part: Part) => ({ ...part, isOfPayment: true }));
}

/**
 * Money that waits for an operator, or came beside the payment: no part of any sum. A bank that
 * takes back more than the sum, and names no movement, has taken money that waits.
 */
async function waitingMoney(
  tx: Executor,
  operatorCase: OperatorCase,
  paymentRequest: PaymentRequest,
): Promise<Returning[]> {
  const { id, merchantId } = operatorCase;
  if (merchantId !== null && merchantId !== paymentRequest.merchant.id) {
    throw new Refusal('case.otherBank', { id, merchant: merchantId });
  }
  const known = await lockMovements(tx, referencesOf(operatorCase));
  const left = waitingUnder(known, referencesOf(operatorCase));
  if (left.length === 0) {
    throw new Refusal('case.nothingLeft', { id });
  }
  let missingCents = paymentRequest.sums.returnedCents - paymentRequest.sums.receivedCents;
  const there = left.map(({ networkReference, amountCents }) => {
    const takenCents = Math.min(amountCents, Math.max(0, missingCents));
    missingCents -= takenCents;
    return { networkReference, amountCents: amountCents - takenCents, isOfPayment: false };
  });
  if (there.every(({ amountCents }) => amountCents === 0)) {
    throw new Refusal('case.takenMore', { id });
  }
  return there.filter(({ amountCents }) => amountCents > 0);
}

/** A refund failed because the payment came from several accounts: the operator names one. */
async function chosenMovement(
  tx: Executor,
  { id, details }: OperatorCase,
  paymentRequest: PaymentRequest,
  movement: string | null,
): Promise<Returning[]> {
  const movements = movementsIn(details);
  const chosen = movements.find(({ networkReference }) => networkReference === movement);
  if (!chosen) {
    const names = movements.map(({ networkReference }) => networkReference).join(', ');
    throw new Refusal('case.which', { id, names: names || 'none' });
  }
  const { incoming } = await findMovements(tx, [chosen.networkReference]);
  const current = incoming.get(chosen.networkReference);
  if (current && isGone(current)) {
    throw new Refusal('case.corrected', { name: chosen.networkReference });
  }
  const { refundCents } = details;
  const asked = typeof refundCents === 'number' ? refundCents : chosen.amountCents;
  const left = await leftOf(tx, chosen);
  const amountCents = Math.min(asked, left, availableCents(paymentRequest));
  if (amountCents <= 0) throw new Refusal('case.movementEmpty');
  return [{ amountCents, networkReference: chosen.networkReference, isOfPayment: true }];
}

/** A refund never exceeds its movement: several cases can name one. */
async function leftOf(tx: Executor, { networkReference, amountCents }: Part): Promise<number> {
  const facts = (await findMovementFacts(tx, [networkReference])).get(networkReference);
  return amountCents - (facts?.takenBackCents ?? 0) - (facts?.givenBackCents ?? 0);
}

function movementsIn({ movements }: OperatorCase['details']): Part[] {
  return Array.isArray(movements) ? (movements as Part[]) : [];
}
