import { Command, InvalidArgumentError } from 'commander';
import type { ResultOf } from '#approvals/model/act.ts';
import type { Proposal } from '#approvals/model/proposal.ts';
import { type Acted, actForOperator, printProposal } from '#commands/cli/act-for-operator.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { type Deployment, withDeployment } from '#commands/cli/with-deployment.ts';
import { isQrIban } from '#lib/bank/iban.ts';
import type { Account } from '#merchants/accounts/account.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { toEntry } from './list-accounts.ts';

interface Options {
  readonly merchant: string;
  readonly holder?: string;
  readonly iban?: string;
  readonly bic?: string;
  readonly street?: string;
  readonly postalCode?: string;
  readonly town?: string;
  readonly country?: string;
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
    .option('--street <street>', 'with its number, of the holder’s address')
    .option('--postal-code <code>', 'of the holder’s address, which a Swiss QR-bill must name')
    .option('--town <town>', 'of the holder’s address')
    .option('--country <country>', 'of the holder’s address, in two letters, as in CH')
    .option('--close <version>', 'the bank has closed this version of the account', readVersion)
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const { changed, proposal } = await withDeployment(
        invocation,
        command,
        async (deployment) => {
          const acted = await change(deployment, options);
          if (acted.changed && needsAddress(acted.changed.account, deployment.currency)) {
            invocation.stderr.write(`${NO_ADDRESS}\n`);
          }
          return acted;
        },
      );
      if (proposal) return printProposal(invocation, options, proposal);
      const result = { merchantId: options.merchant, ...toEntry(changed.account) };
      printResult(invocation, options, result, [changed.words]);
    });
}

const NO_ADDRESS =
  'Payers see no QR code: a Swiss QR-bill names the holder’s address. Set the account again with ' +
  '--postal-code, --town and --country.';

/** Pages show a QR-bill for CHF, and for a QR-IBAN also in EUR (bank-transfer §2). */
function needsAddress({ iban, address, closedAt }: Account, currency: string): boolean {
  return address === null && closedAt === null && (currency === 'CHF' || isQrIban(iban));
}

type Changed =
  | { readonly changed: { readonly account: Account; readonly words: string }; proposal: null }
  | { readonly changed: null; readonly proposal: Proposal };

async function change(
  deployment: Deployment,
  { merchant: merchantId, holder, iban, bic, close, ...rest }: Options,
): Promise<Changed> {
  const { street, postalCode, town, country } = rest;
  const address = { street, postalCode, town, country };
  const given = [holder, iban, bic, ...Object.values(address)];
  const isSetting = given.some((each) => each !== undefined);
  if (close !== undefined) {
    if (isSetting) throw new OperatorFault('--close stands alone: set the new account first.');
    const params = { merchantId, version: close };
    const closed = await actForOperator(deployment, { kind: 'ACCOUNT_CLOSE', params });
    return inWords(closed, (account) => ({
      account,
      words: `Version ${account.version} of the account is closed.`,
    }));
  }
  if (holder === undefined || iban === undefined) {
    throw new OperatorFault('Give --holder and --iban, or --close.');
  }
  const params = { merchantId, account: { holder, iban, bic: bic ?? null, address } };
  const set = await actForOperator(deployment, { kind: 'ACCOUNT_SET', params });
  return inWords(set, ({ account, isNew }) => ({
    account,
    words: isNew
      ? `Payers see version ${account.version} of the account from now on.`
      : `Nothing was changed: version ${account.version} is this account.`,
  }));
}

function inWords<Kind extends 'ACCOUNT_SET' | 'ACCOUNT_CLOSE'>(
  { result, proposal }: Acted<Kind>,
  tell: (result: ResultOf<Kind>) => { account: Account; words: string },
): Changed {
  return proposal ? { changed: null, proposal } : { changed: tell(result), proposal: null };
}

function readVersion(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a version, as in 2.');
  return Number(text);
}
