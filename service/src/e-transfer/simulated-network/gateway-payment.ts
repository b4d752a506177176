import type { NetworkOutcome, NetworkState, ShownRequest } from '../e-transfer-network.ts';
import type { RefusalReason } from '../refusal-reason.ts';

/**
 * A payment at the gateway. OPEN → CONFIRMED, when a payer confirms; then, as whoever ordered it
 * takes the report or not, SETTLED at once, ACCEPTED until it settles or is REFUSED, or CANCELLED.
 * An open one can also be REFUSED or CANCELLED. A CANCELLED one is OPEN again, as a new payment,
 * when it is ordered again. OPEN → ASKED while an institution does not answer; then OPEN again, so
 * that the payer may choose another institution, or REFUSED. Others see ASKED as OPEN.
 */
export type GatewayState =
  | 'OPEN'
  | 'ASKED'
  | 'CONFIRMED'
  | 'ACCEPTED'
  | 'SETTLED'
  | 'REFUSED'
  | 'CANCELLED';

export interface GatewayPayment extends ShownRequest {
  readonly id: string;
  readonly state: GatewayState;
  readonly refusalReason: RefusalReason | null;
  /** Its name; from the confirmation on. */
  readonly institution: string | null;
  readonly networkReference: string | null;
  readonly confirmedAt: Date | null;
  /** null: settles with the confirmation. */
  readonly settlesAt: Date | null;
  readonly failedSignIns: number;
  /** Refusals that payers could correct. */
  readonly refusals: number;
  /** The id of the session that confirmed, declined or was refused for good. */
  readonly decidedBy: Buffer | null;
}

/**
 * Refusals of a payment that payers may correct; the last refuses the payment. A payer has two or
 * three accounts to pay from, and a holder of stolen credentials tries no more than three. With
 * five sign-ins at each, a payment takes 15 wrong passwords at most (decision 0036).
 */
export const MOST_REFUSALS = 3;

/** The report that a payment owes, and the state after each answer; null: nothing to report. */
export function reportOf(payment: GatewayPayment): {
  readonly outcome: NetworkOutcome;
  readonly isRevocable: boolean;
  readonly ifTaken: GatewayState;
  readonly ifNotTaken: GatewayState;
} | null {
  const { state, settlesAt } = payment;
  if (state === 'CONFIRMED') {
    // No money has moved yet: it does when the report is taken, and else never.
    return settlesAt === null
      ? {
          outcome: successOf(payment),
          isRevocable: true,
          ifTaken: 'SETTLED',
          ifNotTaken: 'CANCELLED',
        }
      : {
          outcome: { state: 'ACCEPTED' },
          isRevocable: true,
          ifTaken: 'ACCEPTED',
          ifNotTaken: 'CANCELLED',
        };
  }
  const outcome = stateOf(payment);
  if (outcome.state !== 'SUCCEEDED' && outcome.state !== 'REFUSED') return null;
  return { outcome, isRevocable: false, ifTaken: state, ifNotTaken: state };
}

/** The network's answer to a question for the state of a payment. */
export function stateOf(payment: GatewayPayment): NetworkState {
  switch (payment.state) {
    case 'OPEN':
    case 'ASKED':
    // Not decided yet: the report is on its way.
    case 'CONFIRMED':
      return { state: 'OPEN' };
    case 'CANCELLED':
      return { state: 'CANCELLED' };
    case 'ACCEPTED':
      return { state: 'ACCEPTED' };
    case 'SETTLED':
      return successOf(payment);
    case 'REFUSED':
      return { state: 'REFUSED', reason: payment.refusalReason ?? 'NETWORK_REJECTED' };
  }
}

function successOf(payment: GatewayPayment): NetworkOutcome {
  const { amountCents, currency, institution, networkReference } = payment;
  const completedAt = payment.settlesAt ?? payment.confirmedAt;
  if (institution === null || networkReference === null || completedAt === null) {
    throw new Error(`The gateway payment ${payment.id} is ${payment.state} and unconfirmed.`);
  }
  return { state: 'SUCCEEDED', amountCents, currency, institution, networkReference, completedAt };
}
