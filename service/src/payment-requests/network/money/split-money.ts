import type { Executor } from '#database/database.ts';
import { type MoneyPart, partReference } from '#e-transfer/money-parts.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import { entryOf, sumOf } from '#payment-requests/model/money/movements.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { Plan } from '#payment-requests/model/plan-change.ts';
import {
  type ChangeStatusDeps,
  changeStatuses,
  type Written,
} from '#payment-requests/status/change-status.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';
import { type KnownMovement, waitingUnder } from './movement-index.ts';
import { lockMovements } from './movement-store.ts';
import { type ArrivalOutcome, planArrival } from './plan-arrival.ts';
import type { SettleRefusal } from './settle-money.ts';

export interface SplitMoney {
  readonly networkReference: string;
  /** Each payment request once; their sum is the money. */
  readonly parts: readonly MoneyPart[];
  /** null: unknown. */
  readonly institution: string | null;
}

export interface SettledPart extends MoneyPart {
  readonly networkReference: string;
  readonly outcome: ArrivalOutcome;
}

export type SplitRefusal = Exclude<SettleRefusal, 'ALREADY_PAID'> | 'OTHER_SUM';

export type Split =
  | { readonly refusal: SplitRefusal }
  | (Written & { readonly refusal: null; readonly parts: readonly SettledPart[] });

/**
 * Gives money that waits for an operator to several payment requests, each part as if it had
 * arrived for its own. The caller has locked the payment requests in the order of their ids. In the
 * ledger the whole leaves its place, and each part comes under a reference of its own.
 */
export async function splitMoney(
  tx: Executor,
  deps: ChangeStatusDeps,
  { networkReference, parts, institution }: SplitMoney,
): Promise<Split> {
  const locked: PaymentRequest[] = [];
  for (const { paymentRequestId } of parts) {
    const found = await lockPaymentRequest(tx, paymentRequestId);
    if (!found) return { refusal: 'UNKNOWN_PAYMENT_REQUEST' };
    locked.push(found);
  }
  const references = parts.map((_, index) => partReference(networkReference, index + 1));
  const known = await lockMovements(tx, [networkReference, ...references]);
  const [whole] = waitingUnder(known, [networkReference]);
  if (!whole) return { refusal: 'NO_MONEY' };
  const refusal = refusalOf(deps, whole, locked);
  if (refusal) return { refusal };
  // A bank that writes such a reference itself would have its money taken for a part.
  if (references.some((reference) => known.incoming.has(reference))) return { refusal: 'NO_MONEY' };
  if (sumOf(parts) !== whole.amountCents) return { refusal: 'OTHER_SUM' };
  const now = deps.clock.now();
  const planned = locked.map((paymentRequest, index) => {
    const part = parts[index] as MoneyPart;
    const movement: MoneyMovement = {
      networkReference: references[index] ?? '',
      amountCents: part.amountCents,
      bankReference: whole.bankReference,
      bookingDate: whole.bookingDate,
    };
    const arrival = { movement, at: whole.at, institution, currency: deps.settings.currency };
    const { outcome, plan } = planArrival(paymentRequest, arrival, now);
    const { networkReference: reference } = movement;
    return { plan, part: { ...part, networkReference: reference, outcome } };
  });
  const written = await changeStatuses(
    tx,
    deps,
    leaving(
      whole,
      planned.map(({ plan }) => plan),
    ),
  );
  return { ...written, refusal: null, parts: planned.map(({ part }) => part) };
}

/** The whole leaves its place with the first part. */
function leaving(whole: KnownMovement, [first, ...others]: readonly Plan[]): Plan[] {
  if (!first) return [];
  const { merchantId } = whole;
  const entry = entryOf({
    type: 'ASSIGNED',
    movement: whole,
    merchantId,
    paymentRequestId: null,
    sign: -1,
  });
  return [{ ...first, entries: [entry, ...first.entries] }, ...others];
}

function refusalOf(
  { settings }: ChangeStatusDeps,
  { merchantId, currency }: KnownMovement,
  locked: readonly PaymentRequest[],
): SplitRefusal | null {
  const owner = merchantId ?? locked[0]?.merchant.id;
  if (locked.some(({ merchant }) => merchant.id !== owner)) return 'OTHER_MERCHANT';
  return currency === settings.currency ? null : 'OTHER_CURRENCY';
}
