import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import type { WeighedMovement } from '#payment-requests/model/money/waiting.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { weighKnown } from '#payment-requests/network/money/movement-index.ts';
import { findMovements } from '#payment-requests/network/money/movement-store.ts';
import { findParts, type Part } from '../case-store.ts';
import { type OperatorCase, referencesOf } from '../model/operator-case.ts';
import { type CaseWithRequests, findCaseOf } from './case-list-store.ts';
import {
  type CaseRefundFacts,
  findLedgerMoney,
  findRefundsOfCase,
  type LedgerMoney,
} from './case-money-store.ts';
import { ownCase } from './own-case.ts';
import { readLeftCents } from './read-left.ts';

export type { LedgerMoney };

/** A movement of a case, and what became of it; null for a movement back. */
export interface MoneyOfCase extends LedgerMoney {
  readonly became: WeighedMovement | null;
}

/** A case with the money that it is about. */
export interface ReadCase {
  readonly operatorCase: CaseWithRequests;
  /** The movements that the case names, and for parts the parts; in the order of the ledger. */
  readonly money: readonly MoneyOfCase[];
  /** The cents that an act would settle; null: the case holds no arrived money. */
  readonly leftCents: number | null;
  readonly refunds: readonly CaseRefundFacts[];
}

/**
 * Reads a case.
 *
 * @param merchantId null: of any merchant, for an operator
 * @returns null for an unknown id, and for a case of another merchant
 */
export async function readCase(
  db: Executor,
  id: string,
  merchantId: string | null,
): Promise<ReadCase | null> {
  const found = isId(id) ? await findCaseOf(db, id, merchantId) : null;
  if (!found) return null;
  const operatorCase = ownCase(found, merchantId);
  const parts = await partsOf(db, operatorCase);
  const references = [...referencesOf(operatorCase), ...parts.map((part) => part.networkReference)];
  return {
    operatorCase,
    money: await moneyUnder(db, [...new Set(references)]),
    leftCents: await readLeftCents(db, operatorCase),
    refunds: await findRefundsOfCase(db, operatorCase.id),
  };
}

async function moneyUnder(db: Executor, references: readonly string[]): Promise<MoneyOfCase[]> {
  const known = await findMovements(db, references);
  return (await findLedgerMoney(db, references)).map((money) => {
    const movement = money.type === 'RETURN' ? null : known.incoming.get(money.networkReference);
    return { ...money, became: movement ? weighKnown(known, movement) : null };
  });
}

/** A case of parts names the last one. */
async function partsOf(db: Executor, operatorCase: OperatorCase): Promise<readonly Part[]> {
  const { kind, paymentRequestId } = operatorCase;
  return kind === 'PART_PAYMENT' && paymentRequestId !== null
    ? findParts(db, paymentRequestId)
    : [];
}

/** A split takes one movement: the only one of the case, or the only one that is left. */
export function namesOneMovement({ operatorCase, money }: ReadCase): boolean {
  const left = money.filter(({ became }) => became?.state === 'WAITS');
  return referencesOf(operatorCase).length === 1 || left.length === 1;
}

/** More columns beside each other help nobody: the bank's hints are five. */
const MOST_CANDIDATES = 8;

/**
 * The payment requests that the money of a case may be meant for, in the order of the ids: as they
 * are at `now`. Ids that are unknown are left out, and those beyond `most`.
 */
export async function readCandidates(
  db: Executor,
  ids: readonly string[],
  now: Date,
  most = MOST_CANDIDATES,
): Promise<PaymentRequest[]> {
  const wanted = [...new Set(ids.filter(isId))].slice(0, most);
  if (wanted.length === 0) return [];
  const found = new Map((await findPaymentRequests(db, wanted)).map((each) => [each.id, each]));
  return wanted.flatMap((id) => {
    const paymentRequest = found.get(id);
    return paymentRequest ? [paymentRequestAt(paymentRequest, now)] : [];
  });
}

/** The payment requests that the details of a case name as hints. */
export function hintsOf({ details }: Pick<OperatorCase, 'details'>): string[] {
  const { candidates } = details;
  return Array.isArray(candidates) ? candidates.filter((id) => typeof id === 'string') : [];
}
