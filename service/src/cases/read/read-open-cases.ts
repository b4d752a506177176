import type { Executor } from '#database/database.ts';
import { findCaseIds } from '../case-store.ts';
import type { OperatorCase } from '../model/operator-case.ts';
import { findCasePage, type OpenCases, sumOpenCases } from './case-list-store.ts';
import { ownCase } from './own-case.ts';

export type { OpenCases };

/**
 * The open cases of each kind, the most frequent first; their sums in the case's currency.
 *
 * @param merchantId null: of all merchants, and those that name none
 * @param currency   the deployment's: older cases name none
 * @param most       only the oldest are added up; null: all
 */
export function readOpenCases(
  db: Executor,
  merchantId: string | null,
  currency: string,
  most: number | null,
): Promise<readonly OpenCases[]> {
  return sumOpenCases(db, merchantId, currency, most);
}

/** The latest open case of a merchant that names a payment request, or money that may be for it. */
export async function readOpenCaseAbout(
  db: Executor,
  merchantId: string,
  paymentRequestId: string,
): Promise<OperatorCase | null> {
  const none = { kind: null, openedFrom: null, openedTo: null };
  const filters = { ...none, state: 'open', merchantId, paymentRequestId } as const;
  const [found] = await findCasePage(db, { filters, after: null, limit: 1 });
  return found ? ownCase(found, merchantId) : null;
}

/** The ids of the latest cases of a merchant, by the network references of their money. */
export async function readCaseIds(
  db: Executor,
  merchantId: string,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await findCaseIds(db, merchantId, references);
  return new Map(found.map(({ reference, id }) => [reference, id]));
}
