import { InvalidArgumentError } from 'commander';
import { doOrPropose } from '#commands/cli/act-for-operator.ts';
import { tableOf } from '#commands/cli/align-columns.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { option } from '#commands/cli/inputs.ts';
import { MERCHANT } from '#commands/cli/options.ts';
import type { Deployment } from '#commands/cli/with-deployment.ts';
import { isQrIban } from '#lib/bank/iban.ts';
import type { Account } from '#merchants/accounts/account.ts';
import { listAccounts } from '#merchants/accounts/set-account.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

interface Asked {
  readonly merchant: string;
  readonly holder: string | null;
  readonly iban: string | null;
  readonly bic: string | null;
  readonly close: number | null;
  /** With null for a part that is not given. */
  readonly address: Readonly<Record<'street' | 'postalCode' | 'town' | 'country', string | null>>;
}

/** `payreq merchant set-account`: where payers' bank transfers go (bank-transfer §1). */
export const setAccount = defineCommand({
  name: 'set-account',
  summary:
    'set the bank account to which payers transfer money to a merchant; open payment requests ' +
    'keep the account that they show. Check first that the account is the merchant’s own',
  options: {
    merchant: MERCHANT,
    holder: option('<name>', 'the account holder, as the bank knows it, 1 to 70 characters'),
    iban: option('<iban>', 'the account; blanks are fine'),
    bic: option('<bic>', 'the bank, where payers need it'),
    street: option('<street>', 'with its number, of the holder’s address'),
    postalCode: option('<code>', 'of the holder’s address, which a Swiss QR-bill must name'),
    town: option('<town>', 'of the holder’s address'),
    country: option('<country>', 'of the holder’s address, in two letters, as in CH'),
    close: option('<version>', 'the bank has closed this version of the account', readVersion),
  },
  async run(deployment, { street, postalCode, town, country, ...options }, { stderr }) {
    const address = { street, postalCode, town, country };
    const changed = await change(deployment, { ...options, address });
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
function needsAddress({ iban, address, closedAt }: Account, currency: string): boolean {
  return address === null && closedAt === null && (currency === 'CHF' || isQrIban(iban));
}

async function change(
  deployment: Deployment,
  { merchant: merchantId, holder, iban, bic, close, address: parts }: Asked,
): Promise<{ readonly account: Account; readonly words: string }> {
  if (close !== null) {
    const given = [holder, iban, bic, ...Object.values(parts)];
    if (given.some((each) => each !== null)) {
      throw new OperatorFault('--close stands alone: set the new account first.');
    }
    const params = { merchantId, version: close };
    const account = await doOrPropose(deployment, { kind: 'ACCOUNT_CLOSE', params });
    return { account, words: `Version ${account.version} of the account is closed.` };
  }
  if (holder === null || iban === null) {
    throw new OperatorFault('Give --holder and --iban, or --close.');
  }
  const address = {
    street: parts.street ?? undefined,
    postalCode: parts.postalCode ?? undefined,
    town: parts.town ?? undefined,
    country: parts.country ?? undefined,
  };
  const params = { merchantId, account: { holder, iban, bic, address } };
  const { account, isNew } = await doOrPropose(deployment, { kind: 'ACCOUNT_SET', params });
  const words = isNew
    ? `Payers see version ${account.version} of the account from now on.`
    : `Nothing was changed: version ${account.version} is this account.`;
  return { account, words };
}

function readVersion(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a version, as in 2.');
  return Number(text);
}

/** `payreq merchant list-accounts`: the versions of a merchant's account (bank-transfer §1). */
export const listVersions = defineCommand({
  name: 'list-accounts',
  summary: 'print every version of the account to which payers of a merchant transfer money',
  options: { merchant: MERCHANT },
  async run(deployment, { merchant: merchantId }) {
    const accounts = await listAccounts(deployment, merchantId);
    return { merchantId, accounts: accounts.map(toEntry) };
  },
  print: ({ accounts }) =>
    tableOf(
      'The merchant has no account yet: payreq merchant set-account --help',
      ['VERSION', 'STATE', 'SINCE', 'IBAN', 'BIC', 'HOLDER'],
      accounts.map((account) => [
        String(account.version),
        stateOf(account),
        account.createdDateTime.slice(0, 10),
        account.iban,
        account.bic ?? '–',
        account.holder,
      ]),
    ),
});

function toEntry({ createdAt, replacedAt, closedAt, id: _, ...account }: Account) {
  return {
    ...account,
    createdDateTime: createdAt.toISOString(),
    replacedDateTime: replacedAt?.toISOString() ?? null,
    closedDateTime: closedAt?.toISOString() ?? null,
  };
}

function stateOf({ replacedDateTime, closedDateTime }: ReturnType<typeof toEntry>): string {
  if (closedDateTime !== null) return 'CLOSED';
  return replacedDateTime === null ? 'CURRENT' : 'FORMER';
}
