import type { Executor } from '#database/database.ts';
import { findProofs, markProven } from './proof-store.ts';

/** An operator sends 1.00; another sum with the reference may be any other money. */
const PROOF_CENTS = 100;

interface ProvingEntry {
  readonly account: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly isBooked: boolean;
  readonly amountCents: number;
  readonly creditorReferences: readonly string[];
}

/**
 * Shows payers the Interac addresses whose proof an entry carries: the bank passes on the message
 * of an e-Transfer, and the money reached the account (bank-connection §4).
 *
 * @param isKnown whether a payment request has the reference
 * @returns the entries without the references of proofs, which name no payment
 */
export async function takeProofs<Entry extends ProvingEntry>(
  tx: Executor,
  entries: readonly Entry[],
  isKnown: (reference: string) => boolean,
): Promise<readonly Entry[]> {
  const unknown = entries
    .flatMap(({ creditorReferences }) => creditorReferences)
    .filter((reference) => !isKnown(reference));
  if (unknown.length === 0) return entries;
  const proofs = new Map((await findProofs(tx, unknown)).map((each) => [each.reference, each]));
  if (proofs.size === 0) return entries;
  const proven = entries
    .filter(
      ({ direction, isBooked, amountCents }) =>
        direction === 'CREDIT' && isBooked && amountCents === PROOF_CENTS,
    )
    .flatMap(({ account, creditorReferences }) =>
      creditorReferences.filter((each) => proofs.get(each)?.account === account),
    );
  await markProven(tx, proven);
  return entries.map((entry) => ({
    ...entry,
    creditorReferences: entry.creditorReferences.filter((each) => !proofs.has(each)),
  }));
}
