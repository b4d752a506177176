import type { Refund, RefundCause } from '#refunds/model/refund.ts';
import { REFUND_STATUS_REASONS, type RefundReasonCode } from '#refunds/model/statuses.ts';
import { N_RULE, OUTCOME_SECONDS, readSeconds } from '../outcomes.ts';

/** A simulated refund is handed over early, so that PROCESSING can be seen. */
export const HAND_OVER_SECONDS = 2;

/** The simulation of a refund. */
interface RefundPlan {
  readonly outcomeSeconds: number;
  /** null: the refund is COMPLETED. */
  readonly failsWith: RefundReasonCode | null;
  /** The money comes back after the completion. */
  readonly isReturned: boolean;
}

const USUAL: RefundPlan = {
  outcomeSeconds: OUTCOME_SECONDS,
  failsWith: null,
  isReturned: false,
};

/** The reason codes that a network can give; the others belong to this service. */
export const REFUND_FAILURE_CODES = Object.keys(REFUND_STATUS_REASONS).filter(
  (code) => code !== 'PAYMENT_RETURNED' && code !== 'REFUND_RETURNED',
) as RefundReasonCode[];

const NAMES = ['refundFail', 'refundSlow', 'refundReturned'] as const;

/** The plan that a message asks for; null: the parameter of a name is wrong. */
function findPlan(message: string | null): RefundPlan | null {
  const [name, ...rest] = (message ?? '').split(':');
  const [code, ...others] = name === 'refundFail' ? rest : [undefined, ...rest];
  const outcomeSeconds = others.length > 0 ? readSeconds(others.join(':')) : OUTCOME_SECONDS;
  const plan = outcomeSeconds === null ? null : { ...USUAL, outcomeSeconds };
  switch (name) {
    case 'refundFail': {
      const failsWith = REFUND_FAILURE_CODES.find((each) => each === code);
      return plan && failsWith ? { ...plan, failsWith } : null;
    }
    case 'refundSlow':
      return others.length > 0 ? plan : null;
    case 'refundReturned':
      return plan && { ...plan, isReturned: true };
    default:
      return USUAL;
  }
}

/** The plan of the simulator for a message (contract §11); any other message is COMPLETED. */
function planOf(message: string | null): RefundPlan {
  return findPlan(message) ?? USUAL;
}

/** The seconds from the creation of a refund to its first step. */
export function secondsToFirstStep(message: string | null): number {
  return Math.min(HAND_OVER_SECONDS, planOf(message).outcomeSeconds);
}

export interface RefundStep {
  readonly cause: RefundCause;
  /** The seconds until the next step; null: this is the last. */
  readonly nextSeconds: number | null;
}

/** The step that is due for a refund of this status; null: none is left. */
export function nextStep(refund: Refund, now: Date): RefundStep | null {
  const { outcomeSeconds, failsWith, isReturned } = planOf(refund.message);
  switch (refund.status) {
    case 'CREATED': {
      const nextSeconds = outcomeSeconds - secondsToFirstStep(refund.message);
      return { cause: { name: 'HANDED_OVER' }, nextSeconds };
    }
    case 'PROCESSING':
      if (failsWith)
        return { cause: { name: 'REFUSED', reasonCode: failsWith }, nextSeconds: null };
      return {
        cause: { name: 'EXECUTED', movement: movementOf('OUT', refund), completedAt: now },
        nextSeconds: isReturned ? outcomeSeconds : null,
      };
    case 'COMPLETED':
      if (!isReturned) return null;
      return {
        cause: { name: 'MONEY_CAME_BACK', movement: movementOf('BACK', refund) },
        nextSeconds: null,
      };
    case 'FAILED':
      return null;
  }
}

/** A repeat gives an equal reference; the end of an identifier is its random part. */
export function movementOf(direction: 'OUT' | 'BACK', { id }: Refund) {
  const prefix = direction === 'OUT' ? 'SIM-R' : 'SIM-B';
  const networkReference = `${prefix}${id.slice(-12).toUpperCase()}`;
  return { networkReference, bankReference: null, bookingDate: null };
}

/** How each name is written, and its parameter in words. */
const FORMS: Readonly<Record<(typeof NAMES)[number], string>> = {
  refundFail:
    `refundFail:CODE with CODE as ${REFUND_FAILURE_CODES.join(', ')}, ` +
    `or refundFail:CODE:N with ${N_RULE}`,
  refundSlow: `refundSlow:N with ${N_RULE}`,
  refundReturned: `refundReturned or refundReturned:N with ${N_RULE}`,
};

/** The fault of a message with the name of an outcome and a wrong parameter; null: no fault. */
export function faultOfMessage(message: string): string | null {
  const [written] = message.split(':');
  const name = NAMES.find((each) => each === written);
  return name && !findPlan(message) ? `Write ${FORMS[name]}.` : null;
}

/**
 * Warns of a message that nearly drives the simulator; null: no warning. The text is ASCII without
 * the message, as it is a header of the answer.
 */
export function warnOfMessage(message: string | null): string | null {
  const [written = ''] = (message ?? '').split(':');
  const plain = written.replace(/\s/g, '').toLowerCase();
  const name = NAMES.find((each) => each.toLowerCase() === plain);
  if (!name || name === written) return null;
  return (
    `message differs from ${name} only by case or spaces, so the refund is COMPLETED as usual. ` +
    `Write ${FORMS[name]}.`
  );
}
