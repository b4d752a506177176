import type { Executor } from '#database/database.ts';
import { partReference } from '#e-transfer/money-parts.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import { isId } from '#lib/new-id.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import type { PlannedEntry } from '#payment-requests/model/money/movements.ts';
import { isCounted, NO_FACTS } from '#payment-requests/model/money/waiting.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import {
  type KnownMovement,
  type MovementIndex,
  weighKnown,
} from '#payment-requests/network/money/movement-index.ts';
import { lockMovements } from '#payment-requests/network/money/movement-store.ts';
import {
  adjustment,
  leaving,
  planReplacement,
  waitingPart,
} from '#payment-requests/network/money/plan-replacement.ts';
import { changeStatuses } from '#payment-requests/status/change-status.ts';
import { openOperatorCases } from '#payment-requests/status/operator-cases.ts';
import { failUncoveredRefunds } from '#refunds/network/fail-uncovered.ts';
import { findCase, lockCasesAbout, saveSettlement } from './case-store.ts';
import {
  correctedReferencesOf,
  type OperatorCase,
  referencesOf,
  textIn,
} from './model/operator-case.ts';
import { correctedCents, type Earlier } from './read/earlier-bookings.ts';
import { findReplaced } from './read/find-replaced.ts';
import {
  type LockedCase,
  type SettleDeps,
  type Settled,
  type SettledCase,
  type SettlingDeps,
  settleCase,
} from './settle-case.ts';

export interface ReplaceInput {
  /** The earlier booking, by its network reference, where the case names several; else null. */
  readonly movement: string | null;
  readonly note: string | null;
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
  { movement, note }: ReplaceInput,
): Promise<SettledCase> {
  const found = isId(id) ? await findCase(deps.db, id) : null;
  if (!found) throw new Refusal('case.unknown', { id });
  const isOpen = found.closedAt === null;
  const replaced = isOpen ? await findReplaced(deps.db, found, movement) : null;
  const target = replaced?.paymentRequestId ?? null;
  const options = { settlement: 'REPLACED', target, note } as const;
  return settleCase(deps, id, options, (tx, settling, locked) =>
    replace(tx, settling, locked, { movement, target }),
  );
}

interface Chosen {
  readonly movement: string | null;
  /** The payment request that had the money when the act began. */
  readonly target: string | null;
}

interface Replacing {
  readonly old: KnownMovement;
  /** The corrected booking, or that part of it which takes the place of an earlier part. */
  readonly corrected: KnownMovement;
  /** They make the part; none when the whole booking takes the place. */
  readonly parting: readonly PlannedEntry[];
  /** The open cases of the earlier booking; none when it counts. */
  readonly about: readonly OperatorCase[];
}

async function replace(
  tx: Executor,
  deps: SettlingDeps,
  { operatorCase, paymentRequest }: LockedCase,
  chosen: Chosen,
): Promise<Settled> {
  const replacing = await lockReplacing(tx, deps, operatorCase, chosen);
  const { old, corrected, about } = replacing;
  const written =
    chosen.target === null || !paymentRequest
      ? await hold(tx, deps, operatorCase, replacing)
      : await place(tx, deps, paymentRequest, {
          ...replacing,
          institution: textIn(operatorCase, 'institution'),
        });
  for (const { id } of about) await saveSettlement(tx, id, 'REPLACED', deps.clock.now());
  const { networkReference, amountCents } = old;
  const replaced = { networkReference, amountCents, by: corrected.networkReference };
  return { ...written, audited: { replaced, closedCaseIds: about.map(({ id }) => id) } };
}

/** Locks the cases before the movements, as other settlements do. */
async function lockReplacing(
  tx: Executor,
  { settings }: SettlingDeps,
  operatorCase: OperatorCase,
  { movement, target }: Chosen,
): Promise<Replacing> {
  const { id } = operatorCase;
  const before = await findReplaced(tx, operatorCase, movement);
  const [reference] = referencesOf(operatorCase);
  if (!before || reference === undefined) {
    throw new Refusal('replace.none', { id });
  }
  const name = before.old.networkReference;
  const about = isCounted(before.old) ? [] : await lockCasesAbout(tx, name);
  const first = partReference(reference, 1);
  const parts = [first, partReference(reference, 2)];
  const nested = [1, 2].map((each) => partReference(first, each));
  const wholes = before.whole === null ? [] : [before.whole.networkReference];
  const known = await lockMovements(tx, [reference, name, ...wholes, ...parts, ...nested]);
  const booking = known.incoming.get(reference);
  const now = await findReplaced(tx, operatorCase, movement);
  const isSame = now?.old.type === before.old.type && now.paymentRequestId === target;
  if (!now || !isSame || now.old.networkReference !== name) {
    throw new Refusal('replace.moment');
  }
  const { old } = now;
  if (!booking || !isWhole(known, booking)) {
    throw new Refusal('replace.noMoney', { id });
  }
  if (booking.merchantId !== old.merchantId) {
    throw new Refusal('replace.merchant');
  }
  const isForeign = [booking, old].some(
    ({ currency }) => currency !== null && currency !== settings.currency,
  );
  if (isForeign) throw new Refusal('replace.currency');
  if (!isCounted(old)) refuseMovedMoney(known, old, about);
  const open = about.filter(({ closedAt }) => closedAt === null);
  return { old, about: open, ...partOf(booking, now) };
}

/**
 * The part of a corrected booking that takes the place of an earlier part. The other parts stay:
 * the corrected booking brings their money, so that it leaves the earlier one.
 */
function partOf(
  booking: KnownMovement,
  earlier: Earlier,
): Pick<Replacing, 'corrected' | 'parting'> {
  const { old, whole } = earlier;
  if (whole === null) return { corrected: booking, parting: [] };
  const amountCents = correctedCents(earlier, booking.amountCents);
  if (amountCents <= 0) {
    throw new Refusal('replace.more');
  }
  const networkReference = partReference(booking.networkReference, 1);
  const corrected = { ...booking, networkReference, amountCents };
  const others = { ...whole, amountCents: whole.amountCents - old.amountCents };
  const parting = [
    leaving(booking),
    waitingPart(corrected),
    waitingPart(others),
    adjustment(others, null),
  ];
  return { corrected, parting };
}

/** A refund or a return has moved the earlier sum already: a person settles the rest. */
function refuseMovedMoney(
  { facts }: MovementIndex,
  { networkReference }: KnownMovement,
  about: readonly OperatorCase[],
): void {
  const several = about.find((each) => !each.closedAt && referencesOf(each).length > 1);
  if (several) {
    throw new Refusal('replace.several', { id: several.id });
  }
  const { givenBackCents, takenBackCents } = facts.get(networkReference) ?? NO_FACTS;
  if (givenBackCents > 0) {
    throw new Refusal('replace.refunded');
  }
  if (takenBackCents > 0) {
    throw new Refusal('replace.taken');
  }
}

/** Whether all of a movement waits. */
function isWhole(known: MovementIndex, movement: KnownMovement): boolean {
  const { state, leftCents } = weighKnown(known, movement);
  return state === 'WAITS' && leftCents === movement.amountCents;
}

/** The payment request that had the earlier money gets the corrected one. */
async function place(
  tx: Executor,
  deps: SettlingDeps,
  locked: PaymentRequest,
  { old, corrected, parting, institution }: Replacing & { readonly institution: string | null },
): Promise<Settled> {
  const { currency } = deps.settings;
  const replacement = { old, corrected, institution, currency };
  const { outcome, plan } = planReplacement(locked, replacement, deps.clock.now());
  const entries = [...parting, ...plan.entries];
  const written = await changeStatuses(tx, deps, [{ ...plan, entries }]);
  const isLess = isCounted(old) && corrected.amountCents < old.amountCents;
  const failed = isLess ? await failUncoveredRefunds(tx, deps, [locked.id], []) : null;
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
  deps: SettlingDeps,
  operatorCase: OperatorCase,
  { old, corrected, parting, about: [first] }: Replacing,
): Promise<Settled> {
  const { settings, clock } = deps;
  const entries = [...parting, adjustment(old, null)];
  const facts = { currency: settings.currency, createdAt: clock.now() };
  await insertLedgerEntries(
    tx,
    entries.map((entry) => ({ ...entry, ...facts })),
  );
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
        networkReference,
        arrivedCents,
        currency: settings.currency,
        ...(institution !== undefined && { institution }),
        ...(candidates !== undefined && { candidates }),
        ...(others.length > 0 && { correctedReferences: others }),
      },
    },
  ]);
  return { outcome: 'HELD', publish: opened.publish };
}
