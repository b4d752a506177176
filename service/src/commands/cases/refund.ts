import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { CASE_ARGUMENT, runSettlement } from './settle.ts';

interface Options {
  readonly movement?: string;
  readonly note?: string;
  readonly json?: boolean;
}

/** `payreq cases refund`: the money of a case goes back to the account from which it came. */
export function casesRefundCommand(invocation: Invocation): Command {
  return new Command('refund')
    .description('give what is left of the money of a case back, to the account from which it came')
    .argument(...CASE_ARGUMENT)
    .option('--movement <reference>', 'for REFUND_ACCOUNT_UNCLEAR: the movement to give back')
    .option('--note <text>', 'the reason, for the audit log')
    .addOption(jsonOption())
    .action((id: string, options: Options, command: Command) =>
      runSettlement(invocation, command, options, {
        kind: 'CASE_REFUND',
        params: {
          caseId: id,
          movement: options.movement ?? null,
          note: options.note ?? null,
        },
      }),
    );
}
