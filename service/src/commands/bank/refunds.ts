import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineCommand, type Shell } from '#commands/cli/define-command.ts';
import { option } from '#commands/cli/inputs.ts';
import type { Deployment } from '#commands/cli/with-deployment.ts';
import { findFileRow } from '#e-transfer/bank-transfer/connection/sent-file-store.ts';
import {
  type DeliveredFile,
  deliverPaymentFiles,
  writePaymentFileAgain,
} from '#e-transfer/bank-transfer/refunds-out/deliver-files.ts';
import { areRefundsHeld } from '#e-transfer/bank-transfer/refunds-out/notice-restore.ts';
import { createPaymentFiles } from '#e-transfer/bank-transfer/refunds-out/send-refunds.ts';
import { formatAmount } from '#lib/money.ts';
import { countText } from '#lib/words/count-text.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { notifyOfChanges } from '#payment-requests/read/change-signal-store.ts';
import { createRefundReports } from '#refunds/network/apply-refund-reports.ts';
import { createLog } from '#telemetry/log/log.ts';
import { notifySenders } from '#webhooks/events/outbox.ts';
import { wayOf } from './payment-file.ts';

/** `payreq bank refunds`: pending refunds leave as payment files (bank-transfer §5). */
export const refunds = defineCommand({
  summary:
    'write the refunds that wait into payment files (pain.001), one for each account that ' +
    'pays; give them to the bank',
  options: {
    out: option('<folder>', 'where the files go (default: BANK_REFUNDS_DIR)'),
    again: option('<message id>', 'write this file again, as a copy with the same bytes'),
  },
  async run(deployment, { out, again }, shell) {
    const folder = await folderOf(out, deployment);
    const { files, others } = again
      ? { files: [await writeAgain(deployment, again, folder)], others: 0 }
      : await writePending(shell, deployment, folder);
    return { files, others, currency: deployment.currency };
  },
  json: ({ files }) => files.map(toJson),
  print: ({ files, others, currency }) =>
    files.length === 0
      ? others > 0
        ? 'No payment file goes to a folder.'
        : 'No refund waits for a payment file.'
      : files.flatMap(({ path, refunds: count, totalCents, copy }) => [
          `${path}: ${countText(count, 'refund')}, ${formatAmount(totalCents)} ${currency}`,
          ...(copy
            ? [`A copy: the file goes by ${copy.way} and is ${copy.state}. ${ONE_OF_BOTH}`]
            : []),
        ]),
});

const ONE_OF_BOTH = 'Give the bank the copy only if it does not have the file.';

interface WrittenFile extends DeliveredFile {
  /** The way and the state of the file itself, of which this is a copy. */
  readonly copy?: { readonly way: string; readonly state: string };
}

const toJson = ({ totalCents, ...file }: WrittenFile) => ({
  ...file,
  total: formatAmount(totalCents),
});

async function folderOf(out: string | null, { bank }: Deployment): Promise<string> {
  const folder = out === null ? bank.refundsDir : resolve(out);
  if (folder === null) throw new OperatorFault('Give --out, or set BANK_REFUNDS_DIR.');
  // The journal of BANK_REFUNDS_DIR is read and written with --out, too.
  for (const each of new Set([folder, bank.refundsDir ?? folder])) {
    const found = await stat(each).catch(() => null);
    if (!found?.isDirectory()) throw new OperatorFault(`${each} is no folder.`);
  }
  return folder;
}

const withJournal = (deployment: Deployment) => ({
  ...deployment,
  journalFolder: deployment.bank.refundsDir,
});

/** @throws OperatorFault if the journal of either folder shows a restore, or one is open already */
async function refuseWhileHeld({ db, bank }: Deployment, folder: string): Promise<void> {
  for (const each of new Set([folder, bank.refundsDir ?? folder])) {
    if (!(await areRefundsHeld(db, each))) continue;
    throw new OperatorFault(
      'The database was restored to an earlier moment, and refunds are held: a refund could ' +
        'leave twice. Run payreq restore-check.',
    );
  }
}

async function writePending(
  shell: Shell,
  deployment: Deployment,
  folder: string,
): Promise<{ readonly files: WrittenFile[]; readonly others: number }> {
  const { db } = deployment;
  await refuseWhileHeld(deployment, folder);
  const moved: string[] = [];
  const reportRefunds = createRefundReports({
    ...deployment,
    settings: deployment,
    log: createLog({ level: 'error', destination: shell.stderr }),
    // The signals are sent below: this process ends before one in the background is sent.
    wakeSenders() {},
    onRefundChanged: ({ id, paymentRequestId }) => void moved.push(id, paymentRequestId),
    onCaseOpened() {},
  });
  const deps = { ...deployment, ...deployment.bank, reportRefunds };
  const created = await createPaymentFiles(deps);
  const others = created.filter(({ connection }) => connection !== null);
  for (const { messageId, connection } of others) {
    shell.note(`${messageId} leaves by ${wayOf(connection)}: see payreq bank payment-file list.`);
  }
  const delivered = await deliverPaymentFiles(withJournal(deployment), folder);
  await audit(deployment, delivered);
  // A lost signal delays a waiting call by its wait.
  if (moved.length > 0) {
    await notifyOfChanges(db, moved).catch(() => {});
    await notifySenders(db).catch(() => {});
  }
  return { files: delivered, others: others.length };
}

async function writeAgain(
  deployment: Deployment,
  messageId: string,
  folder: string,
): Promise<WrittenFile> {
  await refuseWhileHeld(deployment, folder);
  const file = await writePaymentFileAgain(withJournal(deployment), messageId, folder);
  const row = await findFileRow(deployment.db, messageId);
  if (!file || !row) {
    throw new OperatorFault(
      `No payment file ${messageId} is stored. Files are kept for BANK_FILES_KEEP days.`,
    );
  }
  await audit(deployment, [file]);
  const { isCopy, ...written } = file;
  const { connection, state } = row;
  return isCopy ? { ...written, copy: { way: wayOf(connection), state } } : written;
}

/** Money leaves by these files: the audit log names the operator. */
async function audit(
  { db, clock, actor }: Deployment,
  files: readonly DeliveredFile[],
): Promise<void> {
  if (files.length === 0) return;
  await db.transaction(async (tx) => {
    for (const { messageId, refunds, totalCents } of files) {
      await recordAct(tx, { clock, actor }, 'BANK_REFUND_FILE_WRITTEN', null, {
        messageId,
        refunds,
        totalCents,
      });
    }
  });
}
