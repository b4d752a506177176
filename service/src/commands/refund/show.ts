import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { refundMembers } from '#refunds/model/render-json.ts';
import { findForOperator } from '#refunds/operator/find-for-operator.ts';
import { refundInWords } from './in-words.ts';

/** `payreq refund show`: a refund of any merchant with its statuses. */
export function refundShowCommand(invocation: Invocation): Command {
  return new Command('show')
    .description('print a refund of any merchant with its statuses')
    .argument('<id>', 'the refund, by its id')
    .addOption(jsonOption())
    .action(async (id: string, options: { json?: boolean }, command: Command) => {
      const { value, lines } = await withDeployment(invocation, command, async (deployment) => {
        const refund = await findForOperator(deployment.db, id);
        return {
          value: refundMembers(refund, deployment),
          lines: refundInWords(refund, deployment),
        };
      });
      printResult(invocation, options, value, lines);
    });
}
