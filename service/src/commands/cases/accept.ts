import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { CASE_ARGUMENT, runSettlement } from './settle.ts';

/** `payreq cases accept`: the payment request becomes PAID with the money that arrived. */
export function casesAcceptCommand(invocation: Invocation): Command {
  return new Command('accept')
    .description(
      'take the money of a case as the payment: the payment request is PAID with any amount; ' +
        'or record a refund that the merchant’s bank made; or book the difference of a ' +
        'REFUND_AMOUNT as charges or a correction',
    )
    .argument(...CASE_ARGUMENT)
    .option('--note <text>', 'the reason, for the audit log')
    .addOption(jsonOption())
    .action((id: string, options: { note?: string; json?: boolean }, command: Command) =>
      runSettlement(invocation, command, options, {
        kind: 'CASE_ACCEPT',
        params: { caseId: id, note: options.note ?? null },
      }),
    );
}
