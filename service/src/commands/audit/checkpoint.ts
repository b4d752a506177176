import { Command } from 'commander';
import { addCheckpoint } from '#audit/prune-audit-log.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { headText } from './options.ts';
import { asOwner } from './prune.ts';

/** `payreq audit checkpoint`: signs the end of the chain, so that nobody can compute it anew. */
export function auditCheckpointCommand(invocation: Invocation): Command {
  return new Command('checkpoint')
    .description(
      'verify the audit log and sign its end with SECRETS_KEY: a later change of earlier ' +
        'entries is then detected; run it with the DATABASE_URL of the tables’ owner',
    )
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }, command: Command) => {
      const head = await withDeployment(invocation, command, (deployment) =>
        asOwner(addCheckpoint(deployment)),
      );
      const text = headText(head);
      printResult(invocation, options, { head: text }, [`Signed. Head: ${text}`]);
    });
}
