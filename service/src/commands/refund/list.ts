import { Command, Option } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { refundMembers } from '#refunds/model/render-json.ts';
import { REFUND_STATUSES, type RefundStatus } from '#refunds/model/statuses.ts';
import { listForOperator, MOST_LISTED } from '#refunds/operator/find-for-operator.ts';
import { refundListInWords } from './in-words.ts';

interface Options {
  readonly merchant?: string;
  readonly status?: RefundStatus;
  readonly paymentRequest?: string;
  readonly json?: boolean;
}

/** `payreq refund list`: the newest refunds of all merchants. */
export function refundListCommand(invocation: Invocation): Command {
  return new Command('list')
    .description(`print the newest refunds of all merchants, at most ${MOST_LISTED}`)
    .option('--merchant <id>', 'only refunds of this merchant')
    .option('--payment-request <id>', 'only refunds of this payment request')
    .addOption(new Option('--status <status>', 'only this status').choices(REFUND_STATUSES))
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const { merchant = null, status = null, paymentRequest = null } = options;
      const { value, lines } = await withDeployment(invocation, command, async (deployment) => {
        const asked = { merchantId: merchant, status, paymentRequestId: paymentRequest };
        const refunds = await listForOperator(deployment.db, asked);
        return {
          value: { refunds: refunds.map((each) => refundMembers(each, deployment)) },
          lines: refundListInWords(refunds, deployment),
        };
      });
      printResult(invocation, options, value, lines);
    });
}
