import { doOrPropose } from '#commands/cli/act-for-operator.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { argument, CONFIRM, required } from '#commands/cli/inputs.ts';
import type { Deployment } from '#commands/cli/with-deployment.ts';
import { networkNamed } from '#compose/networks.ts';
import type { NearDebit } from '#e-transfer/network-statements.ts';
import { formatAmount } from '#lib/money.ts';
import { failForOperator } from '#refunds/operator/fail-for-operator.ts';
import { findForOperator } from '#refunds/operator/find-for-operator.ts';

/** `payreq refund fail`: the bank has refused a refund, and said so to a person only. */
export const fail = defineCommand({
  summary:
    'end a PROCESSING refund as FAILED because the bank has refused it; its amount is ' +
    'available again. Ask the bank first: money that leaves all the same opens a case',
  options: {
    id: argument('the refund, by its id'),
    note: required('<text>', 'the answer of the bank, for the audit log'),
    ...CONFIRM,
  },
  confirms: true,
  async run(deployment, { id: refundId, note, dryRun }, shell) {
    const deps = { ...deployment, settings: deployment };
    const rehearsed = await failForOperator(deps, refundId, note, 'REHEARSE');
    const warnings = await warningsOf(deployment, rehearsed.id);
    if (!dryRun) {
      const { amountCents } = await findForOperator(deployment.db, refundId);
      const amount = `${formatAmount(amountCents)} ${deployment.currency}`;
      for (const warning of warnings) shell.stderr.write(`warning: ${warning}\n`);
      await shell.confirm(`Fail the refund ${refundId} of ${amount} for good?`);
    }
    const { id, paymentRequestId, status } = dryRun
      ? rehearsed
      : await doOrPropose(deployment, { kind: 'REFUND_FAIL', params: { refundId, note } });
    return { id, paymentRequestId, status, warnings, ...(dryRun && { dryRun }) };
  },
  print: ({ id, warnings }, { dryRun }) => [
    ...(dryRun ? warnings.map((warning) => `Warning: ${warning}`) : []),
    `${dryRun ? 'Would fail' : 'Failed'} the refund ${id}.`,
  ],
});

async function warningsOf({ db, eTransferNetwork }: Deployment, refundId: string) {
  const { statements } = networkNamed(eTransferNetwork) ?? {};
  const debits = await statements?.findNearDebits(db, refundId);
  return (debits ?? []).map(warningOf);
}

/** A refund that the bank executed with charges, and that is created again, is paid twice. */
function warningOf({ amountCents, currency, bookingDate, bankReference }: NearDebit): string {
  const debit = `${formatAmount(amountCents)} ${currency} of ${bookingDate ?? 'an unknown day'}`;
  const reference = bankReference === null ? '' : `, reference ${bankReference}`;
  return `the bank has booked a debit of ${debit}${reference}, which matched nothing and may be it`;
}
