import { Command } from 'commander';
import { type Revocation, revokeCredentials } from '#merchants/revoke-credentials.ts';
import { jsonOption, merchantOption } from './command-options.ts';
import { printResult } from './print-result.ts';
import { withDeployment } from './with-deployment.ts';

interface Options {
  readonly merchant: string;
  readonly username?: string;
  readonly apiKey?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** `payreq credentials revoke`: ends credentials for good, and the tokens they bought. */
export function credentialsRevokeCommand(): Command {
  return new Command('revoke')
    .description('end credentials for good, and the tokens they bought, within 5 s')
    .addOption(merchantOption())
    .option('--username <name>', 'this username, its passwords and its tokens')
    .option('--api-key <id>', 'this API key, by its id (see: payreq credentials list)')
    .option('--all', 'every username and API key that the merchant has')
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const what = chosen(options);
      if (!what) command.error('error: give one of --username, --api-key and --all');
      const revoked = await withDeployment(command, (deployment) =>
        revokeCredentials(deployment, { merchantId: options.merchant, what }),
      );
      printResult(options, revoked, [
        ...revoked.usernames.map((username) => `Username ${username} is revoked.`),
        ...revoked.apiKeyIds.map((id) => `API key ${id} is revoked.`),
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
