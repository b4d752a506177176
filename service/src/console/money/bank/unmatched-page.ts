import { html } from 'ghtml';
import { type OpenCases, readOpenCases } from '#cases/read/read-open-cases.ts';
import { emptyState, type Tile, tiles } from '#console/components/parts.ts';
import { NONE, table } from '#console/components/table.ts';
import { amount, inGroups } from '#console/components/values.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import { addressOf } from '#console/model/address.ts';
import { searchCard } from '#console/search/search-card.ts';
import type { Act, Show } from '#console/shell/console-routes.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { OtherEntry } from '#e-transfer/network-books.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';
import { formatAmount } from '#lib/money.ts';
import { isId } from '#lib/new-id.ts';
import { BANK_TEXTS, CASE_TEXTS } from '../texts.ts';

/** A person reads no more of them; the file has all that the command line lists. */
const MOST_SHOWN = 200;
const MOST_IN_FILE = 10_000;
/** Their ids stand in an address, which browsers and proxies bound at some 2,000 characters. */
const MOST_FOUND = 40;
const PATH = '/console/operator/unmatched';

/** Money that waits for a person, and entries of our accounts that are none of this service. */
export const showUnmatched: Show = async ({ db, money: { books }, currency }, visit) => {
  const { text } = BANK_TEXTS[visit.language];
  const open = await readOpenCases(db, null, currency, null);
  // A bank's own refund is money that left.
  const waiting = open.filter(
    ({ kind, arrivedCents }) => arrivedCents > 0 && kind !== 'REFUNDED_OUTSIDE',
  );
  const list =
    waiting.length > 0
      ? tiles(
          waiting.map((each) => waitingTile(visit, each)),
          'lead',
        )
      : emptyState(text('unmatched.waitingNone'));
  const asked = visit.query.get('found');
  const ids = asked === null ? null : asked.split(' ').filter(isId);
  const others = books
    ? othersOf(visit, await books.others({ limit: MOST_SHOWN + 1, ...(ids && { ids }) }), ids)
    : emptyState(text('noBooks'));
  const csv = html`<a class="button quiet" href="/console/operator/unmatched.csv"
 download>${text('csv')}</a>`;
  return {
    title: text('unmatched.title'),
    head: { acts: books ? csv : '' },
    body: html`<h2>${text('unmatched.waiting')}</h2>!${list}
<h2>${text('unmatched.others')}</h2><p class="quiet">${text('unmatched.othersLead')}</p>!${others}`,
  };
};

function waitingTile(visit: Visit, { kind, count, arrivedCents, currency }: OpenCases): Tile {
  return {
    label: CASE_TEXTS[visit.language].text(`name.${kind}`),
    value: amount(visit, arrivedCents, currency),
    note: BANK_TEXTS[visit.language].text('unmatched.cases', { count }),
    href: addressOf('/console/operator/cases', { kind }),
  };
}

/**
 * Leads to the entries whose text holds what a person looks for. The text may be the payer's data:
 * the address has the ids alone (decision 0070).
 */
export const searchOthers: Act = async ({ money: { books } }, _visit, form) => {
  const search = form.get('q')?.trim() ?? '';
  if (search === '') return { to: PATH };
  const found = (await books?.others({ limit: MOST_FOUND, search })) ?? [];
  return { to: `${PATH}?found=${found.map(({ id }) => id).join('+')}` };
};

function othersOf(
  visit: Visit,
  found: readonly OtherEntry[],
  ids: readonly string[] | null,
): string {
  const { text } = BANK_TEXTS[visit.language];
  const words = { label: text('unmatched.search'), hint: text('unmatched.searchHint') };
  const search = searchCard(visit, { ...words, id: 'text', action: PATH });
  const all = ids === null ? '' : html`<p><a href="${PATH}">${text('unmatched.all')}</a></p>`;
  return search + otherTable(visit, found, ids !== null) + all;
}

function otherTable(visit: Visit, found: readonly OtherEntry[], isSearch: boolean): string {
  const { text } = BANK_TEXTS[visit.language];
  if (found.length === 0) {
    return emptyState(text(isSearch ? 'unmatched.foundNone' : 'unmatched.othersNone'));
  }
  const most = html`<p>${text('unmatched.most', { most: MOST_SHOWN })}</p>`;
  const shown = found.slice(0, MOST_SHOWN);
  const list = table(text('unmatched.othersCaption'), titled(visit, text, OTHERS), shown);
  return html`<div class="list-rows">!${list}</div>!${found.length > MOST_SHOWN ? most : ''}`;
}

const OTHERS: ListColumns<OtherEntry> = {
  'column.booked': show.date((entry) => entry.bookingDate),
  'column.amount': show.money(
    (entry) => signedCents(entry),
    (entry) => entry.currency,
  ),
  'column.text': show.text((entry) => entry.text),
  'column.reference': show.cell(({ bankReference, isBatchSum }, { language }) => {
    const reference = bankReference ? html`<span class="mono">${bankReference}</span>` : NONE;
    const batch = BANK_TEXTS[language].text('unmatched.batch');
    return isBatchSum ? html`!${reference} <span class="quiet">${batch}</span>` : reference;
  }),
  'column.account': show.cell((entry) => inGroups(entry.account)),
  // Whole ids: the console's search finds them.
  'column.perhaps': show.cell(({ suggestions }) =>
    suggestions.length === 0
      ? null
      : suggestions.map((id) => html`<span class="mono">${id}</span>`).join(' '),
  ),
};

const signedCents = ({ direction, amountCents }: OtherEntry): number =>
  direction === 'CREDIT' ? amountCents : -amountCents;

const CSV = csvForm<OtherEntry>({
  ...memberColumns<OtherEntry>('account', 'bookingDate'),
  amount: (entry) => ({ decimal: formatAmount(signedCents(entry)) }),
  ...memberColumns<OtherEntry>('currency', 'bankReference'),
  isBatchSum: ({ isBatchSum }) => ({ decimal: `${isBatchSum}` }),
});

/** The other entries as CSV. */
export const exportOthers: Show = async ({ money: { books } }) => {
  const entries = (await books?.others({ limit: MOST_IN_FILE })) ?? [];
  const content = CSV.header + entries.map(CSV.lineOf).join('');
  return { fileName: 'other-entries.csv', type: 'text/csv; charset=utf-8', content };
};
