import { html } from 'ghtml';
import { tiles } from '#console/components/parts.ts';
import { table } from '#console/components/table.ts';
import { amount } from '#console/components/values.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import { addressOf } from '#console/model/address.ts';
import { entryType, ownAmount, REPORT_TEXTS } from '#console/money/texts.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { type OwnerSum, sumAll } from '#ledger/report/sum-all.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';
import { namesOfMerchants } from '#merchants/find-named-merchant.ts';
import { dayCheck } from './day-check.ts';
import {
  bookDay,
  emptyDay,
  MOST_LINES,
  type ReportDeps,
  readDay,
  reportPage,
} from './merchant-report.ts';

const PATH = '/console/operator/report';

/** A merchant's money of the day in one currency. */
type OwnerDay = ReturnType<typeof daysOf>[number];

/** The day of all merchants: their sums, and the check against the statements of the bank. */
export async function showReportOfAll(deps: ReportDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = REPORT_TEXTS[visit.language];
  const asked = readDay(visit);
  if (asked.isFaulty) return reportPage(visit, PATH, asked);
  const sums = await sumsOf(deps, asked.date);
  const closed =
    (await deps.money.books?.closeDay(bookDay(visit, asked.date, null), MOST_LINES)) ?? null;
  const owners = daysOf(sums);
  const names = await namesOfMerchants(
    deps.db,
    owners.map(({ owner }) => owner),
  );
  const shown = owners.map((each) => ({
    ...each,
    date: asked.date,
    name: names.get(each.owner ?? '') ?? each.owner,
  }));
  const lists =
    owners.length > 0
      ? movedTiles(visit, owners) +
        table(text('all'), titled(visit, text, OWNERS), shown) +
        table(text('sums'), titled(visit, text, TYPES), typesOf(sums)) +
        (await dayCheck(deps.db, visit, closed))
      : await emptyDay(visit, deps, PATH, closed);
  return reportPage(visit, PATH, asked, lists);
}

async function sumsOf({ reads, timeZone }: ReportDeps, date: string): Promise<OwnerSum[]> {
  const { result } = await reads.read((db) => sumAll({ db, timeZone }, date));
  return result;
}

/** The sums of the day as CSV: a row for each merchant, type and currency. */
export async function exportReportOfAll(deps: ReportDeps, visit: Visit): Promise<ConsoleAnswer> {
  const { date, isFaulty } = readDay(visit);
  if (isFaulty) return showReportOfAll(deps, visit);
  const csv = csvForm<OwnerSum>({
    date: () => date,
    merchantId: ({ owner }) => owner,
    ...memberColumns<OwnerSum>('type', 'currency', 'count', 'amountCents'),
  });
  const content = csv.header + (await sumsOf(deps, date)).map(csv.lineOf).join('');
  return { fileName: `day-${date}.csv`, type: 'text/csv; charset=utf-8', content };
}

const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0);

/** An operator's assignment moves money between two places: it is no movement in or out. */
function daysOf(sums: readonly OwnerSum[]) {
  const movedOf = ({ type, amountCents }: OwnerSum) => (type === 'ASSIGNED' ? 0 : amountCents);
  const groups = Map.groupBy(sums, ({ owner, currency }) => `${owner ?? ''} ${currency}`);
  return [...groups.values()].map((rows) => {
    const [{ owner = null, currency = '' } = {}] = rows;
    return {
      owner,
      currency,
      count: sumOf(rows, (row) => row.count),
      inCents: sumOf(rows, (row) => Math.max(0, movedOf(row))),
      outCents: sumOf(rows, (row) => Math.min(0, movedOf(row))),
      openCount: sumOf(rows, (row) => row.openCount),
    };
  });
}

/** The money of all merchants, in and out, in each currency. */
function movedTiles(visit: Visit, owners: readonly OwnerDay[]): string {
  const { text } = REPORT_TEXTS[visit.language];
  const currencies = [...new Set(owners.map(({ currency }) => currency))];
  const list = currencies.flatMap((currency) => {
    const own = owners.filter((owner) => owner.currency === currency);
    const note = text('entries', { count: sumOf(own, (day) => day.count) });
    const [inCents, outCents] = [
      sumOf(own, (day) => day.inCents),
      sumOf(own, (day) => day.outCents),
    ];
    return [
      { label: text('column.in'), value: amount(visit, inCents, currency), note },
      { label: text('column.out'), value: amount(visit, outCents, currency) },
    ];
  });
  return tiles(list, 'lead');
}

type TypeSum = Pick<OwnerSum, 'type' | 'currency' | 'count' | 'amountCents'>;

function typesOf(sums: readonly OwnerSum[]): TypeSum[] {
  const groups = Map.groupBy(sums, ({ type, currency }) => `${type} ${currency}`);
  const types = [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const count = sumOf(others, (row) => row.count) + first.count;
    const amountCents = sumOf(others, (row) => row.amountCents) + first.amountCents;
    return { type: first.type, currency: first.currency, count, amountCents };
  });
  return types.sort((one, other) => one.type.localeCompare(other.type));
}

interface ShownOwner extends OwnerDay {
  /** The name of the owner; null: the money has none. */
  readonly name: string | null;
  readonly date: string;
}

const cents = (of: (each: OwnerDay) => number) => show.money(of, (each) => each.currency);
const OWNERS: ListColumns<ShownOwner> = {
  'column.merchant': show.cell(({ owner, name, date }, { language }) => {
    if (owner === null) return html`${REPORT_TEXTS[language].text('nobody')}`;
    return html`<a href="${addressOf(`/console/m/${owner}/report`, { date })}">${name}</a>`;
  }),
  'column.count': show.count((each) => each.count),
  'column.in': cents((each) => each.inCents),
  'column.out': cents((each) => each.outCents),
  'column.sum': cents((each) => each.inCents + each.outCents),
  'column.open': show.count((each) => each.openCount),
};

const TYPES: ListColumns<TypeSum> = {
  'column.type': entryType,
  'column.count': show.count((each) => each.count),
  'column.amount': ownAmount,
};
