import { eraseRefundMessages, findOpenMoney, findRefundIds } from '#cases/payer-erasure-store.ts';
import { eraseMessages } from '#messages/outbox/message-outbox.ts';
import type { MoneyErasure } from '#payment-requests/erasure/erase-payer.ts';
import { ALL_NETWORKS } from './networks.ts';

/** Erases payers in refunds, in messages and in the networks. */
export const MONEY_ERASURE: MoneyErasure = {
  findOpen: findOpenMoney,
  findRefunds: findRefundIds,
  async eraseTexts(tx, paymentRequestIds) {
    await eraseMessages(tx, paymentRequestIds);
    for (const { eraseTexts } of ALL_NETWORKS) await eraseTexts(tx, paymentRequestIds);
  },
  async eraseAccounts(tx, paymentRequestIds) {
    await eraseRefundMessages(tx, paymentRequestIds);
    for (const { eraseAccounts } of ALL_NETWORKS) await eraseAccounts?.(tx, paymentRequestIds);
  },
};
