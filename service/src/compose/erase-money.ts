import { eraseRefundMessages, findOpenMoney, findRefundIds } from '#cases/payer-erasure-store.ts';
import type { MoneyErasure } from '#payment-requests/erasure/erase-payer.ts';
import { eraseNetworkAccounts, eraseNetworkTexts } from './erase-network-data.ts';

/** Erases payers in refunds and in the networks. */
export const MONEY_ERASURE: MoneyErasure = {
  findOpen: findOpenMoney,
  findRefunds: findRefundIds,
  eraseTexts: eraseNetworkTexts,
  async eraseAccounts(tx, paymentRequestIds) {
    await eraseRefundMessages(tx, paymentRequestIds);
    await eraseNetworkAccounts(tx, paymentRequestIds);
  },
};
