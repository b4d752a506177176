import type { Executor } from '#database/database.ts';
import type { FindElsewhere } from '#payment-requests/lookup/search-payment-requests.ts';
import type { Config } from '../../config.ts';

/** The search by references of banks; null: the configured network has no bank. */
export function bankReferenceSearch(
  { eTransferNetwork }: Pick<Config, 'eTransferNetwork'>,
  db: Executor,
): FindElsewhere | null {
  if (eTransferNetwork !== 'bank-transfer') return null;
  return async (text) => {
    const search = await import('#e-transfer/bank-transfer/search/find-by-bank-reference.ts');
    return search.findByBankReference(db, text);
  };
}
