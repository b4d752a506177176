import { InvalidArgumentError } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { flag, required } from '#commands/cli/inputs.ts';
import { accountsOfDay } from '#e-transfer/bank-transfer/reconciliation/account-silence.ts';
import {
  type DayLine,
  type DayState,
  type DayStatement,
  listDayLines,
  listDayStatements,
} from '#e-transfer/bank-transfer/reconciliation/day-store.ts';
import { csvLine } from '#lib/csv.ts';
import { formatAmount } from '#lib/money.ts';
import { countText } from '#lib/words/count-text.ts';

/** Ten days of a large merchant; a table beyond it would fill the memory, not help anybody. */
const MOST_LINES = 100_000;
const STATES: readonly DayState[] = ['MATCHED', 'CASE', 'UNMATCHED', 'MISSING'];
const COLUMNS = [
  ...['account', 'state', 'amount', 'currency', 'outcome', 'paymentRequestId', 'refundId'],
  'bankReference',
];

/** `payreq bank reconcile`: the money of a day against the statements (bank-transfer §4). */
export const reconcile = defineCommand({
  summary:
    'compare the money of a day with the bank’s statements: matched, cases, unmatched, and ' +
    'missing in the camt.053; exit code 1 when something is missing or does not add up, or ' +
    'an account has no camt.053 of a working day',
  options: {
    day: required('<day>', 'the booking day, as in 2026-03-01', readDay),
    csv: flag('print CSV instead of a table'),
  },
  async run({ db, clock, bank }, { day }) {
    const lines = await listDayLines(db, day, MOST_LINES);
    const statements = await listDayStatements(db, day, MOST_LINES);
    const accounts = await accountsOfDay(db, bank.calendar, day, clock.now());
    const faults = [...faultsOfAccounts(accounts, statements), ...faultsOf(lines, statements)];
    return { day, lines, statements, faults };
  },
  json: ({ day, lines, faults }) => ({ day, lines: lines.map(toJson), faults }),
  csv: ({ lines }) => [COLUMNS, ...lines.map(cellsOf)].map(csvLine).join(''),
  print: ({ lines, statements, faults }) => formatText(lines, statements, faults),
  fails: ({ faults }) => faults.length > 0,
});

/** The statement of an account does not stand for that of another. */
function faultsOfAccounts(
  accounts: Awaited<ReturnType<typeof accountsOfDay>>,
  statements: readonly DayStatement[],
): string[] {
  const come = new Set(statements.map(({ account }) => account));
  const silent = accounts.filter(({ listedAs }) => !come.has(listedAs));
  return silent.map(({ account }) => `No camt.053 of ${account} has come for this working day.`);
}

function faultsOf(lines: readonly DayLine[], statements: readonly DayStatement[]): string[] {
  const missing = lines.filter(({ state }) => state === 'MISSING').length;
  const unbalanced = statements.filter(
    ({ openingCents, closingCents, entriesCents }) =>
      openingCents !== null &&
      closingCents !== null &&
      openingCents + entriesCents !== closingCents,
  );
  return [
    ...(lines.length > 0 && statements.length === 0 ? ['No camt.053 has come for the day.'] : []),
    ...(missing > 0 ? [`${countText(missing, 'movement')} missing in the camt.053.`] : []),
    ...unbalanced.map(
      ({ account }) => `The balances of ${account} do not fit the entries of its statement.`,
    ),
  ];
}

function formatText(
  lines: readonly DayLine[],
  statements: readonly DayStatement[],
  faults: readonly string[],
): string[] {
  const sums = STATES.map((state) => {
    const some = lines.filter((line) => line.state === state);
    const cents = some.reduce((sum, line) => sum + signedCents(line), 0);
    return [state, String(some.length), signed(cents)];
  });
  return [
    ...(lines.length > 0 ? [...alignColumns([COLUMNS, ...lines.map(cellsOf)]), ''] : []),
    ...alignColumns([['state', 'entries', 'sum'], ...sums]),
    `${countText(statements.length, 'statement')} (camt.053) of the day.`,
    ...faults,
  ];
}

const signedCents = ({ direction, amountCents }: DayLine): number =>
  direction === 'CREDIT' ? amountCents : -amountCents;

const signed = (cents: number): string =>
  cents < 0 ? `-${formatAmount(-cents)}` : formatAmount(cents);

function cellsOf(line: DayLine): string[] {
  const { account, state, currency, outcome, paymentRequestId, refundId, bankReference } = line;
  const amount = signed(signedCents(line));
  const texts = [account, state, amount, currency, outcome, paymentRequestId, refundId];
  return [...texts, bankReference].map((text) => text ?? '');
}

function toJson(line: DayLine) {
  const { amountCents: _, direction: __, ...rest } = line;
  return { ...rest, amount: signed(signedCents(line)) };
}

function readDay(text: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  if (!isDay) throw new InvalidArgumentError('Give a day, as in 2026-03-01.');
  return text;
}
