import type { Executor } from '#database/database.ts';
import { MOST_PARTS, type MoneyPart, partReference } from '#e-transfer/money-parts.ts';
import type { NetworkAccounts } from '#e-transfer/network-description.ts';
import { formatAmount } from '#lib/money.ts';
import { isId } from '#lib/new-id.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { sumOf } from '#payment-requests/model/money/movements.ts';
import { waitingUnder } from '#payment-requests/network/money/movement-index.ts';
import { findMovements } from '#payment-requests/network/money/movement-store.ts';
import {
  type SettledPart,
  type SplitRefusal,
  splitMoney,
} from '#payment-requests/network/money/split-money.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';
import { recordOutsideRefund } from '#refunds/create/create-operator-refund.ts';
import { createRefunds } from './create-refunds.ts';
import { movementIn, type OperatorCase, referencesOf, textIn } from './model/operator-case.ts';
import {
  type SettleDeps,
  type Settled,
  type SettledCase,
  type SettlingDeps,
  settleCase,
} from './settle-case.ts';

export interface SplitDeps extends SettleDeps {
  /**
   * Those of the payment requests that show the account on which the money moved. null: the network
   * has no accounts, and the merchant alone decides.
   */
  readonly findShowing: NetworkAccounts['findShowing'] | null;
}

export interface SplitInput {
  /** Each payment request once, with its share in cents. */
  readonly parts: readonly MoneyPart[];
  readonly note: string | null;
}

/** A part, and what became of it; null: a refund outside, which is COMPLETED. */
export type SplitPart = MoneyPart & Partial<SettledPart>;

export interface SplitCase extends SettledCase {
  readonly parts: readonly SplitPart[];
}

/**
 * Splits the money of a case among payment requests of one account (decision 0116), each part as if
 * it had arrived for its own. A debit of the case REFUNDED_OUTSIDE becomes a refund of each.
 *
 * @throws OperatorFault as `settleCase`, and for parts that are not exactly the money
 */
export async function splitCase(
  deps: SplitDeps,
  id: string,
  { parts, note }: SplitInput,
): Promise<SplitCase> {
  refuseParts(parts);
  const others = parts.map(({ paymentRequestId }) => paymentRequestId);
  const options = { settlement: 'SPLIT', target: null, others, note } as const;
  let settledParts: readonly SplitPart[] = parts;
  const settled = await settleCase(deps, id, options, async (tx, settling, found) => {
    const { operatorCase } = found;
    const networkReference = await findOnlyMovement(tx, operatorCase);
    await refuseOtherAccounts(tx, deps, networkReference, others);
    if (operatorCase.kind === 'REFUNDED_OUTSIDE') {
      return splitDebit(tx, settling, operatorCase, networkReference, parts);
    }
    const institution = textIn(operatorCase, 'institution');
    const split = await splitMoney(tx, settling, { networkReference, parts, institution });
    if (split.refusal !== null) throw refusalOf(split.refusal, parts);
    settledParts = split.parts;
    return { outcome: 'SPLIT', audited: { parts: split.parts }, publish: split.publish };
  });
  return { ...settled, parts: settledParts };
}

function refuseParts(parts: readonly MoneyPart[]): void {
  if (parts.length < 2 || parts.length > MOST_PARTS) {
    throw new Refusal('split.count', { most: MOST_PARTS });
  }
  const bad = parts.find(({ paymentRequestId }) => !isId(paymentRequestId));
  if (bad) throw new Refusal('split.id', { id: bad.paymentRequestId });
  const ids = new Set(parts.map(({ paymentRequestId }) => paymentRequestId));
  if (ids.size < parts.length) throw new Refusal('split.once');
  const isCents = ({ amountCents }: MoneyPart) => Number.isSafeInteger(amountCents);
  if (!parts.every((part) => isCents(part) && part.amountCents > 0)) {
    throw new Refusal('split.least');
  }
}

/** A case may name several movements; a split takes the one that is left. */
async function findOnlyMovement(tx: Executor, operatorCase: OperatorCase): Promise<string> {
  const references = referencesOf(operatorCase);
  const left =
    references.length > 1
      ? waitingUnder(await findMovements(tx, references), references)
      : references.map((networkReference) => ({ networkReference }));
  const [only, ...others] = left;
  if (only && others.length === 0) return only.networkReference;
  throw new Refusal('split.movement', { id: operatorCase.id });
}

async function refuseOtherAccounts(
  tx: Executor,
  { findShowing }: SplitDeps,
  networkReference: string,
  ids: readonly string[],
): Promise<void> {
  if (findShowing === null) return;
  const showing = new Set(await findShowing(tx, networkReference, ids));
  const other = ids.find((id) => !showing.has(id));
  if (other === undefined) return;
  throw new Refusal('split.account', { id: other });
}

/** The bank has given the money of several payment requests back: a fact, which nothing refuses. */
async function splitDebit(
  tx: Executor,
  deps: SettlingDeps,
  operatorCase: OperatorCase,
  networkReference: string,
  parts: readonly MoneyPart[],
): Promise<Settled> {
  const { id, details, merchantId, openedAt } = operatorCase;
  if (sumOf(parts) !== details.arrivedCents) {
    throw refusalOf('OTHER_SUM', parts);
  }
  const { refundIds, publish } = await createRefunds(
    id,
    parts,
    async (operatorCaseId, part, index) => {
      const { paymentRequestId, amountCents } = part;
      const found = await lockPaymentRequest(tx, paymentRequestId);
      if (!found) throw refusalOf('UNKNOWN_PAYMENT_REQUEST', parts);
      if (merchantId !== null && found.merchant.id !== merchantId) {
        throw refusalOf('OTHER_MERCHANT', parts);
      }
      return recordOutsideRefund(tx, deps, {
        paymentRequestId,
        amountCents,
        isOfPayment: true,
        movementReference: null,
        operatorCaseId,
        movement: movementIn(operatorCase, partReference(networkReference, index + 1)),
        completedAt: openedAt,
      });
    },
  );
  return { outcome: 'SPLIT', audited: { parts, refundIds }, publish };
}

function refusalOf(refusal: SplitRefusal, parts: readonly MoneyPart[]): Refusal {
  if (refusal === 'NO_MONEY' || refusal === 'OTHER_CURRENCY')
    return new Refusal(`settle.${refusal}`);
  return new Refusal(`split.${refusal}`, { sum: formatAmount(sumOf(parts)) });
}
