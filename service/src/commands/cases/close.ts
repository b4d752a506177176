import { Command } from 'commander';
import { closeCase } from '#cases/close-case.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { canRefund } from '#compose/connect-network.ts';
import { CASE_ARGUMENT, printSettled } from './settle.ts';

/** `payreq cases close`: a person has settled it elsewhere. Changes no payment request. */
export function casesCloseCommand(invocation: Invocation): Command {
  return new Command('close')
    .description(
      'close a case that a person has settled elsewhere: no money moves; the audit log keeps the ' +
        'operator and the note',
    )
    .argument(...CASE_ARGUMENT)
    .requiredOption('--note <text>', 'the way in which the case was settled')
    .addOption(jsonOption())
    .action(async (id: string, options: { note: string; json?: boolean }, command: Command) => {
      const settled = await withDeployment(invocation, command, (deployment) =>
        closeCase(
          { ...deployment, settings: deployment, canRefund: canRefund(deployment) },
          id,
          options.note,
        ),
      );
      printSettled(invocation, options, settled);
    });
}
