import type { Executor } from '#database/database.ts';
import { findByBankReference } from '#e-transfer/bank-transfer/search/find-by-bank-reference.ts';
import type { FindElsewhere } from '#payment-requests/lookup/search-payment-requests.ts';
import type { Config } from '../../config.ts';

/** The search by references of banks; null: the configured network has no bank. */
export function bankReferenceSearch(
  { eTransferNetwork }: Pick<Config, 'eTransferNetwork'>,
  db: Executor,
): FindElsewhere | null {
  return eTransferNetwork === 'bank-transfer' ? (text) => findByBankReference(db, text) : null;
}
