import { html } from 'ghtml';
import type { AuditPage } from '#audit/list-audit-log.ts';
import { emptyState } from '#console/components/empty-state.ts';
import { textField } from '#console/components/form.ts';
import { instant } from '#console/components/instant.ts';
import { pager } from '#console/components/pager.ts';
import { type Column, table } from '#console/components/table.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { renderDetails } from './render-details.ts';
import { AUDIT_TEXTS } from './texts.ts';

type Entry = AuditPage['entries'][number];

const FILTERS = ['action', 'actor', 'merchant', 'since', 'until'] as const;

/** The audit log of one merchant, or of all for operators. */
export function renderAuditLog(visit: Visit, page: AuditPage): ConsolePage {
  const { text } = AUDIT_TEXTS[visit.language];
  const isOfAll = visit.merchant === null;
  const base = isOfAll ? '/console/operator/audit' : `/console/m/${visit.merchantId}/audit`;
  const kept = keptFilters(visit, isOfAll);
  const firstHref = kept.size > 0 ? `${base}?${kept}` : base;
  const { entries, nextCursor } = page;
  const labels = { first: text('first'), next: text('next'), name: text('pages') };
  const isFirst = !visit.query.has('cursor');
  const verify = isOfAll
    ? html`<a class="button quiet" href="${base}/verify">${text('verify')}</a>`
    : '';
  const list =
    entries.length > 0
      ? table(text('title'), columns(visit), entries)
      : emptyState(text(kept.size > 0 ? 'noneFiltered' : 'none'));
  return {
    title: text('title'),
    section: isOfAll ? 'operator.audit' : 'audit',
    body: html`<h1>${text('title')}</h1>
<p class="quiet">${text(isOfAll ? 'leadOperator' : 'leadMerchant')}</p>
<div class="actions"><a class="button quiet" href="${base}/export">${text('export')}</a>!${verify}
</div><p class="small">${text('exportHint')}</p>!${filterForm(visit, base, kept)}!${list}
!${pager({ firstHref, nextCursor, isFirst, labels })}`,
  };
}

function keptFilters({ query }: Visit, isOfAll: boolean): URLSearchParams {
  const names = FILTERS.filter((name) => isOfAll || (name !== 'actor' && name !== 'merchant'));
  const given = names.map((name) => [name, query.get(name)?.trim() ?? ''] as const);
  return new URLSearchParams(given.filter(([, value]) => value !== '').map(([...pair]) => pair));
}

function filterForm(visit: Visit, base: string, kept: URLSearchParams): string {
  const { text } = AUDIT_TEXTS[visit.language];
  const keptValue = (name: string) => kept.get(name) ?? '';
  const dayField = (name: 'since' | 'until') =>
    textField({ name, label: text(name), value: keptValue(name), type: 'date' });
  const ofAll =
    visit.merchant === null
      ? textField({
          name: 'actor',
          label: text('actor'),
          value: keptValue('actor'),
          maxLength: 100,
        }) + textField({ name: 'merchant', label: text('merchant'), value: keptValue('merchant') })
      : '';
  const clear = kept.size > 0 ? html`<a href="${base}">${text('clear')}</a>` : '';
  return html`<form class="filters" method="get" action="${base}" aria-label="${text('filters')}">
!${textField({ name: 'action', label: text('action'), value: keptValue('action'), maxLength: 100 })}
!${ofAll}!${dayField('since')}!${dayField('until')}
<button class="button quiet">${text('apply')}</button>!${clear}</form>`;
}

function columns(visit: Visit): Column<Entry>[] {
  const { text } = AUDIT_TEXTS[visit.language];
  const isOfAll = visit.merchant === null;
  const detailsOf = ({ details, merchantId }: Entry) =>
    renderDetails(details, {
      was: text('was'),
      paymentRequestHref: (id) =>
        merchantId === null ? null : `/console/m/${merchantId}/payment-requests/${id}`,
    });
  return [
    { title: text('when'), cell: (entry) => instantOf(visit, entry) },
    {
      title: text('what'),
      cell: ({ action }) => html`<code>${action}</code>`,
      isRowHeader: true,
    },
    { title: text('who'), cell: ({ actor }) => html`${actor}` },
    ...(isOfAll ? [merchantColumn(text('merchant'))] : []),
    { title: text('details'), cell: detailsOf },
    ...(isOfAll ? [{ title: text('position'), cell: (entry: Entry) => `${entry.position}` }] : []),
  ];
}

function merchantColumn(title: string): Column<Entry> {
  return {
    title,
    cell: ({ merchantId }) =>
      merchantId === null
        ? '–'
        : html`<a class="mono" href="/console/operator/merchants/${merchantId}"
 title="${merchantId}">${merchantId.slice(0, 8)}…${merchantId.slice(-4)}</a>`,
  };
}

/** A planted entry can have an instant that no calendar has. */
function instantOf(visit: Visit, { occurredAt }: Entry): string {
  const at = new Date(occurredAt);
  return Number.isNaN(at.getTime()) ? html`${occurredAt}` : instant(visit, at);
}
