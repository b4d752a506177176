import type { NetworkDeployment } from '#commands/cli/with-network.ts';
import { adoptForgottenFile } from '#e-transfer/bank-transfer/refunds-out/adopt-file.ts';
import type {
  JournalledFile,
  JournalledRefund,
} from '#e-transfer/bank-transfer/refunds-out/file-journal.ts';
import { findForgottenFiles } from '#e-transfer/bank-transfer/refunds-out/notice-restore.ts';
import { findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import { openOperatorCases } from '#payment-requests/status/operator-cases.ts';
import { findRefunds } from '#refunds/lookup/find-store.ts';
import type { Refund } from '#refunds/model/refund.ts';

/** A payment file that left the service after the restored moment. */
export interface ForgottenFile {
  readonly messageId: string;
  readonly writtenAt: string;
  /** The refunds that the database knows. */
  readonly known: readonly Refund[];
  /** The refunds that were created after the restored moment. */
  readonly unknown: readonly JournalledRefund[];
}

/** The files of BANK_REFUNDS_DIR that the database has forgotten; none without the folder. */
export async function listForgottenFiles({
  db,
  bank: { refundsDir },
}: NetworkDeployment): Promise<ForgottenFile[]> {
  if (refundsDir === null) return [];
  const files = await findForgottenFiles(db, refundsDir);
  const ids = files.flatMap(({ refunds }) => refunds.map(({ id }) => id));
  const found = new Map((await findRefunds(db, ids)).map((refund) => [refund.id, refund]));
  return files.map((file) => splitRefunds(file, found));
}

function splitRefunds(
  { messageId, writtenAt, refunds }: JournalledFile,
  found: ReadonlyMap<string, Refund>,
): ForgottenFile {
  return {
    messageId,
    writtenAt,
    known: refunds.flatMap(({ id }) => found.get(id) ?? []),
    unknown: refunds.filter(({ id }) => !found.has(id)),
  };
}

/**
 * Records in the database that the files have left. Refunds of the files become PROCESSING, and
 * leave no second time. A refund that is unknown or FAILED here becomes a case. Every act may be
 * repeated.
 */
export async function settleForgottenFiles(
  deployment: NetworkDeployment,
  files: readonly ForgottenFile[],
): Promise<void> {
  const { db, clock, currency, secretsKey, surroundings } = deployment;
  const { reportRefunds } = surroundings.listener;
  for (const { messageId, known, unknown } of files) {
    const failed = known.filter(({ status }) => status === 'FAILED');
    await openCases({ db, clock }, [...unknown, ...failed]);
    const open = known.filter(({ status }) => status === 'CREATED' || status === 'PROCESSING');
    if (open.length === 0) continue;
    const refunds = open.map(({ id: refundId, ...refund }) => ({ ...refund, refundId, currency }));
    await adoptForgottenFile({ db, secretsKey, reportRefunds }, messageId, refunds);
  }
}

async function openCases(
  { db, clock }: Pick<NetworkDeployment, 'db' | 'clock'>,
  refunds: readonly JournalledRefund[],
): Promise<void> {
  if (refunds.length === 0) return;
  const ids = [...new Set(refunds.map(({ paymentRequestId }) => paymentRequestId))];
  const found = await findPaymentRequests(db, ids);
  const merchants = new Map(found.map(({ id, merchant }) => [id, merchant.id]));
  const cases = refunds.map(({ id, paymentRequestId, amountCents }) => {
    const merchantId = merchants.get(paymentRequestId) ?? null;
    return {
      kind: 'REFUNDED_OUTSIDE' as const,
      // A payment request from after the moment does not exist any more.
      paymentRequestId: merchantId === null ? null : paymentRequestId,
      merchantId,
      // The bank books the refund under its EndToEndId.
      details: {
        refundId: id,
        arrivedCents: amountCents,
        networkReference: id.replaceAll('-', ''),
      },
    };
  });
  await db.transaction((tx) => openOperatorCases(tx, { clock, onCaseOpened() {} }, cases));
}
