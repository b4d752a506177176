import type { Executor } from '#database/database.ts';
import { type OpenCases, sumOpenCases } from './case-list-store.ts';

/** The open cases of each kind, the most frequent first; their sums in the case's currency. */
export function readOpenCases(
  db: Executor,
  merchantId: string | null,
  currency: string,
): Promise<readonly OpenCases[]> {
  return sumOpenCases(db, merchantId, currency);
}
