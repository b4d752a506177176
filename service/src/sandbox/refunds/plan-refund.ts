import type { Refund, RefundCause } from '#refunds/model/refund.ts';
import { REFUND_STATUS_REASONS, type RefundReasonCode } from '#refunds/model/statuses.ts';

/** A simulated refund is handed over early, so that PROCESSING can be seen. */
const HAND_OVER_SECONDS = 2;
/** Contract §11: "about 10 s". */
const OUTCOME_SECONDS = 10;
const MOST_SECONDS = 3_600;

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
const FAILURE_CODES = Object.keys(REFUND_STATUS_REASONS).filter(
  (code) => code !== 'PAYMENT_RETURNED' && code !== 'REFUND_RETURNED',
) as RefundReasonCode[];

const NAMES = ['refundFail', 'refundSlow', 'refundReturned'] as const;

/** The plan that a message asks for; null: the parameter of a name is wrong. */
function findPlan(message: string | null): RefundPlan | null {
  const [name, ...rest] = (message ?? '').split(':');
  const parameter = rest.length > 0 ? rest.join(':') : null;
  switch (name) {
    case 'refundFail': {
      const failsWith = FAILURE_CODES.find((code) => code === parameter);
      return failsWith ? { ...USUAL, failsWith } : null;
    }
    case 'refundSlow': {
      const seconds = /^\d{1,4}$/.test(parameter ?? '') ? Number(parameter) : Number.NaN;
      return seconds <= MOST_SECONDS ? { ...USUAL, outcomeSeconds: seconds } : null;
    }
    case 'refundReturned':
      return parameter === null ? { ...USUAL, isReturned: true } : null;
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
        nextSeconds: isReturned ? OUTCOME_SECONDS : null,
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
function movementOf(direction: 'OUT' | 'BACK', { id }: Refund) {
  const prefix = direction === 'OUT' ? 'SIM-R' : 'SIM-B';
  const networkReference = `${prefix}${id.slice(-12).toUpperCase()}`;
  return { networkReference, bankReference: null, bookingDate: null };
}

/** How each name is written, and its parameter in words. */
const FORMS: Readonly<Record<(typeof NAMES)[number], string>> = {
  refundFail: `refundFail:CODE with CODE as ${FAILURE_CODES.join(', ')}`,
  refundSlow: `refundSlow:N with N as whole seconds from 0 to ${MOST_SECONDS}`,
  refundReturned: 'refundReturned alone: it takes nothing after a colon',
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
