import { html } from 'ghtml';
import { choiceField } from '#console/components/choice-field.ts';
import { emptyState } from '#console/components/empty-state.ts';
import { textField } from '#console/components/form.ts';
import { instant } from '#console/components/instant.ts';
import { pager } from '#console/components/pager.ts';
import { type Column, table } from '#console/components/table.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { readEntries } from '#ledger/entries/read-entries.ts';
import { isDate } from '#ledger/model/day.ts';
import { ENTRY_TYPES, type EntryType } from '#ledger/model/entry.ts';
import type { StoredEntry } from '#ledger/model/stored-entry.ts';
import { isId } from '#lib/new-id.ts';
import { addressOf } from '../parts/address.ts';
import { day, requestPath, shortId } from '../parts/amount.ts';
import { MONEY_WORDS } from '../texts/entry-type-texts.ts';
import { LEDGER_TEXTS } from '../texts/ledger-texts.ts';
import { entryColumns } from './merchant-report.ts';

const PAGE_SIZE = 100;

/** The filters of the address, as they were sent. */
interface SentFilters {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly paymentRequest: string;
}
type Faults = Partial<Record<keyof SentFilters, 'date' | 'order' | 'id'>>;

/** A merchant's ledger, a page of entries at a time, with its filters in the address. */
export async function showLedger(
  { db, timeZone }: Pick<ConsoleDeps, 'db' | 'timeZone'>,
  visit: Visit,
): Promise<ConsolePage> {
  const { text } = LEDGER_TEXTS[visit.language];
  const { merchantId } = visit;
  const sent = readSent(visit);
  const faults = faultsOf(sent);
  const isFaulty = Object.keys(faults).length > 0;
  const cursor = visit.query.get('cursor');
  const page = isFaulty
    ? { entries: [], hasMore: false, nextCursor: '' }
    : await readEntries({ db, timeZone }, merchantId, askedOf(sent, cursor), []);
  const path = `/console/m/${merchantId}/ledger`;
  const list =
    page.entries.length > 0
      ? table(text('caption'), columnsOf(visit), page.entries)
      : emptyState(text('none'));
  return {
    title: text('title'),
    section: 'report',
    status: isFaulty ? 422 : 200,
    body: html`<p><a href="/console/m/${merchantId}/report">← ${text('back')}</a></p>
<h1>${text('title')}</h1><p class="quiet">${text('lead')}</p>!${filterForm(visit, sent, faults)}
!${list}!${pager({
      firstHref: addressOf(path, { ...sent }),
      nextCursor: page.hasMore ? page.nextCursor : null,
      isFirst: cursor === null,
      labels: { first: text('first'), next: text('next'), name: text('pages') },
    })}`,
  };
}

function readSent({ query }: Visit): SentFilters {
  const value = (name: string) => query.get(name)?.trim() ?? '';
  const type = value('type') in ENTRY_TYPES ? value('type') : '';
  return { from: value('from'), to: value('to'), type, paymentRequest: value('paymentRequest') };
}

function faultsOf({ from, to, paymentRequest }: SentFilters): Faults {
  const isDay = (date: string) => /^2\d{3}-\d{2}-\d{2}$/.test(date) && isDate(date);
  return {
    ...(from !== '' && !isDay(from) && { from: 'date' as const }),
    ...(to !== '' && !isDay(to) && { to: 'date' as const }),
    ...(isDay(from) && isDay(to) && to < from && { to: 'order' as const }),
    ...(paymentRequest !== '' && !isId(paymentRequest) && { paymentRequest: 'id' as const }),
  };
}

function askedOf({ from, to, type, paymentRequest }: SentFilters, cursor: string | null) {
  return {
    limit: PAGE_SIZE,
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(type !== '' && { type: [type as EntryType] }),
    ...(paymentRequest !== '' && { paymentRequestId: paymentRequest }),
    ...(cursor !== null && { after: cursor }),
  };
}

function filterForm(visit: Visit, sent: SentFilters, faults: Faults): string {
  const { text } = LEDGER_TEXTS[visit.language];
  const words = MONEY_WORDS[visit.language];
  const types = (Object.keys(ENTRY_TYPES) as EntryType[]).map((type): [string, string] => [
    type,
    words.text(`type.${type}`),
  ]);
  const plain = (name: keyof SentFilters, label: string, type: string) => {
    const fault = faults[name];
    return textField({
      ...{ name, label, type, value: sent[name] },
      fault: fault && text(`fault.${fault}`),
    });
  };
  return html`<form class="filters" method="get" action="/console/m/${visit.merchantId}/ledger"
>!${plain('from', text('from'), 'date')}!${plain('to', text('to'), 'date')}
!${choiceField({
    name: 'type',
    label: text('type'),
    value: sent.type,
    choices: [['', text('anyType')], ...types],
  })}!${plain('paymentRequest', text('request'), 'text')}
<button class="button">${text('show')}</button></form>`;
}

function columnsOf(visit: Visit): Column<StoredEntry>[] {
  const { text } = LEDGER_TEXTS[visit.language];
  const { merchantId } = visit;
  return [
    ...entryColumns(visit),
    {
      title: text('column.request'),
      cell: ({ paymentRequestId: id }) =>
        id === null ? '–' : html`<a href="${requestPath(merchantId, id)}">!${shortId(id)}</a>`,
    },
    { title: text('column.booked'), cell: ({ bookingDate }) => day(bookingDate) },
    { title: text('column.learned'), cell: ({ createdAt }) => instant(visit, createdAt) },
  ];
}
