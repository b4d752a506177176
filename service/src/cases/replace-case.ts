import type { Executor } from '#database/database.ts';
import { partReference } from '#e-transfer/money-parts.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import { isId } from '#lib/new-id.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { isCounted, isGone, NO_FACTS } from '#payment-requests/model/money/waiting.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import {
  type KnownMoney,
  type KnownMovement,
  weighKnown,
} from '#payment-requests/network/money/known-money.ts';
import { findMovements, lockMovements } from '#payment-requests/network/money/movement-store.ts';
import { adjustment, planReplacement } from '#payment-requests/network/money/plan-replacement.ts';
import {
  type ChangeStatusDeps,
  changeStatuses,
  type Written,
} from '#payment-requests/status/change-status.ts';
import { openOperatorCases } from '#payment-requests/status/operator-cases.ts';
import { failUncoveredRefunds } from '#refunds/network/fail-uncovered.ts';
import { findCase, findCasesAbout, lockCasesAbout, saveSettlement } from './case-store.ts';
import {
  correctedReferencesOf,
  type OperatorCase,
  referencesOf,
  textIn,
} from './model/operator-case.ts';
import { type LockedCase, type SettleDeps, type SettledCase, settleCase } from './settle-case.ts';

export interface ReplaceAsked {
  /** The earlier booking, by its network reference, where the case names several; else null. */
  readonly movement: string | null;
  readonly note: string | null;
}

/** The earlier booking that a case corrects, and the payment request that has its money. */
export interface Replaced {
  readonly old: KnownMovement;
  /** null: the money waits, and names no single payment request. */
  readonly paymentRequestId: string | null;
}

/**
 * Lets the corrected booking of a case take the place of an earlier one under the same reference of
 * the bank (decision 0115).
 *
 * @throws OperatorFault as `settleCase`, and when there is no earlier booking to replace
 */
export async function replaceCase(
  deps: SettleDeps,
  id: string,
  { movement, note }: ReplaceAsked,
): Promise<SettledCase> {
  const found = isId(id) ? await findCase(deps.db, id) : null;
  if (!found) throw new OperatorFault(`No open case has the id ${id}.`);
  const isOpen = found.closedAt === null;
  const replaced = isOpen ? await findReplaced(deps.db, found, movement) : null;
  const target = replaced?.paymentRequestId ?? null;
  const options = { settlement: 'REPLACED', target, note } as const;
  return settleCase(deps, id, options, (tx, changeDeps, locked) =>
    replace(tx, changeDeps, locked, { movement, target }),
  );
}

interface Chosen {
  readonly movement: string | null;
  /** The payment request that had the money when the act began. */
  readonly target: string | null;
}

interface Replacing {
  readonly old: KnownMovement;
  readonly corrected: KnownMovement;
  /** The open cases of the earlier booking; none when it counts. */
  readonly about: readonly OperatorCase[];
}

async function replace(
  tx: Executor,
  deps: ChangeStatusDeps,
  { operatorCase, paymentRequest }: LockedCase,
  chosen: Chosen,
): Promise<Written & { readonly outcome: string; readonly audited: object }> {
  const replacing = await lockReplacing(tx, deps, operatorCase, chosen);
  const { old, corrected, about } = replacing;
  const written =
    chosen.target === null || !paymentRequest
      ? await hold(tx, deps, operatorCase, replacing)
      : await place(tx, deps, paymentRequest, {
          ...{ old, corrected, institution: textIn(operatorCase, 'institution') },
        });
  for (const { id } of about) await saveSettlement(tx, id, 'REPLACED', deps.clock.now());
  const { networkReference, amountCents } = old;
  const replaced = { networkReference, amountCents, by: corrected.networkReference };
  return { ...written, audited: { replaced, closedCaseIds: about.map(({ id }) => id) } };
}

/** Locks the cases before the movements, as other settlements do. */
async function lockReplacing(
  tx: Executor,
  { settings }: ChangeStatusDeps,
  operatorCase: OperatorCase,
  { movement, target }: Chosen,
): Promise<Replacing> {
  const { id } = operatorCase;
  const before = await findReplaced(tx, operatorCase, movement);
  const [reference] = referencesOf(operatorCase);
  if (!before || reference === undefined) {
    throw new OperatorFault(`The case ${id} corrects no earlier booking: assign it or split it.`);
  }
  const name = before.old.networkReference;
  const about = isCounted(before.old) ? [] : await lockCasesAbout(tx, name);
  const parts = [1, 2].map((each) => partReference(reference, each));
  const known = await lockMovements(tx, [reference, name, ...parts]);
  const { incoming } = known;
  const [old, corrected] = [incoming.get(name), incoming.get(reference)];
  const isSame =
    old?.type === before.old.type && old.paymentRequestId === before.old.paymentRequestId;
  if (!old || !isSame || before.paymentRequestId !== target) {
    throw new OperatorFault('The earlier booking was settled at this moment: try again.');
  }
  if (!corrected || !isWhole(known, corrected)) {
    throw new OperatorFault(`The money of the case ${id} does not wait any more.`);
  }
  if (corrected.merchantId !== old.merchantId) {
    throw new OperatorFault('The earlier booking is of another merchant than the corrected one.');
  }
  const isForeign = [corrected, old].some(
    ({ currency }) => currency !== null && currency !== settings.currency,
  );
  if (isForeign) throw new OperatorFault('A booking is in another currency than the deployment’s.');
  if (!isCounted(old)) refuseMovedMoney(known, old, about);
  return { old, corrected, about: about.filter(({ closedAt }) => closedAt === null) };
}

/** Money beside a payment that went back already was the earlier sum: a person settles the rest. */
function refuseMovedMoney(
  { facts }: KnownMoney,
  { networkReference }: KnownMovement,
  about: readonly OperatorCase[],
): void {
  const several = about.find((each) => !each.closedAt && referencesOf(each).length > 1);
  if (several) {
    throw new OperatorFault(
      `The earlier booking is one of several movements of the case ${several.id}: settle it first.`,
    );
  }
  const { givenBackCents, takenBackCents } = facts.get(networkReference) ?? NO_FACTS;
  if (givenBackCents > 0) {
    throw new OperatorFault('A refund gives the money of the earlier booking back already.');
  }
  if (takenBackCents > 0) {
    throw new OperatorFault('The bank has taken the money of the earlier booking back.');
  }
}

/** Whether all of a movement waits. */
function isWhole(known: KnownMoney, movement: KnownMovement): boolean {
  const { state, leftCents } = weighKnown(known, movement);
  return state === 'WAITS' && leftCents === movement.amountCents;
}

/** The payment request that had the earlier money gets the corrected one. */
async function place(
  tx: Executor,
  deps: ChangeStatusDeps,
  locked: PaymentRequest,
  {
    old,
    corrected,
    institution,
  }: Pick<Replacing, 'old' | 'corrected'> & { readonly institution: string | null },
): Promise<Written & { readonly outcome: string }> {
  const { currency } = deps.settings;
  const replacement = { old, corrected, institution, currency };
  const { outcome, plan } = planReplacement(locked, replacement, deps.clock.now());
  const written = await changeStatuses(tx, deps, [plan]);
  const isLess = isCounted(old) && corrected.amountCents < old.amountCents;
  const refundDeps = { ...deps, onRefundChanged() {} };
  const failed = isLess ? await failUncoveredRefunds(tx, refundDeps, [locked.id], []) : null;
  return {
    outcome,
    publish() {
      written.publish();
      failed?.publish();
    },
  };
}

/** The earlier money waited for a decision that the corrected money needs, too. */
async function hold(
  tx: Executor,
  deps: ChangeStatusDeps,
  operatorCase: OperatorCase,
  { old, corrected, about: [first] }: Replacing,
): Promise<Written & { readonly outcome: string }> {
  const { settings, clock } = deps;
  const entry = adjustment(old, null);
  const createdAt = clock.now();
  await insertLedgerEntries(tx, [{ ...entry, currency: settings.currency, createdAt }]);
  const { networkReference, amountCents: arrivedCents } = corrected;
  const others = correctedReferencesOf(operatorCase).filter(
    (each) => each !== old.networkReference,
  );
  const { candidates, institution } = operatorCase.details;
  const opened = await openOperatorCases(tx, deps, [
    {
      kind: first?.kind ?? 'UNMATCHED_MONEY',
      paymentRequestId: first?.paymentRequestId ?? null,
      merchantId: corrected.merchantId,
      details: {
        ...{ networkReference, arrivedCents, currency: settings.currency },
        ...(institution !== undefined && { institution }),
        ...(candidates !== undefined && { candidates }),
        ...(others.length > 0 && { correctedReferences: others }),
      },
    },
  ]);
  return { outcome: 'HELD', publish: opened.publish };
}

/**
 * Finds the earlier booking of a case, without locks.
 *
 * @returns null: the case corrects no booking
 * @throws OperatorFault when it names several, and the operator none
 */
export async function findReplaced(
  db: Executor,
  operatorCase: OperatorCase,
  movement: string | null,
): Promise<Replaced | null> {
  const named = correctedReferencesOf(operatorCase);
  if (named.length === 0) return null;
  const { incoming } = await findMovements(db, named);
  const all = named.flatMap((reference) => incoming.get(reference) ?? []);
  const left = all.filter((each) => !isGone(each));
  const chosen =
    movement === null ? left : left.filter((each) => each.networkReference === movement);
  const [old, ...others] = chosen;
  if (!old) throw new OperatorFault('The earlier booking was replaced or split before.');
  if (others.length > 0) {
    const names = left.map(({ networkReference }) => networkReference).join(', ');
    throw new OperatorFault(`Give --movement: several bookings came before, ${names}.`);
  }
  if (old.paymentRequestId !== null) return { old, paymentRequestId: old.paymentRequestId };
  const about = await findCasesAbout(db, old.networkReference);
  return { old, paymentRequestId: placeOf(about)?.paymentRequestId ?? null };
}

/** The kinds whose money follows the table for their payment request; the others wait again. */
const FOLLOWS_TABLE = new Set(['AMOUNT_MISMATCH', 'SECOND_PAYMENT']);

function placeOf(about: readonly OperatorCase[]): OperatorCase | null {
  return about.find(({ kind, closedAt }) => !closedAt && FOLLOWS_TABLE.has(kind)) ?? null;
}
