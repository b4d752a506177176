import type { Executor } from '#database/database.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import { entryOf, type PlannedEntry, sumOf } from '#payment-requests/model/money/movements.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import {
  type Plan,
  paymentRequestAt,
  planChange,
  planPassedExpiry,
  planSums,
  unchanged,
} from '#payment-requests/model/plan-change.ts';
import {
  type ChangeStatusDeps,
  changeStatuses,
  type Written,
} from '#payment-requests/status/change-status.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';
import { mismatch } from './classify-amount.ts';
import { type KnownMovement, waitingUnder } from './movement-index.ts';
import { findLastPart, lockMovements } from './movement-store.ts';

/** Why an operator's decision cannot be carried out; nothing is written then. */
export const SETTLE_REFUSALS = [
  'UNKNOWN_PAYMENT_REQUEST',
  /** Money cannot make a payment request PAID twice. */
  'ALREADY_PAID',
  /** No money under the reference waits for an operator, or it was taken back. */
  'NO_MONEY',
  /** The money lies on another merchant's account. */
  'OTHER_MERCHANT',
  'OTHER_CURRENCY',
] as const;
export type SettleRefusal = (typeof SETTLE_REFUSALS)[number];

export interface Settled extends Written {
  readonly outcome:
    | 'PAID'
    /** Part of the amount: the payment request waits for the rest. */
    | 'PART'
    /** More than the amount: a case AMOUNT_MISMATCH, which can be accepted, is open. */
    | 'MISMATCH'
    | SettleRefusal;
}

/** Money of an operator's case, and the payment request that gets it. */
export interface SettledMoney {
  readonly paymentRequestId: string;
  /** None: the parts that count already. */
  readonly networkReferences: readonly string[];
  /** null: unknown. */
  readonly institution: string | null;
}

/**
 * Makes a payment request PAID with the money of an operator's case, also another amount: what is
 * left of the movements is received, with the parts. An open case PART_PAYMENT of the payment
 * request is closed.
 */
export async function acceptMoney(
  tx: Executor,
  deps: ChangeStatusDeps,
  { paymentRequestId, networkReferences, institution }: SettledMoney,
): Promise<Settled> {
  const found = await lockAll(tx, deps, paymentRequestId, networkReferences);
  if ('refusal' in found) return refused(found.refusal);
  const { locked, current, waiting } = found;
  const sumCents = heldCents(current) + sumOf(waiting);
  const last = waiting.at(-1) ?? (await findLastPart(tx, paymentRequestId));
  if (sumCents === 0 || !last) return refused('NO_MONEY');
  const entries = assigned(current, waiting);
  return pay(tx, deps, locked, { sumCents, last, entries, institution });
}

/**
 * Gives all that waits under references to a payment request, as if it had arrived for it: PAID
 * when the sum is exact, a part when it is less, a case AMOUNT_MISMATCH when it is more.
 */
export async function assignMoney(
  tx: Executor,
  deps: ChangeStatusDeps,
  { paymentRequestId, networkReferences, institution }: SettledMoney,
): Promise<Settled> {
  const found = await lockAll(tx, deps, paymentRequestId, networkReferences);
  if ('refusal' in found) return refused(found.refusal);
  const { locked, current, waiting } = found;
  const last = waiting.at(-1);
  if (!last) return refused('NO_MONEY');
  const sumCents = heldCents(current) + sumOf(waiting);
  const entries = assigned(current, waiting);
  if (sumCents === current.amountCents) {
    return pay(tx, deps, locked, { sumCents, last, entries, institution });
  }
  const isLess = sumCents < current.amountCents;
  const plan = isLess
    ? partOf(planPassedExpiry(locked, deps.clock.now()), sumOf(waiting), entries)
    : {
        ...unchanged(locked),
        operatorCases: mismatch(
          current,
          { currency: deps.settings.currency, institution },
          { waiting, fresh: [], sumCents },
        ).operatorCases,
      };
  const { publish } = await changeStatuses(tx, deps, [plan]);
  return { outcome: isLess ? 'PART' : 'MISMATCH', publish };
}

interface Found {
  readonly locked: PaymentRequest;
  readonly current: PaymentRequest;
  /** The movements, each with `amountCents` as what is left of it. */
  readonly waiting: readonly KnownMovement[];
}

async function lockAll(
  tx: Executor,
  { clock, settings }: ChangeStatusDeps,
  paymentRequestId: string,
  references: readonly string[],
): Promise<Found | { readonly refusal: SettleRefusal }> {
  const locked = await lockPaymentRequest(tx, paymentRequestId);
  if (!locked) return { refusal: 'UNKNOWN_PAYMENT_REQUEST' };
  const known = await lockMovements(tx, references);
  const current = paymentRequestAt(locked, clock.now());
  if (current.payment) return { refusal: 'ALREADY_PAID' };
  const waiting = waitingUnder(known, references);
  if (references.length > 0 && waiting.length === 0) return { refusal: 'NO_MONEY' };
  const isOfAnother = ({ merchantId }: KnownMovement) =>
    merchantId !== null && merchantId !== current.merchant.id;
  if (waiting.some(isOfAnother)) return { refusal: 'OTHER_MERCHANT' };
  const isForeign = ({ currency }: KnownMovement) => currency !== settings.currency;
  if (waiting.some(isForeign)) return { refusal: 'OTHER_CURRENCY' };
  return { locked, current, waiting };
}

function refused(outcome: SettleRefusal): Settled {
  return { outcome, publish() {} };
}

interface Paying {
  readonly sumCents: number;
  readonly last: Pick<KnownMovement, 'networkReference' | 'at'>;
  readonly entries: readonly PlannedEntry[];
  readonly institution: string | null;
}

const UNKNOWN_INSTITUTION = 'Unknown';

async function pay(
  tx: Executor,
  deps: ChangeStatusDeps,
  locked: PaymentRequest,
  { sumCents, last, entries, institution }: Paying,
): Promise<Settled> {
  const plan = planChange(
    locked,
    {
      name: 'PAYMENT_SUCCEEDED',
      amountCents: sumCents,
      institution: institution ?? UNKNOWN_INSTITUTION,
      networkReference: last.networkReference,
      completedAt: last.at,
      entries,
      isAccepted: true,
    },
    deps.clock.now(),
  );
  const { publish } = await changeStatuses(tx, deps, [plan]);
  return { outcome: 'PAID', publish };
}

function partOf(plan: Plan, amountCents: number, entries: readonly PlannedEntry[]): Plan {
  const before = plan.paymentRequest;
  const received = before.sums.receivedCents + amountCents;
  return planSums(plan, {
    after: { ...before, sums: { ...before.sums, receivedCents: received } },
    webhook: null,
    entries,
    note: { type: 'PART_RECEIVED', details: { amountCents, receivedCents: received } },
  });
}

/** For each movement a pair whose sum is zero: it leaves its old place and comes to the new. */
function assigned(
  { id, merchant }: PaymentRequest,
  movements: readonly (MoneyMovement & Pick<KnownMovement, 'merchantId'>)[],
): PlannedEntry[] {
  return movements.flatMap((movement) => {
    const type = 'ASSIGNED';
    const from = {
      type,
      movement,
      merchantId: movement.merchantId,
      paymentRequestId: null,
    } as const;
    const to = { type, movement, merchantId: merchant.id, paymentRequestId: id } as const;
    return [entryOf({ ...from, sign: -1 }), entryOf(to)];
  });
}
