import { Command } from 'commander';
import { removeSigningKey } from '#access/signing-keys/remove.ts';
import { confirm, refuseUnconfirmed } from '#commands/cli/confirm.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { type ConfirmOptions, confirmOptions, jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';

type Options = ConfirmOptions & { readonly json?: boolean };

/** `payreq keys remove`: ends every token that a key signed. */
export function keysRemoveCommand(invocation: Invocation): Command {
  const command = new Command('remove')
    .description('remove a key: every token that it signed ends within 5 s')
    .argument('<key-id>', 'the key (see: payreq keys list); not the key that signs now');
  for (const option of confirmOptions()) command.addOption(option);
  return command
    .addOption(jsonOption())
    .action(async (keyId: string, options: Options, self: Command) => {
      refuseUnconfirmed(invocation, self, options);
      const state = await withDeployment(invocation, self, async (deployment) => {
        const found = await removeSigningKey(deployment, keyId, 'REHEARSE');
        if (options.dryRun) return found;
        await confirm(invocation, options, `Remove key ${keyId} (${found}) and end its tokens?`);
        return removeSigningKey(deployment, keyId);
      });
      if (options.dryRun) {
        printResult(invocation, options, { keyId, state, dryRun: true }, [
          `Would remove key ${keyId} (${state}): every token that it signed would end.`,
        ]);
      } else
        printResult(invocation, options, { keyId, state: 'REMOVED' }, [`Key ${keyId} is removed.`]);
    });
}
