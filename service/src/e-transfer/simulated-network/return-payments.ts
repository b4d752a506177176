import type { Database } from '#database/database.ts';
import type { NetworkListener } from '../e-transfer-network.ts';
import { claimDueReturns, type DueReturn, forgetReturn } from './return-store.ts';

interface ReturnDeps {
  readonly db: Database;
  readonly listener: NetworkListener;
}

/** The most returns that one run reports. */
const BATCH = 32;
/** ISO 20022: the payer's bank found the account closed. */
const REASON = 'AC04';

/**
 * Takes back the money of payments whose test user asks for it (contract §11), and reports it. The
 * reference of the return follows from the payment's, so that a repeated report is the same return.
 *
 * @returns whether more may be due.
 * @throws  the first failure, after all others of the batch were reported.
 */
export async function reportDueReturns(deps: ReturnDeps, signal: AbortSignal): Promise<boolean> {
  const due = await claimDueReturns(deps.db, BATCH);
  const failures: unknown[] = [];
  for (const found of due) {
    if (signal.aborted) return false;
    await reportReturn(deps, found).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return due.length === BATCH;
}

async function reportReturn({ db, listener }: ReturnDeps, found: DueReturn): Promise<void> {
  const { paymentRequestId, amountCents, currency, networkReference, isSettled } = found;
  if (isSettled && networkReference !== null) {
    await listener.report({
      paymentRequestId,
      outcome: {
        state: 'RETURNED',
        currency,
        movement: {
          networkReference: `${networkReference}-RETURN`,
          amountCents,
          bankReference: null,
          bookingDate: null,
        },
        returnedReference: networkReference,
        reason: REASON,
      },
      isRevocable: false,
    });
  }
  await forgetReturn(db, found.id);
}
