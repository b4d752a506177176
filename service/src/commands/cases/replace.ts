import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { CASE_ARGUMENT, runSettlement } from './settle.ts';

interface Options {
  readonly movement?: string;
  readonly note?: string;
  readonly json?: boolean;
}

/** `payreq cases replace`: the bank has corrected an earlier booking. */
export function casesReplaceCommand(invocation: Invocation): Command {
  return new Command('replace')
    .description(
      'let the corrected booking of a case take the place of the earlier one under the same bank ' +
        'reference; a payment request that is PAID stays PAID, and the difference is a new case',
    )
    .argument(...CASE_ARGUMENT)
    .option(
      '--movement <reference>',
      'the earlier booking or its part, where the case names several',
    )
    .option('--note <text>', 'the reason, for the audit log')
    .addOption(jsonOption())
    .action((id: string, options: Options, command: Command) =>
      runSettlement(invocation, command, options, {
        kind: 'CASE_REPLACE',
        params: { caseId: id, movement: options.movement ?? null, note: options.note ?? null },
      }),
    );
}
