import type { DatabaseDeps, Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { BankMetrics } from '#telemetry/metrics/bank-metrics.ts';
import type { MatchRefundEntries, RefundEntry } from '../entries/model/refund-entry.ts';
import { openParty, sealParty } from '../entries/party-box.ts';
import { takeProofs } from '../etransfer/take-proofs.ts';
import { markTransfersAnnounced, notifyOfTransferChanges } from '../request-store.ts';
import {
  findClaims,
  findWaitingEntries,
  lockAccounts,
  lockFile,
  markEntriesMatched,
  type WaitingEntry,
} from './entry-store.ts';
import {
  findCreditsByEndToEnd,
  findKnownMovements,
  findMovementsOf,
  findTakenReferences,
  insertMovements,
  type StoredMovement,
  saveCorrections,
  updateMovements,
} from './movement-store.ts';
import {
  type BatchFacts,
  type MatchPlan,
  type PlannedMovement,
  planMatches,
} from './plan-matches.ts';
import { findCandidates, lockShownRequests } from './request-store.ts';
import { nearDaysOf } from './same-money.ts';

/** Some 50 ms a transaction: the feed and the pages wait no longer (bank-transfer §3). */
const ENTRIES_AT_ONCE = 100;

export interface MatchEntriesDeps extends DatabaseDeps {
  readonly log: Log;
  readonly metrics: BankMetrics;
  readonly secretsKey: RotatingKey;
  /** BANK_MAX_AUTOMATIC */
  readonly maxAutomaticCents: number;
  /** null: this deployment sends no refunds. */
  readonly matchRefundEntries: MatchRefundEntries | null;
}

/**
 * Matches the next entries of a staged file, each once: the transaction that decides about an entry
 * also marks it (bank-transfer §4).
 *
 * @returns whether entries are left
 */
export async function matchNextEntries(deps: MatchEntriesDeps, fileId: string): Promise<boolean> {
  const waiting = await findWaitingEntries(deps.db, fileId, ENTRIES_AT_ONCE);
  if (waiting.length === 0) return false;
  const refundEntries = await takeRefundEntries(deps, waiting);
  const done = await deps.db.transaction(async (tx) => {
    // A process that reads the file on for further accounts matches the rest.
    if ((await lockFile(tx, fileId)) !== 'STAGED') return 'OVER';
    // Another process may have matched some of them meanwhile.
    const entries = await findWaitingEntries(tx, fileId, ENTRIES_AT_ONCE);
    const known = new Set(waiting.map(({ id }) => id));
    return entries.every(({ id }) => known.has(id))
      ? matchLocked(tx, deps, entries, refundEntries)
      : null;
  });
  if (done === 'OVER') return false;
  if (done) await publish(deps, done);
  return true;
}

interface Done {
  readonly plan: MatchPlan;
  readonly pageKeys: readonly string[];
}

async function matchLocked(
  tx: Executor,
  deps: MatchEntriesDeps,
  entries: readonly WaitingEntry[],
  refundEntries: ReadonlySet<string>,
): Promise<Done> {
  const facts = await readFacts(tx, entries);
  const shown = new Set(facts.requests.map(({ reference }) => reference));
  const own = await takeProofs(tx, entries, (reference) => shown.has(reference));
  const plan = planMatches(own, {
    ...facts,
    now: deps.clock.now(),
    maxAutomaticCents: deps.maxAutomaticCents,
    refundEntries,
  });
  const boxes = new Map(facts.movements.map(({ id, partyBox }) => [id, partyBox]));
  const seal = (planned: PlannedMovement) => sealed(deps.secretsKey, planned, boxes);
  await insertMovements(tx, await completed(tx, plan.created.map(seal)));
  await updateMovements(tx, plan.changed.map(seal));
  await saveCorrections(tx, plan.corrections);
  await markEntriesMatched(
    tx,
    plan.entries.map(({ entry, outcome, movementId }) => ({ id: entry.id, outcome, movementId })),
  );
  return { plan, pageKeys: await markTransfersAnnounced(tx, plan.announced) };
}

type ReadFacts = Pick<BatchFacts, 'requests' | 'claims'> & {
  readonly movements: readonly StoredMovement[];
};

async function readFacts(tx: Executor, entries: readonly WaitingEntry[]): Promise<ReadFacts> {
  await lockAccounts(tx, [...new Set(entries.map(({ account }) => account))]);
  const references = entries.flatMap(({ creditorReferences }) => creditorReferences);
  const hashesOf = (some: readonly WaitingEntry[]) =>
    some.flatMap(({ endToEndHash }) => endToEndHash ?? []);
  const known = await findKnownMovements(tx, {
    bankReferences: entries.flatMap(({ bankReference }) => bankReference ?? []),
    // The sum of a batch has as its own reference what its listed payments have as the entry's.
    entryReferences: entries.flatMap((each) => each.entryReference ?? each.bankReference ?? []),
    batchReferences: entries.flatMap(({ batchReference }) => batchReference ?? []),
    endToEndHashes: hashesOf(entries),
    creditorReferences: references,
    bookingDates: nearDaysOf(entries.flatMap(({ bookingDate }) => bookingDate ?? [])),
  });
  // An entry may confirm money whose reference only an earlier message has.
  const waiting = known.filter(({ outcome }) => outcome === 'WAITING');
  const named = [...references, ...waiting.flatMap((each) => each.creditorReferences)];
  const requests = named.length > 0 ? await lockShownRequests(tx, named) : [];
  const returns = entries.filter((each) => each.direction === 'DEBIT' && mayReturn(each));
  const credits = returns.length > 0 ? await findCreditsByEndToEnd(tx, hashesOf(returns)) : [];
  const matched = [...known, ...credits].flatMap((each) => each.paymentRequestId ?? []);
  const ids = new Set([...requests.map(({ paymentRequestId: id }) => id), ...matched]);
  const ofRequests = ids.size > 0 ? await findMovementsOf(tx, [...ids]) : [];
  const all = [...known, ...credits, ...ofRequests];
  const movements = [...new Map(all.map((each) => [each.id, each])).values()];
  const statementIds = [...new Set(entries.map(({ statementId }) => statementId))];
  const claims = await findClaims(
    tx,
    movements.map(({ id }) => id),
    statementIds,
  );
  return { requests, movements, claims };
}

const mayReturn = ({ isReturn, isReversal }: WaitingEntry): boolean => isReturn || isReversal;

/** Moves the other side's box from the entry to the movement. */
function sealed(
  key: RotatingKey,
  { movement, partyOf }: PlannedMovement,
  boxes: ReadonlyMap<string, Buffer | null>,
): StoredMovement {
  const known = boxes.get(movement.id) ?? null;
  if (known !== null || !partyOf) return { ...movement, partyBox: known };
  const party = openParty(key, partyOf.id, partyOf.partyBox);
  return { ...movement, partyBox: sealParty(key, movement.id, party) };
}

/** Network references are unique for ever, and unknown references get hints. */
async function completed(
  tx: Executor,
  created: readonly StoredMovement[],
): Promise<StoredMovement[]> {
  const wanted = created.map(({ networkReference }) => networkReference);
  const taken = new Set(created.length > 0 ? await findTakenReferences(tx, wanted) : []);
  const unknown = created.filter(({ outcome }) => outcome === 'UNMATCHED_MONEY');
  const hints = await findCandidates(tx, unknown);
  return created.map((movement) => {
    const { networkReference: asked, id } = movement;
    const networkReference = taken.has(asked) ? id : asked;
    taken.add(networkReference);
    const hinted = hints[unknown.indexOf(movement)] ?? [];
    const candidates = movement.candidates.length > 0 ? movement.candidates : hinted;
    return { ...movement, networkReference, candidates };
  });
}

/** Refunds come first in the order of matching; their reports may be repeated. */
async function takeRefundEntries(
  { matchRefundEntries, clock }: MatchEntriesDeps,
  entries: readonly WaitingEntry[],
): Promise<ReadonlySet<string>> {
  const possible = entries.filter(
    ({ isBooked, refundIds, messageIds }) => isBooked && refundIds.length + messageIds.length > 0,
  );
  if (possible.length === 0 || !matchRefundEntries) return new Set();
  return matchRefundEntries(possible.map((entry) => refundEntryOf(entry, clock.now())));
}

function refundEntryOf(entry: WaitingEntry, now: Date): RefundEntry {
  const { direction, amountCents, currency, account, bankReference, bookingDate } = entry;
  const { refundIds, messageIds, feeCents, statedCents } = entry;
  return {
    entryId: entry.id,
    refundIds,
    messageIds,
    direction,
    amountCents,
    feeCents,
    statedCents,
    currency,
    account,
    bankReference,
    bookingDate,
    bookedAt: entry.bookedAt ?? (bookingDate ? new Date(`${bookingDate}T00:00:00Z`) : now),
    isReturn: mayReturn(entry),
    isOfRequest: entry.creditorReferences.length > 0,
  };
}

async function publish(
  { db, metrics, log }: MatchEntriesDeps,
  { plan, pageKeys }: Done,
): Promise<void> {
  const counts = new Map<string, number>();
  for (const { outcome } of plan.entries) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  for (const [outcome, count] of counts) metrics.bankEntriesMatched(outcome, count);
  if (plan.unlistedBatches > 0) {
    metrics.bankAlert('BATCH_WITHOUT_PAYMENTS');
    log.warn({ count: plan.unlistedBatches }, 'bank batches whose payments are not listed yet');
  }
  await notifyOfTransferChanges(db, pageKeys);
}
