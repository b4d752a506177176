import { InvalidArgumentError } from 'commander';
import { doOrPropose } from '#commands/cli/act-for-operator.ts';
import { tableOf } from '#commands/cli/align-columns.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { MERCHANT, option } from '#commands/cli/inputs.ts';
import type { Deployment } from '#commands/cli/with-deployment.ts';
import { hasScheme, parseAccount } from '#lib/bank/account-number.ts';
import { ACCOUNT_SCHEMES, SCHEME_NAMES } from '#lib/bank/account-schemes.ts';
import { isQrIban } from '#lib/bank/iban.ts';
import type { Account } from '#merchants/accounts/account.ts';
import { accountInputOf } from '#merchants/accounts/read-account.ts';
import { listAccounts } from '#merchants/accounts/set-account.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

interface Asked {
  readonly merchant: string;
  readonly close: number | null;
  /** The other options; null: not given. */
  readonly given: Readonly<Record<string, unknown>>;
}

const BANKS = SCHEME_NAMES.map((name) => `${name}: ${ACCOUNT_SCHEMES[name].bankForm}`).join('; ');

/** `payreq merchant set-account`: where payers' bank transfers go (bank-transfer §1). */
export const setAccount = defineCommand({
  summary:
    'set the bank account to which payers transfer money to a merchant; open payment requests ' +
    'keep the account that they show. Check first that the account is the merchant’s own',
  options: {
    merchant: MERCHANT,
    holder: option('<name>', 'the account holder, as the bank knows it, 1 to 70 characters'),
    iban: option('<iban>', 'the account; blanks are fine'),
    scheme: option('<name>', `of an account without an IBAN: ${SCHEME_NAMES.join(', ')}`),
    bank: option('<digits>', `beside --scheme. ${BANKS}`),
    number: option('<digits>', 'of the account, beside --scheme'),
    statementId: option('<text>', 'the number exactly as the bank’s statements write it'),
    etransferAddress: option(
      '<email>',
      'an Interac address with Autodeposit; payers see it after payreq bank etransfer-proof',
    ),
    bic: option('<bic>', 'the bank, where payers need it'),
    street: option('<street>', 'with its number, of the holder’s address'),
    postalCode: option('<code>', 'of the holder’s address, which a Swiss QR-bill must name'),
    town: option('<town>', 'of the holder’s address'),
    country: option('<country>', 'of the holder’s address, in two letters, as in CH'),
    close: option('<version>', 'the bank has closed this version of the account', readVersion),
  },
  async run(deployment, { merchant, close, ...given }, { stderr }) {
    const changed = await change(deployment, { merchant, close, given });
    if (needsAddress(changed.account, deployment.currency)) stderr.write(`${NO_ADDRESS}\n`);
    return changed;
  },
  json: ({ account }, { merchant }) => ({ merchantId: merchant, ...toEntry(account) }),
  print: ({ words }) => words,
});

const NO_ADDRESS =
  'Payers see no QR code: a Swiss QR-bill names the holder’s address. Set the account again with ' +
  '--postal-code, --town and --country.';

/** Pages show a QR-bill for CHF, and for a QR-IBAN also in EUR (bank-transfer §2). */
function needsAddress(account: Account, currency: string): boolean {
  const { accountNumber, address, closedAt } = account;
  if (address !== null || closedAt !== null || hasScheme(accountNumber)) return false;
  return currency === 'CHF' || isQrIban(accountNumber);
}

async function change(
  deployment: Deployment,
  { merchant: merchantId, close, given }: Asked,
): Promise<{ readonly account: Account; readonly words: string }> {
  if (close !== null) {
    if (Object.values(given).some((each) => typeof each === 'string')) {
      throw new OperatorFault('--close stands alone: set the new account first.');
    }
    const params = { merchantId, version: close };
    const account = await doOrPropose(deployment, { kind: 'ACCOUNT_CLOSE', params });
    return { account, words: `Version ${account.version} of the account is closed.` };
  }
  if (given.holder === null || (given.iban === null && given.scheme === null)) {
    throw new OperatorFault('Give --holder and --iban or --scheme, or --close.');
  }
  const account = accountInputOf((name) => (given[name] as string | null) ?? undefined);
  const params = { merchantId, account };
  const set = await doOrPropose(deployment, { kind: 'ACCOUNT_SET', params });
  const { version } = set.account;
  const words = set.isNew
    ? `Payers see version ${version} of the account from now on.`
    : `Nothing was changed: version ${version} is this account.`;
  return { account: set.account, words };
}

function readVersion(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a version, as in 2.');
  return Number(text);
}

/** `payreq merchant list-accounts`: the versions of a merchant's account (bank-transfer §1). */
export const listVersions = defineCommand({
  summary: 'print every version of the account to which payers of a merchant transfer money',
  options: { merchant: MERCHANT },
  async run(deployment, { merchant: merchantId }) {
    const accounts = await listAccounts(deployment, merchantId);
    return { merchantId, accounts: accounts.map(toEntry) };
  },
  print: ({ accounts }) =>
    tableOf(
      'The merchant has no account yet: payreq merchant set-account --help',
      ['VERSION', 'STATE', 'SINCE', 'ACCOUNT', 'BIC', 'HOLDER'],
      accounts.map((account) => [
        String(account.version),
        stateOf(account),
        account.createdDateTime.slice(0, 10),
        account.accountNumber,
        account.bic ?? '–',
        account.holder,
      ]),
    ),
});

function toEntry({ createdAt, replacedAt, closedAt, id: _, ...account }: Account) {
  const { scheme, bank, number } = parseAccount(account.accountNumber);
  return {
    ...account,
    ...(scheme === 'IBAN' ? { iban: number } : { scheme, bank, number }),
    createdDateTime: createdAt.toISOString(),
    replacedDateTime: replacedAt?.toISOString() ?? null,
    closedDateTime: closedAt?.toISOString() ?? null,
  };
}

function stateOf({ replacedDateTime, closedDateTime }: ReturnType<typeof toEntry>): string {
  if (closedDateTime !== null) return 'CLOSED';
  return replacedDateTime === null ? 'CURRENT' : 'FORMER';
}
