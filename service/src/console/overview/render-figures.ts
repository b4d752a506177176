import { html } from 'ghtml';
import { amount, amountText } from '#console/components/amount.ts';
import { emptyState } from '#console/components/empty-state.ts';
import {
  shownAxisAmount,
  shownDuration,
  shownNumber,
  shownShare,
  shownSlot,
} from '#console/components/shown-values.ts';
import {
  type Column,
  column,
  moneyColumn,
  NONE,
  rowHeader,
  table,
} from '#console/components/table.ts';
import { tabs } from '#console/components/tabs.ts';
import { type Tile, tiles } from '#console/components/tile.ts';
import type { Visit } from '#console/shell/visit.ts';
import { COUNTERS, type CounterSums, combine, JOURNEY, NO_SUMS } from '#counters/model/counters.ts';
import { SPANS, type SpanName } from '#counters/model/slots.ts';
import { MEDIAN_PRECISION_PERCENT } from '#counters/model/time-classes.ts';
import type { MerchantSums, Overview } from '#counters/read-overview.ts';
import { dateIn } from '#ledger/model/day.ts';
import { barChart } from './chart.ts';
import { OVERVIEW_TEXTS } from './texts.ts';

/** The sums of a slot or of a merchant, with its name as HTML. */
interface NamedSums extends CounterSums {
  readonly name: string;
}

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
  const before = (number: string) => text('before', { number });
  const tileOf = ([name, countOf, statuses]: (typeof COUNTED)[number]): Tile => ({
    label: text(name),
    value: shownNumber(language, countOf(today.sums)),
    note: before(shownNumber(language, countOf(yesterday))),
    href: merchant
      ? listHref(visit, 'payment-requests', { status: statuses, period: 'today' })
      : '#merchants',
  });
  const isPaid = ([name]: (typeof COUNTED)[number]) => name === 'paid';
  const cents = (amount: number) => amountText(visit, amount, currency);
  const moneyIn: Tile = {
    label: text('moneyIn'),
    value: amount(visit, today.sums.received_cents),
    note: text('payments', { count: today.sums.paid, amount: cents(yesterday.received_cents) }),
  };
  const lead = tiles([moneyIn, ...COUNTED.filter(isPaid).map(tileOf)], 'lead');
  const others = tiles([
    ...COUNTED.filter((each) => !isPaid(each)).map(tileOf),
    {
      label: text('moneyBack'),
      value: amount(visit, backOf(today.sums)),
      note: before(cents(backOf(yesterday))),
    },
    {
      label: text('median'),
      value: shownDuration(language, today.medianSeconds),
      note: text('medianHint', { percent: MEDIAN_PRECISION_PERCENT }),
    },
  ]);
  const time = shownSlot(language, 'hour', slots.sameTime, timeZone);
  return html`<h2>${text('today')}</h2><p class="quiet">${text('todayLead', { time })}</p>
!${lead}!${others}`;
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
  const lead = html`<p class="quiet">${text('merchantsLead')}</p>`;
  return (
    title + lead + sumsTable(visit, { caption: text('merchants'), head: text('merchant') }, all)
  );
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

/** How many payers came how far, of the payment requests created in the span. */
function journeyTable({ language }: Visit, sums: CounterSums): string {
  const { text } = OVERVIEW_TEXTS[language];
  if (sums.created === 0) return emptyState(text('journeyEmpty'));
  // A network whose payers choose no bank here has no such steps. The simulator of the sandbox pays
  // without any page.
  const isPassed = (index: number) => JOURNEY.slice(index).some((later) => sums[later] > 0);
  const steps = JOURNEY.filter(
    (step, index) => sums[step] > 0 || !(isOfGateway(step) || isPassed(index)),
  );
  const rows = steps.map((step, index) => ({
    step,
    count: sums[step],
    before: sums[steps[index - 1] ?? step],
  }));
  const columns: Column<(typeof rows)[number]>[] = [
    rowHeader(text('step'), ({ step }) => text(`step.${step}`)),
    column(text('ofCreated'), ({ count }) =>
      shareBar(shownShare(language, count, sums.created), count / sums.created),
    ),
    moneyColumn(text('number'), ({ count }) => shownNumber(language, count)),
    moneyColumn(text('ofBefore'), ({ count, before }) =>
      count > before ? NONE : shownShare(language, count, before),
    ),
  ];
  const notes = [text('journeyLead'), sums.completed > sums.confirmed && text('journeySkips')];
  const lead = html`<p class="small">${notes.filter(Boolean).join(' ')}</p>`;
  return table(text('journey'), columns, rows) + lead;
}

function isOfGateway(step: (typeof JOURNEY)[number]): boolean {
  return step === 'institution_chosen' || step === 'signed_in';
}

function shareBar(share: string, part: number): string {
  const width = Math.round(Math.min(1, part) * 100);
  return html`<span class="share"><svg viewBox="0 0 100 10" preserveAspectRatio="none"
 aria-hidden="true"><rect width="${width}" height="10"/></svg>${share}</span>`;
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
  const total: NamedSums = { ...whole, name: text('all') };
  const counted = rows.filter((row) => COUNTERS.some((counter) => row[counter] !== 0));
  const caption = text(unit === 'hour' ? 'byHour' : 'byDay');
  const folded = html`<p class="small">${text('folded')}</p>`;
  const numbers = sumsTable(visit, { caption, head: text(unit) }, [total, ...counted.toReversed()]);
  return (hasMoney ? chart : '') + journeyTable(visit, whole) + numbers + folded;
}

/** A number that says nothing stands back behind those that do. */
const quietZero = (value: number, shown: string): string =>
  value === 0 ? `<span class="quiet">${shown}</span>` : shown;

/** The counts and the money of each row. */
function sumsTable(
  visit: Visit,
  { caption, head }: { readonly caption: string; readonly head: string },
  rows: readonly NamedSums[],
): string {
  const { language } = visit;
  const { text } = OVERVIEW_TEXTS[language];
  const columns: Column<NamedSums>[] = [
    rowHeader(head, ({ name }) => name),
    moneyColumn(text('moneyIn'), (row) =>
      quietZero(row.received_cents, amount(visit, row.received_cents)),
    ),
    ...COUNTED.map(
      ([name, countOf]): Column<NamedSums> =>
        moneyColumn(text(name), (row) =>
          quietZero(countOf(row), shownNumber(language, countOf(row))),
        ),
    ),
    moneyColumn(text('moneyBack'), (row) => quietZero(backOf(row), amount(visit, backOf(row)))),
  ];
  return `<div class="summed">${table(caption, columns, rows)}</div>`;
}
