import type { Executor } from '#database/database.ts';
import { withoutSeparators } from '../references/creditor-reference.ts';
import { findRequestsByReference } from './search-store.ts';

/**
 * Finds the payment requests that a reference of a bank names: the creditor reference of the
 * payer's page, in any spelling, or the bank's own reference of a booking.
 *
 * @returns their ids, of all merchants
 */
export function findByBankReference(db: Executor, text: string): Promise<string[]> {
  return findRequestsByReference(db, withoutSeparators(text), text);
}
