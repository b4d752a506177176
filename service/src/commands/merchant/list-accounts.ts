import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import type { Account } from '#merchants/accounts/account.ts';
import { listAccounts } from '#merchants/accounts/set-account.ts';

/** `payreq merchant list-accounts`: the versions of a merchant's account (bank-transfer §1). */
export function merchantListAccountsCommand(invocation: Invocation): Command {
  return new Command('list-accounts')
    .description('print every version of the account to which payers of a merchant transfer money')
    .addOption(merchantOption())
    .addOption(jsonOption())
    .action(async (options: { merchant: string; json?: boolean }, command: Command) => {
      const { merchant: merchantId } = options;
      const accounts = await withDeployment(invocation, command, (deployment) =>
        listAccounts(deployment, merchantId),
      );
      const result = { merchantId, accounts: accounts.map(toEntry) };
      printResult(invocation, options, result, inWords(accounts));
    });
}

export function toEntry({ createdAt, replacedAt, closedAt, id: _, ...account }: Account) {
  return {
    ...account,
    createdDateTime: createdAt.toISOString(),
    replacedDateTime: replacedAt?.toISOString() ?? null,
    closedDateTime: closedAt?.toISOString() ?? null,
  };
}

function inWords(accounts: readonly Account[]): string[] {
  if (accounts.length === 0) {
    return ['The merchant has no account yet: payreq merchant set-account --help'];
  }
  return alignColumns([
    ['VERSION', 'STATE', 'SINCE', 'IBAN', 'BIC', 'HOLDER'],
    ...accounts.map((account) => [
      String(account.version),
      stateOf(account),
      account.createdAt.toISOString().slice(0, 10),
      account.iban,
      account.bic ?? '–',
      account.holder,
    ]),
  ]);
}

function stateOf({ replacedAt, closedAt }: Account): string {
  if (closedAt !== null) return 'CLOSED';
  return replacedAt === null ? 'CURRENT' : 'FORMER';
}
