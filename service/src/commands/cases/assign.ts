import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { CASE_ARGUMENT, runSettlement } from './settle.ts';

interface Options {
  readonly paymentRequest: string;
  readonly note?: string;
  readonly json?: boolean;
}

/** `payreq cases assign`: the money of a case belongs to another payment request. */
export function casesAssignCommand(invocation: Invocation): Command {
  return new Command('assign')
    .description(
      'give the money of a case to a payment request, as if it had arrived for it: PAID when the ' +
        'sum is exact, a part when it is less, a new case when it is more; money that the ' +
        'merchant’s bank gave back becomes a refund of the payment request',
    )
    .argument(...CASE_ARGUMENT)
    .requiredOption('--payment-request <id>', 'the payment request that the payer meant')
    .option('--note <text>', 'the reason, for the audit log')
    .addOption(jsonOption())
    .action((id: string, options: Options, command: Command) =>
      runSettlement(invocation, command, options, {
        kind: 'CASE_ASSIGN',
        params: {
          caseId: id,
          paymentRequestId: options.paymentRequest,
          note: options.note ?? null,
        },
      }),
    );
}
