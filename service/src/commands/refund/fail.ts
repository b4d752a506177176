import { Command } from 'commander';
import { actForOperator, printProposal } from '#commands/cli/act-for-operator.ts';
import { confirm, refuseUnconfirmed } from '#commands/cli/confirm.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { type ConfirmOptions, confirmOptions, jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
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
      const { result: refund, proposal } = await withDeployment(
        invocation,
        self,
        async (deployment) => {
          const deps = { ...deployment, settings: deployment };
          const rehearsed = await failForOperator(deps, id, note, 'REHEARSE');
          if (dryRun) return { result: rehearsed, proposal: null };
          const { amountCents } = await findForOperator(deployment.db, id);
          const amount = `${formatAmount(amountCents)} ${deployment.currency}`;
          await confirm(invocation, options, `Fail the refund ${id} of ${amount} for good?`);
          const act = { kind: 'REFUND_FAIL', params: { refundId: id, note } } as const;
          return actForOperator(deployment, act);
        },
      );
      if (proposal) return printProposal(invocation, options, proposal);
      const { status, paymentRequestId } = refund;
      printResult(
        invocation,
        options,
        { id: refund.id, paymentRequestId, status, ...(dryRun && { dryRun }) },
        [`${dryRun ? 'Would fail' : 'Failed'} the refund ${refund.id}.`],
      );
    });
}
