import { Command } from 'commander';
import { removeSigningKey } from '#access/remove-signing-key.ts';
import { jsonOption } from './command-options.ts';
import { printResult } from './print-result.ts';
import { withDeployment } from './with-deployment.ts';

/** `payreq keys remove`: ends every token that a key signed. */
export function keysRemoveCommand(): Command {
  return new Command('remove')
    .description('take a key out: every token that it signed ends within 5 s')
    .argument('<key-id>', 'the key (see: payreq keys list); not the one that signs now')
    .addOption(jsonOption())
    .action(async (keyId: string, options: { json?: boolean }, command: Command) => {
      await withDeployment(command, (deployment) => removeSigningKey(deployment, keyId));
      printResult(options, { keyId, state: 'REMOVED' }, [`Key ${keyId} is removed.`]);
    });
}
