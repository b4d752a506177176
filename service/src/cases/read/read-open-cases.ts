import type { Executor } from '#database/database.ts';
import { type OpenCases, sumOpenCases } from './case-list-store.ts';

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
