import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { money } from '#console/components/money.ts';
import {
  shownDuration,
  shownNumber,
  shownShare,
  shownSlot,
} from '#console/components/shown-values.ts';
import { type Column, moneyColumn, rowHeader, table } from '#console/components/table.ts';
import { tabs } from '#console/components/tabs.ts';
import { type Tile, tiles } from '#console/components/tile.ts';
import type { Visit } from '#console/shell/visit.ts';
import { COUNTERS, type CounterSums, JOURNEY, NO_SUMS } from '#counters/model/counters.ts';
import { SPANS, type SpanName } from '#counters/model/slots.ts';
import { MEDIAN_PRECISION_PERCENT } from '#counters/model/time-classes.ts';
import type { Figures, Overview } from '#counters/read-overview.ts';
import { lineChart } from './chart.ts';
import { OVERVIEW_TEXTS } from './texts.ts';

/** The sums of a slot, with its name. */
interface Slot extends CounterSums {
  readonly name: string;
}

const unpaidOf = ({ failed, expired, cancelled }: CounterSums) => failed + expired + cancelled;
const backOf = (sums: CounterSums) => sums.returned_cents + sums.refunded_cents;

/** Each payment request was created once, so that the list has no filter. */
const LIST_QUERIES = {
  created: '',
  paid: '?status=PAID',
  failed: '?status=FAILED',
  expired: '?status=EXPIRED',
  cancelled: '?status=CANCELLED',
};

/** Today's numbers, one a card. */
export function todayCards(visit: Visit, { sums, medianSeconds }: Figures): string {
  const { language } = visit;
  const { text } = OVERVIEW_TEXTS[language];
  const precision = text('medianHint', { percent: MEDIAN_PRECISION_PERCENT });
  const counts = (['created', 'paid', 'failed', 'expired', 'cancelled'] as const).map(
    (counter): Tile => ({
      label: text(counter),
      value: shownNumber(language, sums[counter]),
      href: listHref(visit, `payment-requests${LIST_QUERIES[counter]}`),
    }),
  );
  const all = tiles([
    ...counts,
    { label: text('moneyIn'), value: money(visit, sums.received_cents) },
    { label: text('moneyBack'), value: money(visit, backOf(sums)) },
    { label: text('median'), value: shownDuration(language, medianSeconds), note: precision },
  ]);
  return html`<h2>${text('today')}</h2>!${all}`;
}

/** A list of the page's merchant; null on the page of all merchants, whose lists are apart. */
export function listHref({ merchant }: Visit, path: string): string | null {
  return merchant && `/console/m/${merchant.id}/${path}`;
}

/** How many payers came how far, of the payment requests created in the span. */
export function journeyTable({ language }: Visit, { sums }: Figures): string {
  const { text } = OVERVIEW_TEXTS[language];
  const head = html`<p class="quiet">${text('journeyLead')}</p>`;
  if (sums.created === 0) return head + emptyState(text('journeyEmpty'));
  // A network whose payers choose no bank here has no such steps.
  const steps = JOURNEY.filter((step) => sums[step] > 0 || !isOfGateway(step));
  const rows = steps.map((step, index) => ({
    step,
    count: sums[step],
    before: sums[steps[index - 1] ?? step],
  }));
  const columns: Column<(typeof rows)[number]>[] = [
    rowHeader(text('step'), ({ step }) => text(`step.${step}`)),
    moneyColumn(text('number'), ({ count }) => shownNumber(language, count)),
    moneyColumn(text('ofCreated'), ({ count }) =>
      shareBar(shownShare(language, count, sums.created), count / sums.created),
    ),
    moneyColumn(text('ofBefore'), ({ count, before }) => shownShare(language, count, before)),
  ];
  return head + table(text('journey'), columns, rows);
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
  const { language, timeZone } = visit;
  const { text } = OVERVIEW_TEXTS[language];
  const { slots, bySlot, span: whole } = overview;
  const number = (value: number) => shownNumber(language, value);
  const rows = slots.starts.map((start, index): Slot => {
    const sums = bySlot[index] ?? NO_SUMS;
    return { ...sums, name: shownSlot(language, slots.unit, start, timeZone) };
  });
  const title = text(`history.${span}`);
  const { created, paid } = whole.sums;
  const unpaid = unpaidOf(whole.sums);
  const chart = await lineChart({
    title,
    label: text('chart', { title }),
    facts: text('chartFacts', {
      created: number(created),
      paid: number(paid),
      unpaid: number(unpaid),
    }),
    slots: rows.map(({ name }) => name),
    series: [
      { name: 'created', label: text('created'), values: rows.map((row) => row.created) },
      { name: 'paid', label: text('paid'), values: rows.map((row) => row.paid) },
      { name: 'unpaid', label: text('unpaid'), values: rows.map(unpaidOf) },
    ],
    number,
  });
  const total: Slot = { ...whole.sums, name: text('all') };
  const counted = rows.filter((row) => COUNTERS.some((counter) => row[counter] !== 0));
  const caption = text(slots.unit === 'hour' ? 'byHour' : 'byDay');
  const folded = html`<p class="small">${text('folded')}</p>`;
  return chart + slotTable(visit, caption, slots.unit, [total, ...counted.toReversed()]) + folded;
}

function slotTable(
  visit: Visit,
  title: string,
  unit: 'hour' | 'day',
  rows: readonly Slot[],
): string {
  const { language } = visit;
  const { text } = OVERVIEW_TEXTS[language];
  const counted = ['created', 'paid', 'failed', 'expired', 'cancelled'] as const;
  const columns: Column<Slot>[] = [
    rowHeader(text(unit), ({ name }) => html`${name}`),
    ...counted.map(
      (counter): Column<Slot> =>
        moneyColumn(text(counter), (row) => shownNumber(language, row[counter])),
    ),
    moneyColumn(text('moneyIn'), (row) => money(visit, row.received_cents)),
    moneyColumn(text('moneyBack'), (row) => money(visit, backOf(row))),
  ];
  return table(title, columns, rows);
}
