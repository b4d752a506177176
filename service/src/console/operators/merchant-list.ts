import { html } from 'ghtml';
import { badge } from '#console/components/badge.ts';
import { emptyState } from '#console/components/empty-state.ts';
import { textField } from '#console/components/form.ts';
import { instant } from '#console/components/instant.ts';
import { pager } from '#console/components/pager.ts';
import { type Column, table } from '#console/components/table.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { MerchantPage } from '#merchants/read-merchant.ts';
import { OPERATOR_TEXTS } from './texts.ts';

type Listed = MerchantPage['merchants'][number];

/** The path of the pages about merchants, below `/console`. */
export const MERCHANTS_PATH = '/operator/merchants';

/** The merchants of the deployment, by a part of their names. */
export function renderMerchants(visit: Visit, page: MerchantPage, searched: string): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  const base = `/console${MERCHANTS_PATH}`;
  const firstHref = searched === '' ? base : `${base}?${new URLSearchParams({ q: searched })}`;
  const labels = { first: text('first'), next: text('next'), name: text('pages') };
  const onboard = visit.can('operator.merchants.onboard')
    ? html`<p class="actions"><a class="button" href="${base}/new">${text('onboard')}</a></p>`
    : '';
  const isFirst = !visit.query.has('cursor');
  const list =
    page.merchants.length > 0
      ? table(text('title'), columns(visit), page.merchants)
      : emptyState(text(searched === '' ? 'none' : 'noneFound'));
  return {
    title: text('title'),
    section: 'operator.merchants',
    body: html`<h1>${text('title')}</h1>!${onboard}
<form class="filters" method="get" action="${base}">
!${textField({ name: 'q', label: text('searchHint'), value: searched, maxLength: 100 })}
<button class="button quiet">${text('apply')}</button></form>!${list}
!${pager({ firstHref, nextCursor: page.nextCursor, isFirst, labels })}`,
  };
}

function columns(visit: Visit): Column<Listed>[] {
  const { text } = OPERATOR_TEXTS[visit.language];
  return [
    {
      title: text('name'),
      cell: ({ id, name }) => html`<a href="/console${MERCHANTS_PATH}/${id}">${name}</a>`,
      isRowHeader: true,
    },
    { title: text('id'), cell: ({ id }) => html`<code>${id}</code>` },
    {
      title: text('status'),
      cell: ({ status }) => badge(text(status), status === 'ACTIVE' ? 'good' : 'bad'),
    },
    { title: text('created'), cell: ({ createdAt }) => instant(visit, createdAt) },
  ];
}
