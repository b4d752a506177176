import type { BankTables, MovementRow } from './bank-rows.ts';
import type { Handlers } from './memory-database.ts';

const WEEK_MS = 7 * 86_400_000;

/** The models of matching/absent-store.ts, and of the account that received money. */
export function absentHandlers(bank: BankTables): Handlers {
  return {
    'bank-movements-find-absent': ([most]) =>
      findAbsent(bank)
        .sort((one, other) => one.position - other.position)
        .slice(0, Number(most))
        .map((row) => ({ ...row, merchantId: bank.merchantOf(row.account) })),
    'bank-movements-mark-absent': ([ids]) => {
      for (const { id } of bank.movements.some(ids as string[])) {
        if (bank.movements.get(id)?.outcome !== 'WAITING') continue;
        bank.movements.patch(id, { isReported: true });
      }
      return [];
    },
    // The model of entries/case-money-store.ts.
    'bank-case-find-showing': ([references, ids]) => {
      const accounts = bank.movements
        .where(({ networkReference: name }) => (references as string[]).includes(name))
        .map(({ account }) => account);
      return bank.shown
        .some(ids as string[])
        .filter(({ account }) => accounts.includes(account))
        .map(({ paymentRequestId: id }) => ({ id }));
    },
  };
}

/** Money that waits for the statement of its day in vain, and was not reported. */
export function findAbsent(bank: BankTables): MovementRow[] {
  const open = new Set(bank.filesToMatch());
  const isStated = ({ account, bookingDate }: MovementRow) =>
    bank.entries
      .where(({ kind, fileId }) => kind === 'camt.053' && !open.has(fileId))
      .some((each) => each.account === account && each.bookingDate === bookingDate);
  return bank.movements.where(
    (row) =>
      row.outcome === 'WAITING' &&
      !row.isReported &&
      (bank.now().getTime() - row.createdAt.getTime() > WEEK_MS || isStated(row)),
  );
}
