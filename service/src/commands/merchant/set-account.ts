import { Command, InvalidArgumentError } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import type { Account } from '#merchants/accounts/account.ts';
import { type AccountDeps, closeAccount, setAccount } from '#merchants/accounts/set-account.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { toEntry } from './list-accounts.ts';

interface Options {
  readonly merchant: string;
  readonly holder?: string;
  readonly iban?: string;
  readonly bic?: string;
  readonly close?: number;
  readonly json?: boolean;
}

/** `payreq merchant set-account`: where payers' bank transfers go (bank-transfer §1). */
export function merchantSetAccountCommand(invocation: Invocation): Command {
  return new Command('set-account')
    .description(
      'set the bank account to which payers transfer money to a merchant; open payment requests ' +
        'keep the account that they show. Check first that the account is the merchant’s own',
    )
    .addOption(merchantOption())
    .option('--holder <name>', 'the account holder, as the bank knows it, 1 to 70 characters')
    .option('--iban <iban>', 'the account; blanks are fine')
    .option('--bic <bic>', 'the bank, where payers need it')
    .option('--close <version>', 'the bank has closed this version of the account', readVersion)
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const { account, words } = await withDeployment(invocation, command, (deployment) =>
        change(deployment, options),
      );
      const result = { merchantId: options.merchant, ...toEntry(account) };
      printResult(invocation, options, result, [words]);
    });
}

async function change(
  deps: AccountDeps,
  { merchant, holder, iban, bic, close }: Options,
): Promise<{ account: Account; words: string }> {
  const isSetting = holder !== undefined || iban !== undefined || bic !== undefined;
  if (close !== undefined) {
    if (isSetting) throw new OperatorFault('--close stands alone: set the new account first.');
    const account = await closeAccount(deps, merchant, close);
    return { account, words: `Version ${account.version} of the account is closed.` };
  }
  if (holder === undefined || iban === undefined) {
    throw new OperatorFault('Give --holder and --iban, or --close.');
  }
  const { account, isNew } = await setAccount(deps, merchant, { holder, iban, bic: bic ?? null });
  const words = isNew
    ? `Payers see version ${account.version} of the account from now on.`
    : `Nothing was changed: version ${account.version} is this account.`;
  return { account, words };
}

function readVersion(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a version, as in 2.');
  return Number(text);
}
