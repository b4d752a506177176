import type { Executor } from '#database/database.ts';
import { eraseBankData } from '#e-transfer/bank-transfer/entries/erase-store.ts';
import { eraseRequestData } from '#e-transfer/bank-transfer/erase-request-store.ts';
import { eraseRefundData } from '#e-transfer/bank-transfer/refunds-out/erase-store.ts';
import { eraseGatewayData } from '#e-transfer/simulated-network/erase-store.ts';

/**
 * Erases the texts about payers that the networks keep. A database may have been on another network
 * before (decision 0051): all of them are asked.
 */
export async function eraseNetworkTexts(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<void> {
  await eraseGatewayData(tx, paymentRequestIds);
  await eraseRequestData(tx, paymentRequestIds);
}

/** Erases names and account numbers of payers. No refund or case may be open: they need them. */
export async function eraseNetworkAccounts(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<void> {
  await eraseRefundData(tx, paymentRequestIds);
  await eraseBankData(tx, paymentRequestIds);
}
