import { Command } from 'commander';
import { closeCase } from '#cases/close-case.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { CASE_ARGUMENT, runSettlement } from './settle.ts';

/** `payreq cases close`: a person has settled it elsewhere. Changes no payment request. */
export function casesCloseCommand(invocation: Invocation): Command {
  return new Command('close')
    .description('close a settled case; the audit log keeps the operator and the note')
    .argument(...CASE_ARGUMENT)
    .requiredOption('--note <text>', 'the way in which the case was settled')
    .addOption(jsonOption())
    .action((id: string, options: { note: string; json?: boolean }, command: Command) =>
      runSettlement(invocation, command, options, (deps) => closeCase(deps, id, options.note)),
    );
}
