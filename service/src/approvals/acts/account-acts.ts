import { joinTransaction } from '#database/join-transaction.ts';
import { closeAccount, lockNewestAccount, setAccount } from '#merchants/accounts/set-account.ts';
import type { ActType, LockedFacts } from './act-type.ts';

type AccountAct = 'ACCOUNT_SET' | 'ACCOUNT_CLOSE';

const ABOUT_ACCOUNT: Pick<ActType<AccountAct>, 'targetOf' | 'lockFacts'> = {
  targetOf: ({ merchantId }) => `account:${merchantId}`,
  async lockFacts(tx, { merchantId }): Promise<LockedFacts> {
    const account = await lockNewestAccount(tx, merchantId);
    return {
      ...{ merchantId, amountCents: null },
      facts: {
        accountVersion: account?.version ?? null,
        accountHolder: account?.holder ?? null,
        accountNumber: account?.accountNumber ?? null,
        accountBic: account?.bic ?? null,
        accountEtransfer: account?.etransferAddress ?? null,
        accountStatementId: account?.statementId ?? null,
        accountAddress: account?.address ? JSON.stringify(account.address) : null,
        accountClosed: account ? account.closedAt !== null : null,
      },
    };
  },
};

export const ACCOUNT_SET: ActType<'ACCOUNT_SET'> = {
  ...ABOUT_ACCOUNT,
  async act(tx, { clock }, { params: { merchantId, account: input }, actor }) {
    const deps = { db: joinTransaction(tx), clock, actor };
    const result = await setAccount(deps, merchantId, input);
    const audited = { version: result.account.version };
    return { result, isRepeated: !result.isNew, audited, changedIds: [] };
  },
};

export const ACCOUNT_CLOSE: ActType<'ACCOUNT_CLOSE'> = {
  ...ABOUT_ACCOUNT,
  async act(tx, { clock }, { params: { merchantId, version }, actor }) {
    const deps = { db: joinTransaction(tx), clock, actor };
    const result = await closeAccount(deps, merchantId, version);
    return { result, audited: { version }, changedIds: [] };
  },
};
