import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { readCredentials } from '#merchants/credentials/list.ts';

/** `payreq credentials list`: what a merchant can log in with; no secrets, only names and ends. */
export function credentialsListCommand(invocation: Invocation): Command {
  return new Command('list')
    .description('print a merchant’s usernames and API keys, without their secrets')
    .addOption(merchantOption())
    .addOption(jsonOption())
    .action(async (options: { merchant: string; json?: boolean }, command: Command) => {
      const found = await withDeployment(invocation, command, (deployment) =>
        readCredentials(deployment, options.merchant),
      );
      printResult(invocation, options, found, [
        ...alignColumns([
          ['USERNAME', 'STATUS', 'LIVE PASSWORDS', 'SCOPES'],
          ...found.credentials.map(({ username, status, passwords, scopes }) => [
            username,
            status,
            String(passwords.length),
            scopes.join(' '),
          ]),
        ]),
        '',
        ...alignColumns([
          ['API KEY', 'ID', 'STATUS', 'ENDS', 'LAST USE'],
          ...found.apiKeys.map(({ id, hint, status, endDateTime, lastUseDateTime }) => [
            `${hint}…`,
            id,
            status,
            endDateTime ?? 'never',
            lastUseDateTime ?? '-',
          ]),
        ]),
      ]);
    });
}
