import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { showListener } from '#merchants/show-listener.ts';

/** `payreq credentials show-listener`: what a merchant's default listener is called with. */
export function credentialsShowListenerCommand(invocation: Invocation): Command {
  return new Command('show-listener')
    .description('print a merchant’s default listener credentials; the audit log records this')
    .addOption(merchantOption())
    .addOption(jsonOption())
    .action(async (options: { merchant: string; json?: boolean }, command: Command) => {
      const listener = await withDeployment(invocation, command, (deployment) =>
        showListener(deployment, options.merchant),
      );
      printResult(
        invocation,
        options,
        listener,
        alignColumns([
          ['Username', listener.username],
          ['Password', listener.password],
          ['Signing secret', listener.signingSecret],
        ]),
      );
    });
}
