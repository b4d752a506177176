import { Command } from 'commander';
import { type ForgottenFile, settleForgottenFiles } from '#commands/bank/forgotten-files.ts';
import { confirm, refuseUnconfirmed } from '#commands/cli/confirm.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { type ConfirmOptions, confirmOptions, jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { type NetworkDeployment, withNetwork } from '#commands/cli/with-network.ts';
import type { Executor } from '#database/database.ts';
import {
  findOpenRestore,
  noticeRestore,
  releaseRestore,
} from '#database/restores/restore-store.ts';
import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import { insertAuditEntry } from '#merchants/audit-log-store.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { collectFindings, type Findings } from './findings.ts';
import { findingsInWords } from './in-words.ts';

interface Options extends ConfirmOptions {
  readonly release?: boolean;
  readonly auditExport?: string;
  readonly json?: boolean;
}

/** `payreq restore-check`: after a restore to an earlier moment (docs/operations/backup.md). */
export function restoreCheckCommand(invocation: Invocation): Command {
  const command = new Command('restore-check')
    .description(
      'after a restore to an earlier moment: hold all refunds, and list what the network, the ' +
        'bank and merchants may know that the database does not; exit code 1 while refunds are ' +
        'held',
    )
    .option('--release', 'let refunds leave again, after everything in the list is done')
    .option('--audit-export <file>', 'list later acts from what payreq audit export has written');
  for (const option of confirmOptions()) command.addOption(option);
  return command.addOption(jsonOption()).action(async (options: Options, self: Command) => {
    if (options.release) refuseUnconfirmed(invocation, self, options);
    const findings = await withNetwork(invocation, self, (deployment) =>
      options.release ? release(invocation, deployment, options) : hold(deployment, options),
    );
    printResult(invocation, options, toJson(findings), findingsInWords(findings));
    if (findings.restore !== null || findings.files.length > 0) invocation.fail();
  });
}

/** Holds the refunds first, so that nothing leaves while a person reads. */
async function hold(
  deployment: NetworkDeployment,
  { dryRun, auditExport }: Options,
): Promise<Findings> {
  if (dryRun) return collectFindings(deployment, auditExport ?? null);
  const { db } = deployment;
  if ((await findOpenRestore(db)) === null) {
    await db.transaction(async (tx) => {
      await noticeRestore(tx, 'OPERATOR');
      await audit(tx, deployment, 'RESTORE_NOTICED');
    });
  }
  const { files, ...findings } = await collectFindings(deployment, auditExport ?? null);
  await settleForgottenFiles(deployment, files);
  const { cases } = await collectFindings(deployment, null);
  return { ...findings, files, cases };
}

/** @throws OperatorFault where no restore is open, or a refund that left is still a case */
async function release(
  invocation: Invocation,
  deployment: NetworkDeployment,
  options: Options,
): Promise<Findings> {
  const { db } = deployment;
  const findings = await collectFindings(deployment, options.auditExport ?? null);
  const { restore, cases, files } = findings;
  if (restore === null) throw new OperatorFault('No restore holds refunds.');
  if (files.some(({ known }) => known.some(isOpen))) {
    throw new OperatorFault('Refunds stand in files that left. Run payreq restore-check first.');
  }
  if (cases.length > 0) {
    throw new OperatorFault(
      `Refunds left that the database does not know: settle ${cases.join(', ')} first ` +
        '(payreq cases show), or they could be created and leave again.',
    );
  }
  if (options.dryRun) return findings;
  await confirm(invocation, options, `Let ${findings.refunds.count} open refunds leave?`);
  await db.transaction(async (tx) => {
    await releaseRestore(tx, restore.id, files.map(messageIdOf));
    await audit(tx, deployment, 'RESTORE_RELEASED');
  });
  return { ...findings, restore: null, files: [] };
}

function audit(
  tx: Executor,
  { clock, actor }: NetworkDeployment,
  action: 'RESTORE_NOTICED' | 'RESTORE_RELEASED',
): Promise<void> {
  const occurredAt = clock.now();
  return insertAuditEntry(tx, { actor, action, merchantId: null, details: {}, occurredAt });
}

function toJson({ restore, endsAt, refunds, files, ...findings }: Findings) {
  return {
    refundsHeld: restore !== null,
    endsAt: formatInstant(endsAt),
    ...(restore && {
      noticedAt: formatInstant(restore.noticedAt),
      noticedBy: restore.noticedBy,
    }),
    ...findings,
    refunds: { ...refunds, data: refunds.data.map(amountOf) },
    refundFiles: files.map(({ known, unknown, ...file }) => ({
      ...file,
      known: known.map(refundOf),
      unknown: unknown.map(refundOf),
    })),
  };
}

const isOpen = ({ status }: { readonly status: string }): boolean =>
  status === 'CREATED' || status === 'PROCESSING';

const amountOf = <Row extends { readonly amountCents: number }>({ amountCents, ...row }: Row) => ({
  ...row,
  amount: formatAmount(amountCents),
});

const refundOf = ({ id, paymentRequestId, amountCents }: ForgottenFile['unknown'][number]) =>
  amountOf({ id, paymentRequestId, amountCents });

const messageIdOf = ({ messageId }: ForgottenFile): string => messageId;
