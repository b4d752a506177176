import type { Executor } from '#database/database.ts';
import type { BookDay, ClosedCurrency, ClosedDay, ClosedStatement } from '../../network-books.ts';
import { differenceOf } from '../files/read-files.ts';
import {
  type DaySums,
  listDayMoney,
  listStatementsOfDay,
  type StatementOfDay,
  sumDayMoney,
} from './close-day-store.ts';

/**
 * Compares the statements (camt.053) of a booking day with the ledger's entries of that day,
 * movement by movement (bank-transfer §4).
 */
export async function closeDay(
  db: Executor,
  asked: BookDay,
  mostMoney: number,
): Promise<ClosedDay> {
  const statements = await listStatementsOfDay(db, asked);
  const sums = await sumDayMoney(db, asked);
  const money = await listDayMoney(db, asked, mostMoney);
  const closed = statements.map((statement) => closeStatement(statement, sums));
  const differences = total(sums, (each) => each.differences);
  const moneyCount =
    total(sums, (each) => each.statementCount) +
    total(sums, ({ statementId, ledgerCount }) => (statementId === null ? ledgerCount : 0));
  return {
    verdict: verdictOf(closed, moneyCount, differences),
    statements: closed,
    currencies: currenciesOf(sums),
    money,
    moneyCount,
    differences,
  };
}

function closeStatement(statement: StatementOfDay, sums: readonly DaySums[]): ClosedStatement {
  const own = sums.filter(({ statementId }) => statementId === statement.id);
  const oursCents = total(own, (each) => each.statementCents);
  return {
    ...statement,
    oursCount: total(own, (each) => each.statementCount),
    oursCents,
    othersCents: statement.entriesCents - oursCents,
    differenceCents: differenceOf(statement),
  };
}

function verdictOf(
  statements: readonly ClosedStatement[],
  moneyCount: number,
  differences: number,
): ClosedDay['verdict'] {
  if (statements.length === 0) return moneyCount === 0 ? 'NOTHING' : 'NO_STATEMENT';
  const isBalanced = statements.every(({ differenceCents }) => (differenceCents ?? 0) === 0);
  return isBalanced && differences === 0 ? 'CLOSES' : 'DIFFERS';
}

function currenciesOf(sums: readonly DaySums[]): ClosedCurrency[] {
  const names = [...new Set(sums.map(({ currency }) => currency))].sort();
  return names.map((currency) => {
    const own = sums.filter((each) => each.currency === currency);
    const statementCents = total(own, (each) => each.statementCents);
    const ledgerCents = total(own, (each) => each.ledgerCents);
    return {
      currency,
      statementCents,
      ledgerCents,
      differenceCents: statementCents - ledgerCents,
    };
  });
}

function total<Item>(items: readonly Item[], centsOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + centsOf(item), 0);
}
