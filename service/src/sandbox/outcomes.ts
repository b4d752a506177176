import type { ProblemCode } from '#lib/problem.ts';
import {
  type CauseName,
  findTransition,
  type RefusalReasonCode,
  STATUS_REASONS,
  type Status,
} from '#payment-requests/model/statuses.ts';

/** The cause of a step, and whether its money comes on time or late. */
export const ACTIONS = {
  ACCEPT: { cause: 'PAYMENT_ACCEPTED', isLate: false },
  SUCCEED: { cause: 'PAYMENT_SUCCEEDED', isLate: false },
  REFUSE: { cause: 'PAYMENT_REFUSED', isLate: false },
  EXPIRE: { cause: 'EXPIRY_PASSED', isLate: false },
  /** The money arrives though the request is over. */
  SUCCEED_LATE: { cause: 'PAYMENT_SUCCEEDED', isLate: true },
} as const satisfies Readonly<Record<string, { cause: CauseName; isLate: boolean }>>;

export type Action = keyof typeof ACTIONS;

/**
 * Whether the table of transitions has the step in this status. Otherwise a step does nothing: the
 * simulator does not pay a request that the merchant has cancelled in the meantime.
 */
export function isPossibleIn(status: Status, action: Action): boolean {
  const { cause, isLate } = ACTIONS[action];
  const transition = findTransition(status, cause);
  return transition !== undefined && (transition.paidLate ?? false) === isLate;
}

export interface Step {
  /** Counted since the answer of the create call. */
  readonly afterSeconds: number;
  readonly action: Action;
  /** With REFUSE only. */
  readonly reasonCode?: RefusalReasonCode;
}

/** The simulation that a payer's name asks for. */
export type Simulation =
  /** An ordinary name: the request stays CREATED. */
  | { readonly kind: 'NONE' }
  | { readonly kind: 'STEPS'; readonly steps: readonly Step[] }
  /** The create call itself answers this problem. */
  | { readonly kind: 'PROBLEM'; readonly code: ProblemCode }
  /** The part after the colon is bad; a sentence that says what to write. */
  | { readonly kind: 'FAULT'; readonly message: string };

/** Takes the part after the colon; null when there is no colon. */
type Outcome = (parameter: string | null) => Simulation;

/** Contract §8: "about 10 s", and the earlier and later moments of outcomes with two steps. */
export const OUTCOME_SECONDS = 10;
const PROCESSING_SECONDS = 5;
const LATE_SECONDS = 20;
/** Longer waits belong to no test: a call advances the time of a payment request. */
export const MOST_SECONDS = 3_600;
/** The parameter N in words. */
export const N_RULE = `N as whole seconds from 0 to ${MOST_SECONDS}`;

/** Refusals that a payer, an institution or the network can give; the others are our own. */
export const REFUSAL_CODES = (
  Object.keys(STATUS_REASONS) as (keyof typeof STATUS_REASONS)[]
).filter(
  (code): code is RefusalReasonCode => code !== 'LINK_EXPIRED' && code !== 'CANCELLED_BY_MERCHANT',
);

/** `createError:STATUS` → the problem that the create call answers. */
export const CREATE_ERRORS: ReadonlyMap<string, ProblemCode> = new Map([
  ['400', 'VALIDATION_ERROR'],
  ['401', 'ACCESS_TOKEN_EXPIRED'],
  ['403', 'MERCHANT_SUSPENDED'],
  ['409', 'DUPLICATE_MERCHANT_TRANSACTION_ID'],
  ['429', 'RATE_LIMITED'],
  ['500', 'INTERNAL_ERROR'],
  ['503', 'TEMPORARILY_UNAVAILABLE'],
]);

const paid: Step = { afterSeconds: OUTCOME_SECONDS, action: 'SUCCEED' };
const declined: Step = {
  afterSeconds: OUTCOME_SECONDS,
  action: 'REFUSE',
  reasonCode: 'PAYER_DECLINED',
};
const expired: Step = { afterSeconds: OUTCOME_SECONDS, action: 'EXPIRE' };
const accepted: Step = { afterSeconds: PROCESSING_SECONDS, action: 'ACCEPT' };

/** Every name that means something in the sandbox (contract §8). */
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map<string, Outcome>([
  ['depositSubmit', timed('depositSubmit', paid)],
  ['depositDecline', timed('depositDecline', declined)],
  ['depositFail', refusedWith],
  ['depositExpire', timed('depositExpire', expired)],
  ['depositProcessing', timed('depositProcessing', accepted, paid)],
  ['depositProcessingFail', timed('depositProcessingFail', accepted, declined)],
  [
    'depositLate',
    timed('depositLate', expired, { afterSeconds: LATE_SECONDS, action: 'SUCCEED_LATE' }),
  ],
  // These three differ only in how their webhook is delivered: misbehaviour-of.ts.
  ['depositDuplicate', timed('depositDuplicate', paid)],
  ['depositBadSignature', timed('depositBadSignature', paid)],
  ['depositNoWebhook', timed('depositNoWebhook', paid)],
  ['createError', refusedCreation],
]);

/** The names that mean something, for tests and documentation. */
export const OUTCOME_NAMES: readonly string[] = [...OUTCOMES.keys()];

/** The simulation of a payment request whose payer has this name (contract §8). */
export function planSimulation(payerName: string): Simulation {
  const colon = payerName.indexOf(':');
  const name = colon === -1 ? payerName : payerName.slice(0, colon);
  const parameter = colon === -1 ? null : payerName.slice(colon + 1);
  return OUTCOMES.get(name)?.(parameter) ?? { kind: 'NONE' };
}

/**
 * The name of contract §8 that the payer's name has but for case and blanks: probably a mistake of
 * the integrator, who waits for an outcome that never comes. null: the name means what it says.
 */
export function findMisspelledName(payerName: string): string | null {
  const [name = ''] = payerName.split(':');
  if (OUTCOMES.has(name)) return null;
  const plain = name.replace(/\s/g, '').toLowerCase();
  return OUTCOME_NAMES.find((each) => each.toLowerCase() === plain) ?? null;
}

/** Reads N; null: the text is no N. */
export function readSeconds(text: string): number | null {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return seconds <= MOST_SECONDS ? seconds : null;
}

/** With `:N` an outcome comes after N seconds, and its other steps move in proportion. */
function timed(name: string, ...steps: readonly Step[]): Outcome {
  return (parameter) => {
    const seconds = parameter === null ? OUTCOME_SECONDS : readSeconds(parameter);
    if (seconds === null) return { kind: 'FAULT', message: `Write ${name}:N with ${N_RULE}.` };
    const afterSeconds = (step: Step) => (step.afterSeconds * seconds) / OUTCOME_SECONDS;
    return {
      kind: 'STEPS',
      steps: steps.map((step) => ({ ...step, afterSeconds: afterSeconds(step) })),
    };
  };
}

function refusedWith(parameter: string | null): Simulation {
  const [written, ...rest] = (parameter ?? '').split(':');
  const reasonCode = REFUSAL_CODES.find((code) => code === written);
  const seconds = rest.length > 0 ? readSeconds(rest.join(':')) : OUTCOME_SECONDS;
  if (reasonCode && seconds !== null) {
    return { kind: 'STEPS', steps: [{ ...declined, afterSeconds: seconds, reasonCode }] };
  }
  const codes = `CODE as ${REFUSAL_CODES.join(', ')}`;
  const message = `Write depositFail:CODE with ${codes}, or depositFail:CODE:N with ${N_RULE}.`;
  return { kind: 'FAULT', message };
}

function refusedCreation(parameter: string | null): Simulation {
  const code = CREATE_ERRORS.get(parameter ?? '');
  if (code) return { kind: 'PROBLEM', code };
  const statuses = [...CREATE_ERRORS.keys()].join(', ');
  return { kind: 'FAULT', message: `Write createError:STATUS with STATUS as ${statuses}.` };
}
