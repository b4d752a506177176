import { Command } from 'commander';
import { listSigningKeys } from '#access/signing-keys/key-store.ts';
import { signingKeyStates } from '#access/signing-keys/states.ts';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';

/** `payreq keys list`: the keys of access tokens and what each is good for now. */
export function keysListCommand(invocation: Invocation): Command {
  return new Command('list')
    .description('print the keys of access tokens, newest first, and the use of each')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }, command: Command) => {
      const keys = await withDeployment(invocation, command, async ({ db, clock }) =>
        signingKeyStates(await listSigningKeys(db), clock.now()).map(({ key, state }) => ({
          keyId: key.keyId,
          state,
          signsFromDateTime: key.signsFrom.toISOString(),
          removedDateTime: key.removedAt?.toISOString() ?? null,
        })),
      );
      const lines = alignColumns([
        ['KEY ID', 'STATE', 'SIGNS FROM'],
        ...keys.map(({ keyId, state, signsFromDateTime }) => [keyId, state, signsFromDateTime]),
      ]);
      const none = 'There is no key yet. The first token call makes one, or payreq keys rotate.';
      printResult(invocation, options, { keys }, keys.length === 0 ? [none] : lines);
    });
}
