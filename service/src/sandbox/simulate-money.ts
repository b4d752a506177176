import type { Executor } from '#database/database.ts';
import { newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import type { ChangedRequest } from '#payment-requests/change/reply-once.ts';
import { findPaymentRequest } from '#payment-requests/lookup/find-store.ts';
import { bareMovement } from '#payment-requests/model/money/movements.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { refusalOfStatus } from '#payment-requests/model/statuses.ts';
import { type ApplyReportDeps, applyLocked } from '#payment-requests/network/apply-report.ts';
import { INSTITUTION, networkReferenceOf } from './simulated-cause.ts';
import type { SIMULATED_MONEY } from './simulation-schemas.ts';

export type SimulatedMoney = (typeof SIMULATED_MONEY)[number];

/**
 * Moves the money of a locked payment request as a network reports it: all that is there goes back,
 * half of what is missing arrives, or the amount arrives once more.
 *
 * @throws Problem NOT_PAID, ALREADY_PAID, or VALIDATION_ERROR where nothing is left to divide.
 */
export async function simulateMoney(
  tx: Executor,
  deps: ApplyReportDeps,
  locked: PaymentRequest,
  money: SimulatedMoney,
): Promise<ChangedRequest> {
  const { id } = locked;
  // Each call is money of its own. An idempotency key protects a repeat.
  const reference = networkReferenceOf(newId());
  const outcome = outcomeOf(money, locked, reference, deps);
  const report = { paymentRequestId: id, isRevocable: false, outcome };
  const { publish } = await applyLocked(tx, deps, [report], [locked]);
  return { paymentRequest: (await findPaymentRequest(tx, id)) ?? locked, publish };
}

/** The cents that would move; none: the payment request does not allow it now. */
export function centsOf(money: SimulatedMoney, p: PaymentRequest): number {
  switch (money) {
    case 'RETURNED':
      return p.sums.receivedCents - p.sums.returnedCents;
    case 'PART_PAYMENT':
      return p.payment ? 0 : Math.floor((p.amountCents - heldCents(p)) / 2);
    case 'SECOND_PAYMENT':
      return p.payment ? p.amountCents : 0;
  }
}

function outcomeOf(
  money: SimulatedMoney,
  p: PaymentRequest,
  networkReference: string,
  { currency, clock }: Pick<ApplyReportDeps, 'currency' | 'clock'>,
) {
  const cents = centsOf(money, p);
  switch (money) {
    case 'RETURNED': {
      const detail = 'No money is there that could go back.';
      if (cents <= 0) throw new Problem('NOT_PAID', { detail });
      const returnedReference = p.payment?.networkReference ?? null;
      const movement = bareMovement(networkReference, cents);
      return { state: 'RETURNED', currency, movement, returnedReference, reason: null } as const;
    }
    case 'PART_PAYMENT': {
      if (p.payment) throw refusalOfStatus('PAID');
      const message = 'Give PART_PAYMENT while at least 0.02 are missing.';
      const errors = [{ field: 'outcome', code: 'INVALID_VALUE' as const, message }];
      if (cents <= 0) throw new Problem('VALIDATION_ERROR', { errors });
      const movement = bareMovement(networkReference, cents);
      return { state: 'PART_RECEIVED', currency, movement } as const;
    }
    case 'SECOND_PAYMENT': {
      const detail = 'Only a payment request that is PAID can be paid a second time.';
      if (!p.payment) throw new Problem('NOT_PAID', { detail });
      const { amountCents } = p;
      const completedAt = clock.now();
      const payment = { institution: INSTITUTION, networkReference, completedAt };
      return { state: 'SUCCEEDED', amountCents, currency, ...payment } as const;
    }
  }
}
