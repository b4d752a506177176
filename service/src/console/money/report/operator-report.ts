import { html } from 'ghtml';
import { amount } from '#console/components/amount.ts';
import { emptyState } from '#console/components/empty-state.ts';
import { table } from '#console/components/table.ts';
import { tiles } from '#console/components/tile.ts';
import { show, titled } from '#console/lists/columns.ts';
import type { ListColumns } from '#console/lists/list-spec.ts';
import { addressOf } from '#console/model/address.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { type OwnerSum, sumAll } from '#ledger/report/sum-all.ts';
import { csvLine } from '#lib/csv.ts';
import { formatAmount } from '#lib/money.ts';
import { namesOfMerchants } from '#merchants/find-named-merchant.ts';
import { entryType, ownAmount } from '../entry-columns.ts';
import { REPORT_TEXTS } from '../texts.ts';
import { dayCheck } from './day-check.ts';
import { reportHead } from './day-form.ts';
import { MOST_LINES, type ReportDeps } from './merchant-report.ts';
import { bookDay, readDay } from './report-day.ts';

const PATH = '/console/operator/report';

/** A merchant's money of the day in one currency. */
interface OwnerDay {
  readonly owner: string | null;
  readonly currency: string;
  readonly count: number;
  readonly inCents: number;
  readonly outCents: number;
  readonly openCount: number;
}

/** The day of all merchants: their sums, and the check against the statements of the bank. */
export async function showReportOfAll(deps: ReportDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = REPORT_TEXTS[visit.language];
  const asked = readDay(visit);
  const page = { title: text('title'), section: 'operator.report' as const };
  if (asked.isFaulty) return { ...page, status: 422, body: reportHead(visit, PATH, asked) };
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
        `<div class="split">${table(text('sums'), titled(visit, text, TYPES), typesOf(sums))}</div>`
      : emptyState(text('noneMoved'));
  return {
    ...page,
    body: html`!${reportHead(visit, PATH, asked)}!${lists}!${dayCheck(visit, closed)}`,
  };
}

async function sumsOf({ reads, timeZone }: ReportDeps, date: string): Promise<OwnerSum[]> {
  const { result } = await reads.read((db) => sumAll({ db, timeZone }, date));
  return result;
}

const HEADER = ['date', 'merchantId', 'type', 'currency', 'count', 'amount'];

/** The sums of the day as CSV: a row for each merchant, type and currency. */
export async function exportReportOfAll(deps: ReportDeps, visit: Visit): Promise<ConsoleAnswer> {
  const { date, isFaulty } = readDay(visit);
  if (isFaulty) return showReportOfAll(deps, visit);
  const lines = (await sumsOf(deps, date)).map((sum) =>
    csvLine([
      date,
      sum.owner,
      sum.type,
      sum.currency,
      { decimal: String(sum.count) },
      { decimal: formatAmount(sum.amountCents) },
    ]),
  );
  return {
    fileName: `day-${date}.csv`,
    type: 'text/csv; charset=utf-8',
    content: csvLine(HEADER) + lines.join(''),
  };
}

/** An operator's assignment moves money between two places: it is no movement in or out. */
function daysOf(sums: readonly OwnerSum[]): OwnerDay[] {
  const days = new Map<string, OwnerDay>();
  for (const { owner, currency, type, count, amountCents, openCount } of sums) {
    const key = `${owner ?? ''} ${currency}`;
    const before = days.get(key) ?? {
      ...{ owner, currency, count: 0, inCents: 0, outCents: 0, openCount: 0 },
    };
    const isIn = amountCents > 0;
    const moved = type === 'ASSIGNED' ? 0 : amountCents;
    days.set(key, {
      ...before,
      count: before.count + count,
      inCents: before.inCents + (isIn ? moved : 0),
      outCents: before.outCents + (isIn ? 0 : moved),
      openCount: before.openCount + openCount,
    });
  }
  return [...days.values()];
}

/** The money of all merchants, in and out, in each currency. */
function movedTiles(visit: Visit, owners: readonly OwnerDay[]): string {
  const { text } = REPORT_TEXTS[visit.language];
  const currencies = [...new Set(owners.map(({ currency }) => currency))];
  const list = currencies.flatMap((currency) => {
    const own = owners.filter((owner) => owner.currency === currency);
    const sumOf = (key: 'inCents' | 'outCents' | 'count') =>
      own.reduce((sum, owner) => sum + owner[key], 0);
    const note = text('entries', { count: sumOf('count') });
    return [
      { label: text('column.in'), value: amount(visit, sumOf('inCents'), currency), note },
      { label: text('column.out'), value: amount(visit, sumOf('outCents'), currency) },
    ];
  });
  return tiles(list, 'lead');
}

type TypeSum = Pick<OwnerSum, 'type' | 'currency' | 'count' | 'amountCents'>;

function typesOf(sums: readonly OwnerSum[]): TypeSum[] {
  const types = new Map<string, TypeSum>();
  for (const { type, currency, count, amountCents } of sums) {
    const key = `${type} ${currency}`;
    const before = types.get(key) ?? { type, currency, count: 0, amountCents: 0 };
    types.set(key, {
      ...before,
      count: before.count + count,
      amountCents: before.amountCents + amountCents,
    });
  }
  return [...types.values()].sort((one, other) => one.type.localeCompare(other.type));
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
