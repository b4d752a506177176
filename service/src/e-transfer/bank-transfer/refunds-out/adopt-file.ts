import type { NetworkListener } from '../../e-transfer-network.ts';
import type { NetworkRefund } from '../../network-refunds.ts';
import { adoptPaymentFile } from './payment-file-store.ts';
import { createRefundsOut, type RefundsOutDeps } from './refunds-out.ts';

/** Without the network there is no call to end. */
const NO_SIGNAL = new AbortController().signal;

export interface AdoptDeps extends RefundsOutDeps {
  readonly reportRefunds: NetworkListener['reportRefunds'];
}

/**
 * Takes over a payment file that left after the moment to which the database was restored (decision
 * 0063). The refunds of the file become PROCESSING again, and stand in no other file. The bank has
 * the bytes of the file; this database has them no more.
 *
 * @param refunds those of the file that the database knows, CREATED or PROCESSING
 */
export async function adoptForgottenFile(
  deps: AdoptDeps,
  messageId: string,
  refunds: readonly NetworkRefund[],
): Promise<void> {
  const network = createRefundsOut(deps);
  // A refund that the network does not have yet would be handed over again later.
  for (const refund of refunds) await network.start(refund, NO_SIGNAL);
  const reports = refunds.map(({ refundId }) => ({
    refundId,
    outcome: { state: 'PROCESSING' } as const,
  }));
  const totalCents = refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const refundIds = refunds.map(({ refundId }) => refundId);
  await deps.reportRefunds(reports, (tx) =>
    adoptPaymentFile(tx, { messageId, totalCents, refundIds }),
  );
}
