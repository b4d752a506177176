import { html } from 'ghtml';
import { emptyState, type Tile, tabs, tiles } from '#console/components/parts.ts';
import { type Column, moneyColumn, rowHeader, table } from '#console/components/table.ts';
import {
  amount,
  amountText,
  shownAxisAmount,
  shownDuration,
  shownNumber,
  shownSlot,
} from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { COUNTERS, type CounterSums, combine, NO_SUMS } from '#counters/model/counters.ts';
import { SPANS, type SpanName } from '#counters/model/slots.ts';
import type { MerchantSums, Overview } from '#counters/read-overview.ts';
import { dateIn } from '#ledger/model/day.ts';
import { TYPES_OF_FLOW } from '#ledger/model/entry.ts';
import { barChart } from './chart.ts';
import { journeyTable } from './journey-table.ts';
import { OVERVIEW_TEXTS } from './texts.ts';

/** The sums of a slot or of a merchant, with its name as HTML. */
interface NamedSums extends CounterSums {
  readonly name: string;
}

/** The parts of the received money, which add up to it. */
const PARTS = ['paid_cents', 'part_cents', 'waiting_cents', 'corrected_cents'] as const;

/** With the name, and the money without its parts: seven columns, which fit beside the menu. */
const MOST_COUNTS = 4;

const backOf = (sums: CounterSums) => sums.returned_cents + sums.refunded_cents;
const openOf = ({ created, completed, failed, expired, cancelled }: CounterSums) =>
  created - completed - failed - expired - cancelled;

/** The payment requests by their present status, each with the statuses of its list. */
const COUNTED = [
  ['created', ({ created }: CounterSums) => created, []],
  ['open', openOf, ['CREATED', 'PROCESSING']],
  ['paid', ({ completed }: CounterSums) => completed, ['PAID']],
  ['failed', ({ failed }: CounterSums) => failed, ['FAILED']],
  ['expired', ({ expired }: CounterSums) => expired, ['EXPIRED']],
  ['cancelled', ({ cancelled }: CounterSums) => cancelled, ['CANCELLED']],
] as const;

/** Today's numbers, one a card, beside those of the day before up to this time of day. */
export function todayCards(visit: Visit, { today, yesterday, slots }: Overview): string {
  const { language, merchant, currency, timeZone } = visit;
  const { text } = OVERVIEW_TEXTS[language];
  const before = (count: number, shownAs = (each: number) => shownNumber(language, each)) =>
    count === 0 ? '' : text('before', { number: shownAs(count) });
  const tileOf = ([name, countOf, statuses]: (typeof COUNTED)[number]): Tile => ({
    label: text(name),
    value: shownNumber(language, countOf(today.sums)),
    note: before(countOf(yesterday)),
    href: merchant
      ? listHref(visit, 'payment-requests', { status: statuses, period: 'today' })
      : '#merchants',
  });
  const isPaid = ([name]: (typeof COUNTED)[number]) => name === 'paid';
  const cents = (amount: number) => amountText(visit, amount, currency);
  const moneyHref = (flow: 'in' | 'back') =>
    !merchant || visit.can('ledger.read')
      ? (listHref(visit, 'ledger', { type: TYPES_OF_FLOW[flow], recorded: 'today' }) ??
        '#merchants')
      : null;
  const moneyIn: Tile = {
    label: text('moneyIn'),
    value: amount(visit, today.sums.received_cents),
    note: [...partsOf(visit, today.sums), before(yesterday.received_cents, cents)]
      .filter(Boolean)
      .join(' · '),
    href: moneyHref('in'),
  };
  const lead = tiles([moneyIn, ...COUNTED.filter(isPaid).map(tileOf)], 'lead');
  const others = tiles([
    ...COUNTED.filter((each) => !isPaid(each)).map(tileOf),
    {
      label: text('moneyBack'),
      value: amount(visit, backOf(today.sums)),
      note: before(backOf(yesterday), cents),
      href: moneyHref('back'),
    },
    {
      label: text('median'),
      value: shownDuration(language, today.medianSeconds),
      note: text('medianHint'),
    },
  ]);
  const time = shownSlot(language, 'hour', slots.sameTime, timeZone);
  return html`<h2>${text('today')}</h2><p class="quiet">${text('todayLead', { time })}</p>
!${lead}!${others}`;
}

/** The parts of the received money that are not zero, in words. */
function partsOf(visit: Visit, sums: CounterSums): string[] {
  const { text } = OVERVIEW_TEXTS[visit.language];
  return PARTS.filter((part) => sums[part] !== 0).map((part) =>
    text(`part.${part}`, { amount: amountText(visit, sums[part]), count: sums.paid }),
  );
}

/** Today's numbers of the latest merchants, which add up to the cards with all others. */
export function merchantsToday(
  visit: Visit,
  { today: { sums } }: Overview,
  shown: readonly MerchantSums[],
  names: ReadonlyMap<string, string>,
): string {
  const { text } = OVERVIEW_TEXTS[visit.language];
  const title = html`<h2 id="merchants">${text('merchants')}</h2>`;
  if (shown.length === 0) return title + emptyState(text('merchantsEmpty'));
  const rows = shown.map(({ merchantId, ...own }) => ({
    ...own,
    name: html`<a href="/console/m/${merchantId}/overview"
>${names.get(merchantId) ?? merchantId}</a>`,
  }));
  const others = shown.reduce((left, own) => combine(left, own, -1), sums);
  const hasOthers = COUNTERS.some((counter) => others[counter] !== 0);
  const all = [
    { ...sums, name: text('all') },
    ...rows,
    ...(hasOthers ? [{ ...others, name: text('others') }] : []),
  ];
  const sumsOf = sumsTable(text('merchants'), all, [
    rowHeader(text('merchant'), ({ name }) => name),
    ...moneyColumns(visit, []),
    ...countColumns(visit).slice(0, MOST_COUNTS),
  ]);
  return html`!${title}<p class="quiet">${text('merchantsLead')}</p>!${sumsOf}`;
}

/** A list of the page's merchant; null on the page of all merchants, whose lists are apart. */
export function listHref(
  { merchant, query, timeZone }: Visit,
  list: string,
  filters: Readonly<Record<string, string | readonly string[]>>,
): string | null {
  if (!merchant) return null;
  const zone = query.has('zone') ? timeZone : [];
  const pairs = Object.entries({ ...filters, zone }).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as [string, string]),
  );
  return `/console/m/${merchant.id}/${list}?${new URLSearchParams(pairs)}`;
}

/** Links to the other spans of time. */
export function spanTabs({ language }: Visit, current: SpanName): string {
  const { text } = OVERVIEW_TEXTS[language];
  const spans = (Object.keys(SPANS) as SpanName[]).map((span) => ({
    href: `?span=${span}`,
    name: text(`span.${span}`),
    isCurrent: span === current,
  }));
  return tabs(text('spans'), spans);
}

/** The chart of a span, and its numbers as a table. */
export async function history(visit: Visit, overview: Overview, span: SpanName): Promise<string> {
  const { language, timeZone, currency } = visit;
  const { text } = OVERVIEW_TEXTS[language];
  const { slots, bySlot, span: whole } = overview;
  const { unit } = slots;
  const cents = (amount: number) => amountText(visit, amount, currency);
  const rows = slots.starts.map((start, index) => {
    const sums = bySlot[index] ?? NO_SUMS;
    const date = dateIn(start, timeZone);
    const shown = shownSlot(language, unit, start, timeZone);
    const isOfDayBefore = unit === 'hour' && start < slots.today;
    const slot = isOfDayBefore ? text('yesterdayAt', { time: shown }) : shown;
    const href = unit === 'day' && listHref(visit, 'payment-requests', { from: date, to: date });
    return {
      ...sums,
      shown,
      slot,
      name: href ? html`<a href="${href}">${slot}</a>` : html`${slot}`,
    };
  });
  const title = text(`history.${span}`);
  const sumsOf = (sums: CounterSums) => ({
    amount: cents(sums.received_cents),
    back: cents(backOf(sums)),
    created: sums.created,
    paid: sums.paid,
  });
  const hasMoney = rows.some((row) => row.received_cents !== 0 || backOf(row) !== 0);
  const chart = await barChart({
    title,
    facts: text('chartFacts', sumsOf(whole)),
    bars: rows.map((row) => ({
      name: row.shown,
      inCents: row.received_cents,
      backCents: backOf(row),
      facts: text('slotFacts', { slot: row.slot, ...sumsOf(row) }),
    })),
    inLabel: text('moneyIn'),
    backLabel: text('moneyBack'),
    amount: (amount) => shownAxisAmount(language, amount, currency),
  });
  const total = { ...whole, slot: text('all'), name: text('all') };
  const all = [total, ...rows.toReversed()];
  const moved = all.filter((row) => row.received_cents !== 0 || backOf(row) !== 0);
  const money = sumsTable(text(`money.${unit}`), moved, [
    rowHeader(text(unit), ({ slot }) => html`${slot}`),
    ...moneyColumns(visit, moved),
  ]);
  const created = all.filter((row) => row.created !== 0);
  const numbers = sumsTable(text(`created.${unit}`), created, [
    rowHeader(text(unit), ({ name }) => name),
    ...countColumns(visit),
  ]);
  const folded = html`<p class="small">${text('folded')}</p>`;
  return (hasMoney ? chart + money : '') + journeyTable(visit, whole) + numbers + folded;
}

/** A number that says nothing stands back behind those that do. */
const quietZero = (value: number, shown: string): string =>
  value === 0 ? `<span class="quiet">${shown}</span>` : shown;

function sumsTable<Row extends NamedSums>(
  caption: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): string {
  return rows.length === 0 ? '' : `<div class="summed">${table(caption, columns, rows)}</div>`;
}

/** The money of each row with its parts, where there are several, and what went back. */
function moneyColumns(visit: Visit, rows: readonly NamedSums[]): Column<NamedSums>[] {
  const { text } = OVERVIEW_TEXTS[visit.language];
  const cents = (title: string, of: (sums: CounterSums) => number) =>
    moneyColumn<NamedSums>(title, (row) => quietZero(of(row), amount(visit, of(row))));
  const found = PARTS.filter((part) => rows.some((row) => row[part] !== 0));
  return [
    cents(text('moneyIn'), (row) => row.received_cents),
    ...(found.length > 1 ? found : []).map((part) => cents(text(part), (row) => row[part])),
    cents(text('moneyBack'), backOf),
  ];
}

/** The payment requests of each row, by their present status. */
function countColumns({ language }: Visit): Column<NamedSums>[] {
  const { text } = OVERVIEW_TEXTS[language];
  return COUNTED.map(([name, of]) =>
    moneyColumn(text(name), (row) => quietZero(of(row), shownNumber(language, of(row)))),
  );
}
