import { type ForgottenFile, settleForgottenFiles } from '#commands/bank/forgotten-files.ts';
import { refuseUnconfirmed } from '#commands/cli/confirm.ts';
import { defineTool, type Shell } from '#commands/cli/define-command.ts';
import { CONFIRM, flag, option } from '#commands/cli/inputs.ts';
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
import { formatFindings } from './format-text.ts';

interface Options {
  readonly auditExport: string | null;
  readonly dryRun: boolean;
}

/** `payreq restore-check`: after a restore to an earlier moment (docs/operations/backup.md). */
export const restoreCheckCommand = defineTool({
  summary:
    'after a restore to an earlier moment: hold all refunds, and list what the network, the ' +
    'bank and merchants may know that the database does not; exit code 1 while refunds are ' +
    'held',
  options: {
    release: flag('let refunds leave again, after everything in the list is done'),
    auditExport: option('<file>', 'list later acts from what payreq audit export has written'),
    ...CONFIRM,
  },
  run(options, shell) {
    if (options.release) refuseUnconfirmed(shell);
    return withNetwork(shell, (deployment) =>
      options.release ? release(deployment, options, shell) : hold(deployment, options),
    );
  },
  json: toJson,
  print: formatFindings,
  fails: ({ restore, files }) => restore !== null || files.length > 0,
});

/** Holds the refunds first, so that nothing leaves while a person reads. */
async function hold(
  deployment: NetworkDeployment,
  { dryRun, auditExport }: Options,
): Promise<Findings> {
  if (dryRun) return collectFindings(deployment, auditExport);
  const { db } = deployment;
  if ((await findOpenRestore(db)) === null) {
    await db.transaction(async (tx) => {
      await noticeRestore(tx, 'OPERATOR');
      await audit(tx, deployment, 'RESTORE_NOTICED');
    });
  }
  const { files, ...findings } = await collectFindings(deployment, auditExport);
  await settleForgottenFiles(deployment, files);
  const { cases } = await collectFindings(deployment, null);
  return { ...findings, files, cases };
}

/** @throws OperatorFault where no restore is open, or a refund that left is still a case */
async function release(
  deployment: NetworkDeployment,
  options: Options,
  shell: Shell,
): Promise<Findings> {
  const { db } = deployment;
  const findings = await collectFindings(deployment, options.auditExport);
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
  await shell.confirm(`Let ${findings.refunds.count} open refunds leave?`);
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
