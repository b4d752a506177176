import { acceptCase } from '#cases/accept-case.ts';
import { assignCase } from '#cases/assign-case.ts';
import { closeCase } from '#cases/close-case.ts';
import { CASE_KINDS, type Settlement } from '#cases/model/case-kinds.ts';
import { correctedReferencesOf, referencesOf } from '#cases/model/operator-case.ts';
import { refundCase } from '#cases/refund-case.ts';
import { replaceCase } from '#cases/replace-case.ts';
import { holdsMoney } from '#payment-requests/status/money-case-store.ts';
import type { CaseRow } from '../memory/case-rows.ts';
import type { LedgerRow } from '../memory/ledger-rows.ts';
import { must } from '../run/broken-invariant.ts';
import type { Random } from '../run/random.ts';
import { attempt, isUnanswered } from '../run/world.ts';
import { CURRENCY, type PaymentWorld } from './payment-world.ts';

/** An act can open another case; a seed has some dozen movements. */
const MOST_ACTS = 200;

/**
 * An operator settles every case about money that has arrived. Each allows an act that works, so
 * that all money ends counted or given back.
 */
export async function settleAll(world: PaymentWorld, random: Random): Promise<void> {
  for (let acts = 0; acts < MOST_ACTS; acts += 1) {
    const open = world.cases.open().filter(isAboutMoney);
    // First the corrections: money that never was must not go back.
    const found = open.find(isCorrected) ?? open[0];
    if (!found) return;
    const done = await settleOne(world, random, found);
    must(done, () => `no act settles the case ${found.kind} of ${JSON.stringify(found.details)}`);
  }
  must(false, () => `${MOST_ACTS} acts do not settle all money`);
}

const isCorrected = (found: CaseRow): boolean => correctedReferencesOf(found).length > 0;

const isAboutMoney = ({ kind }: CaseRow): boolean => kind === 'PART_PAYMENT' || holdsMoney(kind);

/** Tries the acts that the case allows, a replacement first. */
async function settleOne(world: PaymentWorld, random: Random, found: CaseRow): Promise<boolean> {
  const { id, kind, paymentRequestId } = found;
  const deps = world.settleDeps;
  const acts: Partial<Record<Settlement, () => Promise<unknown>>> = {
    REPLACED: () => replaceFirst(world, found),
    ASSIGNED: () => assignCase(deps, id, { paymentRequestId: freshRequest(), note: null }),
    ACCEPTED() {
      if (paymentRequestId !== null) world.accepted.add(paymentRequestId);
      return acceptCase(deps, id, null);
    },
    REFUNDED: () => refundCase(deps, id, { movement: null, note: null }),
  };
  const freshRequest = () => world.create(random, 1 + random.below(1_000)).id;
  const allowed = (Object.keys(acts) as (keyof typeof acts)[]).filter((act) =>
    CASE_KINDS[kind].allows.some((each) => each === act),
  );
  const others = random.shuffle(allowed.filter((act) => act !== 'REPLACED'));
  for (const act of ['REPLACED', ...others] as const) {
    const settle = acts[act];
    if (settle && !isUnanswered(await attempt(settle()))) return true;
  }
  // The service holds one currency: money in another one goes back at the bank. A case that
  // contradicts money which counts, or names money that was not taken, holds none.
  if (holdsOwnMoney(world, found)) return false;
  return !isUnanswered(await attempt(closeCase(deps, id, 'seen')));
}

/** An operator replaces the first of several earlier bookings that can be replaced. */
async function replaceFirst({ settleDeps }: PaymentWorld, found: CaseRow): Promise<unknown> {
  for (const movement of correctedReferencesOf(found)) {
    const result = await attempt(replaceCase(settleDeps, found.id, { movement, note: null }));
    if (!isUnanswered(result)) return result;
  }
  return 'REFUSED';
}

/** Money in the currency of the service that waits, and that no other open case names. */
function holdsOwnMoney(
  { ledger, cases, refunds, requests }: PaymentWorld,
  found: CaseRow,
): boolean {
  if (found.kind === 'PART_PAYMENT') return true;
  // The bank took more back than the sum: what waits went back with it.
  const row = requests.rows.get(found.paymentRequestId ?? '');
  if (row && row.returned_cents > row.received_cents) return false;
  const others = cases.open().filter(({ id, kind }) => id !== found.id && holdsMoney(kind));
  const elsewhere = new Set(others.flatMap(referencesOf));
  return referencesOf(found).some((name) => {
    const rows = ledger.rows.where(({ network_reference }) => network_reference === name);
    if (rows.length === 0 || !rows.every(isHeld) || elsewhere.has(name)) return false;
    const facts = cases.factsOf(name);
    // A person has settled it at the bank by another case.
    if (facts.cases.some(({ settlement }) => settlement === 'CLOSED')) return false;
    const cents = rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    return cents > facts.takenBackCents + refunds.givenBackOf(name);
  });
}

const isHeld = ({ type, currency }: LedgerRow): boolean =>
  (type === 'UNMATCHED' || type === 'SECOND_PAYMENT') && currency === CURRENCY;
