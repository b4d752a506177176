import { Command } from 'commander';
import { actForOperator, printProposal } from '#commands/cli/act-for-operator.ts';
import { confirm, refuseUnconfirmed } from '#commands/cli/confirm.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { type ConfirmOptions, confirmOptions, jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import {
  findNearDebits,
  type NearDebit,
} from '#e-transfer/bank-transfer/refunds-out/near-debits-store.ts';
import { formatAmount } from '#lib/money.ts';
import { failForOperator } from '#refunds/operator/fail-for-operator.ts';
import { findForOperator } from '#refunds/operator/find-for-operator.ts';

interface Options extends ConfirmOptions {
  readonly note: string;
  readonly json?: boolean;
}

/** `payreq refund fail`: the bank has refused a refund, and said so to a person only. */
export function refundFailCommand(invocation: Invocation): Command {
  const command = new Command('fail')
    .description(
      'end a PROCESSING refund as FAILED because the bank has refused it; its amount is ' +
        'available again. Ask the bank first: money that leaves all the same opens a case',
    )
    .argument('<id>', 'the refund, by its id')
    .requiredOption('--note <text>', 'the answer of the bank, for the audit log');
  for (const option of confirmOptions()) command.addOption(option);
  return command
    .addOption(jsonOption())
    .action(async (id: string, options: Options, self: Command) => {
      refuseUnconfirmed(invocation, self, options);
      const { note, dryRun = false } = options;
      const {
        result: refund,
        proposal,
        warnings,
      } = await withDeployment(invocation, self, async (deployment) => {
        const deps = { ...deployment, settings: deployment };
        const rehearsed = await failForOperator(deps, id, note, 'REHEARSE');
        const near = (await findNearDebits(deployment.db, rehearsed.id)).map(warningOf);
        if (dryRun) return { result: rehearsed, proposal: null, warnings: near };
        const { amountCents } = await findForOperator(deployment.db, id);
        const amount = `${formatAmount(amountCents)} ${deployment.currency}`;
        for (const warning of near) invocation.stderr.write(`warning: ${warning}\n`);
        await confirm(invocation, options, `Fail the refund ${id} of ${amount} for good?`);
        const act = { kind: 'REFUND_FAIL', params: { refundId: id, note } } as const;
        return { ...(await actForOperator(deployment, act)), warnings: near };
      });
      if (proposal) return printProposal(invocation, options, proposal);
      const { status, paymentRequestId } = refund;
      printResult(
        invocation,
        options,
        { id: refund.id, paymentRequestId, status, warnings, ...(dryRun && { dryRun }) },
        [
          ...(dryRun ? warnings.map((warning) => `Warning: ${warning}`) : []),
          `${dryRun ? 'Would fail' : 'Failed'} the refund ${refund.id}.`,
        ],
      );
    });
}

/** A refund that the bank executed with charges, and that is created again, is paid twice. */
function warningOf({ amountCents, currency, bookingDate, bankReference }: NearDebit): string {
  const debit = `${formatAmount(amountCents)} ${currency} of ${bookingDate ?? 'an unknown day'}`;
  const reference = bankReference === null ? '' : `, reference ${bankReference}`;
  return `the bank has booked a debit of ${debit}${reference}, which matched nothing and may be it`;
}
