import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { collect, jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { createCredentials } from '#merchants/credentials/create.ts';
import { FULL_SCOPE, SCOPES } from '#merchants/scopes.ts';

interface Options {
  readonly merchant: string;
  readonly scope?: readonly string[];
  readonly json?: boolean;
}

/** `payreq credentials create`: one more username, as wide or narrow as is asked. */
export function credentialsCreateCommand(invocation: Invocation): Command {
  return new Command('create')
    .description('create another username and password: with fewer scopes, or after a revocation')
    .addOption(merchantOption())
    .option(
      '--scope <scope>',
      `a scope, repeatable; default: ${FULL_SCOPE}. Scopes: ${SCOPES.join(', ')}`,
      collect,
    )
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const created = await withDeployment(invocation, command, (deployment) =>
        createCredentials(deployment, options.merchant, options.scope ?? [FULL_SCOPE]),
      );
      const { username, password, scopes, apiKey } = created;
      printResult(invocation, options, created, [
        ...alignColumns([
          ['Username', username],
          ['Password', password],
          ['Scopes', scopes.join(' ')],
          ['API key', apiKey ?? 'the ones that the merchant has go on'],
        ]),
        '',
        'Keep these now: only hashes are stored, they cannot be shown again.',
      ]);
    });
}
