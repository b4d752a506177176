import type { Database } from '#database/database.ts';
import { sharedKeyOf } from '#lib/bank/account-number.ts';
import type { NetworkListener } from '../../e-transfer-network.ts';
import type { RefundRefusal } from '../../network-refunds.ts';
import { StatementFault } from '../statements/statement-fault.ts';
import { findPaymentFile } from './payment-file-store.ts';
import { readPain002 } from './read-pain002.ts';
import { findOpenRefundsOfFile, setRefundOutcomes } from './refund-store.ts';

export interface ApplyRejectionsDeps {
  readonly db: Database;
  readonly reportRefunds: NetworkListener['reportRefunds'];
}

/**
 * Applies a bank's payment status report: each rejected refund is FAILED. A refund whose outcome is
 * known stays as it is, so that a file that comes twice changes nothing.
 *
 * @param accounts those whose payment files the sender may reject; null: all
 * @returns how many refunds failed by it
 * @throws StatementFault when the file cannot be read, or answers no payment file of ours
 */
export async function applyRejections(
  { db, reportRefunds }: ApplyRejectionsDeps,
  bytes: Buffer,
  accounts: readonly string[] | null = null,
): Promise<number> {
  const { messageId, whole, refunds } = await readPain002(bytes);
  const file = await findPaymentFile(db, messageId);
  if (!file || (accounts && !accounts.includes(sharedKeyOf(file.account)))) {
    throw new StatementFault('The file answers no payment file of this service (OrgnlMsgId).');
  }
  const named = new Map(refunds.map(({ refundId, reason }) => [refundId, reason]));
  const open = await findOpenRefundsOfFile(db, messageId);
  const failed = open.flatMap((refundId) => {
    const reason: RefundRefusal | null = named.get(refundId) ?? whole;
    return reason === null ? [] : [{ refundId, outcome: { state: 'FAILED', reason } as const }];
  });
  if (failed.length === 0) return 0;
  await reportRefunds(failed, (tx) => setRefundOutcomes(tx, failed));
  return failed.length;
}
