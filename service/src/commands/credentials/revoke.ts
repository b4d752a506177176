import { Command } from 'commander';
import { confirm, refuseUnconfirmed } from '#commands/cli/confirm.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import {
  type ConfirmOptions,
  confirmOptions,
  jsonOption,
  merchantOption,
} from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { countText } from '#lib/words/count-text.ts';
import { type Revocation, revokeCredentials } from '#merchants/credentials/revoke.ts';

interface Options extends ConfirmOptions {
  readonly merchant: string;
  readonly username?: string;
  readonly apiKey?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** `payreq credentials revoke`: ends credentials for good, and the tokens they bought. */
export function credentialsRevokeCommand(invocation: Invocation): Command {
  const command = new Command('revoke')
    .description('end credentials for good, and their tokens, within 5 s')
    .addOption(merchantOption())
    .option('--username <name>', 'this username, its passwords and its tokens')
    .option('--api-key <id>', 'this API key, by its id (see: payreq credentials list)')
    .option('--all', 'every username and API key that the merchant has; asks first');
  for (const option of confirmOptions()) command.addOption(option);
  return command.addOption(jsonOption()).action(async (options: Options, self: Command) => {
    const what = chosen(options);
    if (!what) self.error('error: give one of --username, --api-key and --all');
    if (options.all) refuseUnconfirmed(invocation, self, options);
    const asked = { merchantId: options.merchant, what };
    const revoked = await withDeployment(invocation, self, async (deployment) => {
      if (options.dryRun) return revokeCredentials(deployment, asked, 'REHEARSE');
      if (options.all && !options.yes) {
        const { usernames, apiKeyIds } = await revokeCredentials(deployment, asked, 'REHEARSE');
        await confirm(
          invocation,
          options,
          `Revoke ${countText(usernames.length, 'username')} and ` +
            `${countText(apiKeyIds.length, 'API key')} of ${options.merchant} for good?`,
        );
      }
      return revokeCredentials(deployment, asked);
    });
    const state = options.dryRun ? 'would be revoked' : 'is revoked';
    printResult(invocation, options, { ...revoked, ...(options.dryRun && { dryRun: true }) }, [
      ...revoked.usernames.map((username) => `Username ${username} ${state}.`),
      ...revoked.apiKeyIds.map((id) => `API key ${id} ${state}.`),
    ]);
  });
}

function chosen({ username, apiKey: apiKeyId, all }: Options): Revocation['what'] | undefined {
  const choices = [
    ...(username !== undefined ? [{ username }] : []),
    ...(apiKeyId !== undefined ? [{ apiKeyId }] : []),
    ...(all ? [{ all: true as const }] : []),
  ];
  return choices.length === 1 ? choices[0] : undefined;
}
