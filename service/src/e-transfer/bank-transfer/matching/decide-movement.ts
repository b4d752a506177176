import type { Movement, MovementOutcome } from '../entries/model/movement.ts';
import { isOurReference } from '../references/creditor-reference.ts';
import { isNamedBy } from './same-money.ts';

/** A payment request that this network shows, as its row is locked. */
export interface ShownRequest {
  readonly paymentRequestId: string;
  readonly reference: string;
  /** The account that its page shows, as movements name it. */
  readonly account: string;
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
}

export type DecidedMovement = Pick<
  Movement,
  | 'id'
  | 'account'
  | 'direction'
  | 'amountCents'
  | 'currency'
  | 'bookingDate'
  | 'creditorReferences'
  | 'endToEndHash'
  | 'bankReference'
  | 'entryReference'
  | 'batchReference'
  | 'isConfirmed'
  | 'isReturn'
  | 'outcome'
  | 'paymentRequestId'
  | 'returnedId'
  | 'details'
>;

export interface MatchingFacts {
  /** By their references. */
  readonly requests: ReadonlyMap<string, ShownRequest>;
  /** The decided movements of a payment request. */
  readonly movementsOf: (paymentRequestId: string) => readonly DecidedMovement[];
  /** Incoming movements that a debit of their account names without a reference of ours. */
  readonly creditsLike: (debit: DecidedMovement) => readonly DecidedMovement[];
  /** BANK_MAX_AUTOMATIC */
  readonly maxAutomaticCents: number;
}

export interface Decision {
  readonly outcome: MovementOutcome;
  readonly paymentRequestId: string | null;
  readonly candidates: readonly string[];
  readonly sumCents: number | null;
  readonly summed: readonly string[];
  readonly returnedId: string | null;
}

/** The movements that make up the sum of a payment request. */
const SUMMED: ReadonlySet<MovementOutcome> = new Set(['PART', 'EXACT', 'EXCESS']);

/**
 * Decides about money by the table of bank-transfer §4: by a reference, on the account that its
 * payment request shows, never by a guess.
 *
 * @returns null for an ordinary entry, which is none of ours
 */
export function decideMovement(movement: DecidedMovement, facts: MatchingFacts): Decision | null {
  const decision =
    movement.direction === 'CREDIT' ? decideCredit(movement, facts) : decideDebit(movement, facts);
  if (decision === null || movement.isConfirmed) return decision;
  // Without the bank's reference the same money may be another movement yet (bank-transfer §3).
  const isFirst = decision.outcome === 'EXACT' && decision.sumCents === movement.amountCents;
  return isFirst ? decision : waiting(decision);
}

/** The statement of the day decides about the money. */
export function waiting(decision: Decision): Decision {
  return { ...decision, outcome: 'WAITING', sumCents: null, summed: [], returnedId: null };
}

/** An operator decides about money whose messages contradict each other. */
export function withoutMatch({ direction }: DecidedMovement, decision: Decision): Decision {
  const { paymentRequestId, candidates } = decision;
  return {
    ...NOTHING,
    outcome: direction === 'CREDIT' ? 'AMBIGUOUS_REFERENCE' : 'REFUNDED_OUTSIDE',
    candidates: paymentRequestId === null ? candidates : [paymentRequestId],
  };
}

const NOTHING = {
  paymentRequestId: null,
  candidates: [],
  sumCents: null,
  summed: [],
  returnedId: null,
};

function decideCredit(movement: DecidedMovement, facts: MatchingFacts): Decision | null {
  const { creditorReferences, amountCents, account, currency } = movement;
  const known = requestsOf(movement, facts);
  const [request, ...others] = known;
  if (!request) {
    const isOurs = creditorReferences.some(isOurReference);
    return isOurs ? { ...NOTHING, outcome: 'UNMATCHED_MONEY' } : null;
  }
  const candidates = known.map(({ paymentRequestId }) => paymentRequestId);
  // Money that the merchant had sent comes back: no payer has paid.
  if (movement.isReturn) return { ...NOTHING, outcome: 'UNMATCHED_MONEY', candidates };
  // Nothing says which amount of the entry belongs to the reference (bank-transfer §3).
  if (others.length > 0 || movement.details.length > 0) {
    return { ...NOTHING, outcome: 'AMBIGUOUS_REFERENCE', candidates };
  }
  const { paymentRequestId } = request;
  const about = { ...NOTHING, paymentRequestId };
  if (request.account !== account) return { ...about, outcome: 'WRONG_ACCOUNT' };
  if (request.currency !== currency) return { ...about, outcome: 'OTHER_CURRENCY' };
  const { receivedCents, isSettled, summed } = sumOf(facts.movementsOf(paymentRequestId));
  if (isSettled) return { ...about, outcome: 'SECOND' };
  const sumCents = receivedCents + amountCents;
  if (sumCents > facts.maxAutomaticCents) return { ...about, outcome: 'AMOUNT_ABOVE_LIMIT' };
  if (sumCents < request.amountCents) return { ...about, outcome: 'PART' };
  return {
    ...about,
    sumCents,
    summed: [...summed, movement.id],
    outcome: sumCents === request.amountCents ? 'EXACT' : 'EXCESS',
  };
}

/** A merchant may pay another one: a debit is ours only on the account that the request shows. */
function decideDebit(movement: DecidedMovement, facts: MatchingFacts): Decision | null {
  const known = requestsOf(movement, facts).filter(({ account }) => account === movement.account);
  const [request, ...others] = known;
  if (others.length > 0 || (request && movement.details.length > 0)) {
    const candidates = known.map(({ paymentRequestId }) => paymentRequestId);
    return { ...NOTHING, outcome: 'REFUNDED_OUTSIDE', candidates };
  }
  if (request) {
    const { paymentRequestId } = request;
    const about = { ...NOTHING, paymentRequestId };
    if (!movement.isReturn) return { ...about, outcome: 'REFUNDED_OUTSIDE' };
    const returned = findReturned(movement, facts, paymentRequestId);
    return { ...about, outcome: 'RETURNED', returnedId: returned?.id ?? null };
  }
  return movement.isReturn ? decideReturn(movement, facts) : null;
}

/** A return that names no payment request of its account; several possible ones are a case. */
function decideReturn(movement: DecidedMovement, facts: MatchingFacts): Decision | null {
  const { amountCents, creditorReferences } = movement;
  const equal = facts.creditsLike(movement).filter((each) => each.amountCents === amountCents);
  const isReturned = ({ id, paymentRequestId }: DecidedMovement) =>
    paymentRequestId !== null &&
    facts.movementsOf(paymentRequestId).some(({ returnedId }) => returnedId === id);
  const open = equal.filter((each) => !isReturned(each));
  const possible = open.length > 0 ? open : equal;
  const [returned, ...more] = possible;
  if (returned && returned.paymentRequestId !== null && more.length === 0) {
    const { id, paymentRequestId } = returned;
    return { ...NOTHING, outcome: 'RETURNED', paymentRequestId, returnedId: id };
  }
  const isNamed = creditorReferences.some(
    (each) => isOurReference(each) || facts.requests.has(each),
  );
  if (!returned && !isNamed) return null;
  const candidates = possible.flatMap(({ paymentRequestId }) => paymentRequestId ?? []);
  return { ...NOTHING, outcome: 'REFUNDED_OUTSIDE', candidates: [...new Set(candidates)] };
}

function requestsOf(
  { creditorReferences }: DecidedMovement,
  { requests }: MatchingFacts,
): readonly ShownRequest[] {
  const found = creditorReferences.flatMap((reference) => requests.get(reference) ?? []);
  return [...new Map(found.map((each) => [each.paymentRequestId, each])).values()];
}

/** The sum that a payment request has, less the money that was taken back. */
export function sumOf(movements: readonly DecidedMovement[]): {
  readonly receivedCents: number;
  readonly isSettled: boolean;
  /** The movements that were not taken back in whole. */
  readonly summed: readonly string[];
} {
  const summed = movements.filter(({ outcome }) => SUMMED.has(outcome));
  const ids = new Set(summed.map(({ id }) => id));
  const received = summed.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const returns = movements
    .filter(({ outcome }) => outcome === 'RETURNED')
    .filter(({ returnedId }) => returnedId === null || ids.has(returnedId));
  const returned = returns.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const isWhole = ({ id, amountCents }: DecidedMovement) =>
    !returns.some((each) => each.returnedId === id && each.amountCents >= amountCents);
  return {
    receivedCents: Math.max(0, received - returned),
    isSettled: summed.some(({ outcome }) => outcome === 'EXACT'),
    summed: summed.filter(isWhole).map(({ id }) => id),
  };
}

/**
 * The references of the debit decide, then an equal amount; a movement is returned once. A
 * corrected booking has no payment request: the smaller one that it corrects stands for it.
 */
function findReturned(
  debit: DecidedMovement,
  facts: MatchingFacts,
  paymentRequestId: string,
): DecidedMovement | null {
  const movements = facts.movementsOf(paymentRequestId);
  const returned = new Set(movements.map(({ returnedId }) => returnedId));
  const isEnough = ({ amountCents }: DecidedMovement) => amountCents >= debit.amountCents;
  const isCorrected = facts
    .creditsLike(debit)
    .some((each) => each.paymentRequestId === null && isEnough(each));
  const open = movements.filter(
    (each) =>
      each.direction === 'CREDIT' &&
      !returned.has(each.id) &&
      (isEnough(each) || (isCorrected && isNamedBy(debit, each))),
  );
  const named = open.filter((credit) => isNamedBy(debit, credit));
  const equal = (named.length > 0 ? named : open).filter(
    ({ amountCents }) => amountCents === debit.amountCents,
  );
  const summed = equal.find(({ outcome }) => SUMMED.has(outcome));
  return summed ?? equal[0] ?? (named.length === 1 ? (named[0] ?? null) : null);
}
