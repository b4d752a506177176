import { newId } from '#lib/new-id.ts';
import type { MoneyIdentity, Movement } from '../entries/model/movement.ts';
import {
  type Decision,
  decideMovement,
  type ShownRequest,
  waiting,
  withoutMatch,
} from './decide-movement.ts';
import type { Claim, EntryOutcome, WaitingEntry } from './entry-store.ts';
import { findCorrected, findSameMoney, hasBankReference, isNamedBy } from './same-money.ts';

/** The bank did not say from whom the money came. */
const UNKNOWN_INSTITUTION = 'UNKNOWN';

/** The facts of the database that a batch of entries can need, read under locks. */
export interface BatchFacts {
  readonly now: Date;
  readonly maxAutomaticCents: number;
  /** Entries that are refunds, by their ids: they are done. */
  readonly refundEntries: ReadonlySet<string>;
  readonly requests: readonly ShownRequest[];
  readonly movements: readonly Movement[];
  readonly claims: readonly Claim[];
}

/** A movement, and the entry whose other side it takes over; null: it keeps its own. */
export interface PlannedMovement {
  readonly movement: Movement;
  readonly partyOf: WaitingEntry | null;
}

export interface MatchPlan {
  readonly entries: readonly {
    readonly entry: WaitingEntry;
    readonly outcome: EntryOutcome;
    readonly movementId: string | null;
  }[];
  readonly created: readonly PlannedMovement[];
  readonly changed: readonly PlannedMovement[];
  /** By the ids of movements: the movements that their bookings may correct. */
  readonly corrections: ReadonlyMap<string, readonly string[]>;
  /** Payment requests for which a bank has announced money. */
  readonly announced: readonly string[];
  /** Sums of batches whose payments no message has listed yet. */
  readonly unlistedBatches: number;
}

/** Finds the money of each entry and decides about it, each by the result of those before it. */
export function planMatches(entries: readonly WaitingEntry[], facts: BatchFacts): MatchPlan {
  const batch = createBatch(facts);
  const planned = entries.map((entry) => ({ entry, ...batch.take(entry) }));
  return { entries: planned, ...batch.end() };
}

function createBatch(facts: BatchFacts) {
  const movements = new Map(facts.movements.map((each) => [each.id, each]));
  const requests = new Map(facts.requests.map((each) => [each.reference, each]));
  const claims = claimsOf(facts.claims);
  const created = new Map<string, WaitingEntry>();
  const changed = new Map<string, WaitingEntry>();
  const corrections = new Map<string, readonly string[]>();
  const announced = new Set<string>();
  let unlistedBatches = 0;

  const lookups = { movementsOf: ofRequest(movements), creditsLike: creditsIn(movements) };
  const matchingFacts = { ...facts, requests, ...lookups };
  const decide = (movement: Movement) => decideMovement(movement, matchingFacts);

  const keep = (movement: Movement) => movements.set(movement.id, movement);

  /** Notices that contradict each other wait for the statement of their day. */
  function correct(movement: Movement, entry: WaitingEntry, decision: Decision | null) {
    const corrected = findCorrected(entry, [...movements.values()], claims.of(entry).listed);
    if (decision === null || (corrected.length === 0 && !isUndated(entry))) return decision;
    if (corrected.length > 0 && !isCorrection(entry, corrected)) return waiting(decision);
    if (corrected.length > 0) corrections.set(movement.id, idsOf(corrected));
    return withoutMatch(movement, decision);
  }

  function takeMoney(entry: WaitingEntry): { outcome: EntryOutcome; movementId: string | null } {
    const own = claims.of(entry);
    const same = findSameMoney(entry, [...movements.values()], own);
    if (same) {
      const merged = mergeMessage(same, entry);
      const isDue = same.outcome === 'WAITING' && merged.isConfirmed;
      keep(isDue ? { ...merged, ...correct(merged, entry, decide(merged)) } : merged);
      if (!created.has(same.id)) changed.set(same.id, entry);
      own.add(same.id);
      return { outcome: 'MOVEMENT', movementId: same.id };
    }
    const fresh = movementOf(entry, facts.now);
    const decision = decide(fresh);
    if (!decision) return { outcome: 'ORDINARY', movementId: null };
    keep({ ...fresh, ...correct(fresh, entry, decision) });
    created.set(fresh.id, entry);
    own.add(fresh.id);
    return { outcome: 'MOVEMENT', movementId: fresh.id };
  }

  function take(entry: WaitingEntry): { outcome: EntryOutcome; movementId: string | null } {
    if (facts.refundEntries.has(entry.id)) return { outcome: 'REFUND', movementId: null };
    if (!entry.isBooked) {
      for (const id of announcedBy(entry, requests)) announced.add(id);
      return { outcome: 'PENDING', movementId: null };
    }
    const isKnown = isListed(entry, [...movements.values()]);
    if (entry.isBatchSum || (entry.details.length > 1 && isKnown)) {
      unlistedBatches += isKnown ? 0 : 1;
      return { outcome: 'BATCH_SUM', movementId: null };
    }
    return entry.amountCents === 0 ? { outcome: 'ORDINARY', movementId: null } : takeMoney(entry);
  }

  return {
    take,
    end: () => ({
      created: plannedOf(created, movements),
      changed: plannedOf(changed, movements),
      corrections,
      announced: [...announced],
      unlistedBatches,
    }),
  };
}

function plannedOf(
  entries: ReadonlyMap<string, WaitingEntry>,
  movements: ReadonlyMap<string, Movement>,
): PlannedMovement[] {
  return [...entries].flatMap(([id, partyOf]) => {
    const movement = movements.get(id);
    return movement ? [{ movement, partyOf }] : [];
  });
}

/** Nothing tells money without a day and a bank's reference from its repetition. */
const isUndated = (entry: WaitingEntry): boolean =>
  entry.bookingDate === null && !hasBankReference(entry);

/** The statement alone corrects a booking; a payment may list what did not add up as a whole. */
const isCorrection = ({ kind, details }: WaitingEntry, corrected: readonly Movement[]): boolean =>
  kind === 'camt.053' ||
  (details.length === 0 && corrected.some((each) => each.details.length > 0));

const idsOf = (movements: readonly Movement[]) => movements.map(({ id }) => id);

const ofRequest = (movements: ReadonlyMap<string, Movement>) => (id: string) =>
  [...movements.values()].filter(({ paymentRequestId }) => paymentRequestId === id);

const creditsIn =
  (movements: ReadonlyMap<string, Movement>) =>
  (debit: MoneyIdentity): readonly Movement[] =>
    [...movements.values()].filter(
      (each) =>
        each.account === debit.account && each.direction === 'CREDIT' && isNamedBy(debit, each),
    );

/** The claims of statements and entries; those of this batch are added. */
function claimsOf(known: readonly Claim[]) {
  const sets = new Map<string, Set<string>>();
  const setOf = (key: string) => {
    const found = sets.get(key) ?? new Set<string>();
    sets.set(key, found);
    return found;
  };
  const keysOf = ({ statementId, entryNumber }: Pick<Claim, 'statementId' | 'entryNumber'>) => [
    statementId,
    `${statementId} ${entryNumber}`,
  ];
  for (const claim of known) {
    for (const key of keysOf(claim)) setOf(key).add(claim.movementId);
  }
  return {
    of(place: WaitingEntry) {
      const [statement = new Set<string>(), entry = new Set<string>()] = keysOf(place).map(setOf);
      return {
        // Only the statement of a day lists each payment exactly once (bank-transfer §3).
        statement: place.kind === 'camt.053' ? statement : null,
        entry,
        /** Those of the message, of every kind. */
        listed: statement,
        add(movementId: string): void {
          statement.add(movementId);
          entry.add(movementId);
        },
      };
    },
  };
}

function movementOf(entry: WaitingEntry, now: Date): Movement {
  const { account, direction, amountCents, currency, bookingDate, creditorReferences } = entry;
  const { endToEndHash, bankReference, entryReference, batchReference, returnReason } = entry;
  const id = newId();
  return {
    id,
    account,
    direction,
    amountCents,
    currency,
    bookingDate,
    creditorReferences,
    endToEndHash,
    bankReference,
    entryReference,
    batchReference,
    feeCents: chargesOf(entry),
    details: entry.details,
    bookedAt: bookedAtOf(entry, now),
    networkReference: bankReference ?? id,
    institution: entry.institution ?? UNKNOWN_INSTITUTION,
    isConfirmed: confirms(entry),
    isInStatement: entry.kind === 'camt.053',
    isReturn: entry.isReturn || entry.isReversal,
    returnReason,
    outcome: 'WAITING',
    paymentRequestId: null,
    candidates: [],
    sumCents: null,
    summed: [],
    returnedId: null,
  };
}

/** A later message adds what the earlier ones did not say, and takes nothing back. */
function mergeMessage(movement: Movement, entry: WaitingEntry): Movement {
  const references = [...movement.creditorReferences, ...entry.creditorReferences];
  const isOfStatement = entry.kind === 'camt.053' && !movement.isInStatement;
  return {
    ...movement,
    creditorReferences: [...new Set(references)],
    endToEndHash: movement.endToEndHash ?? entry.endToEndHash,
    bankReference: movement.bankReference ?? entry.bankReference,
    entryReference: movement.entryReference ?? entry.entryReference,
    batchReference: movement.batchReference ?? entry.batchReference,
    // The statement of the day is the truth: the same money of another day is other money then.
    bookingDate: (isOfStatement && entry.bookingDate) || movement.bookingDate,
    feeCents: isOfStatement ? chargesOf(entry) : movement.feeCents,
    isConfirmed: movement.isConfirmed || confirms(entry),
    isInStatement: movement.isInStatement || entry.kind === 'camt.053',
  };
}

/** Notices may mistake one of two equal payments for the other; the statement lists each once. */
function chargesOf({ kind, feeCents }: WaitingEntry): number {
  return kind === 'camt.053' ? feeCents : 0;
}

/** The statement of the day, or the bank's reference, tells the money from every other. */
function confirms(entry: WaitingEntry): boolean {
  return entry.kind === 'camt.053' || hasBankReference(entry);
}

/** A day without a time ends with it; money is never booked later than now. */
function bookedAtOf({ bookedAt, bookingDate }: WaitingEntry, now: Date): Date {
  const instant = bookedAt ?? (bookingDate ? new Date(`${bookingDate}T23:59:59Z`) : now);
  return instant < now ? instant : now;
}

function announcedBy(
  { direction, creditorReferences, account }: WaitingEntry,
  requests: ReadonlyMap<string, ShownRequest>,
): readonly string[] {
  if (direction !== 'CREDIT') return [];
  const found = creditorReferences.flatMap((reference) => requests.get(reference) ?? []);
  return found.filter((each) => each.account === account).map((each) => each.paymentRequestId);
}

/** Whether a message has listed payments of the batch. */
function isListed(sum: WaitingEntry, movements: readonly Movement[]): boolean {
  return movements.some(
    ({ account, batchReference, entryReference }) =>
      account === sum.account &&
      ((batchReference !== null && batchReference === sum.batchReference) ||
        (entryReference !== null && entryReference === sum.bankReference)),
  );
}
