import { html } from 'ghtml';
import { postForm } from '#console/components/form.ts';
import type { ListSpec } from '#console/lists/list-spec.ts';
import { type ListState, queryOf, savedQueryOf } from '#console/lists/list-state.ts';
import { LIST_TEXTS } from '#console/lists/texts.ts';
import type { SavedView } from '#console/saved-views/saved-views.ts';
import { LONGEST_VIEW_NAME } from '#console/saved-views/saved-views.ts';
import type { Visit } from '#console/shell/visit.ts';

/** The person's views of a list, and the form that saves the present one. */
export function viewBar<Row>(
  spec: ListSpec<Row>,
  visit: Visit,
  address: string,
  state: ListState,
  views: readonly SavedView[],
): string {
  const { text } = LIST_TEXTS[visit.language];
  const present = queryOf(state);
  const kept = savedQueryOf(spec, state);
  const link = (query: string, name: string) =>
    html`<a href="${address}${query && `?${query}`}"!${
      query === present ? ' aria-current="page"' : ''
    }>${name}</a>`;
  const items = views.map(({ id, name, query }) => {
    const edit = html`<a class="edit" href="/console/m/${visit.merchantId}/views/${id}"
 aria-label="${text('view.edit', { name })}">✎</a>`;
    return `<li>${link(query, name)}${query === present ? ` ${edit}` : ''}</li>`;
  });
  const list =
    items.length === 0
      ? ''
      : html`<nav aria-label="${text('views')}"><ul class="tabs"><li>!${link('', text('all'))}</li>
!${items.join('')}</ul></nav>`;
  const isKept = kept === '' || views.some(({ query }) => query === kept);
  return list + (isKept || !visit.can('views.change') ? '' : saveForm(spec.name, visit, kept));
}

function saveForm(list: string, visit: Visit, query: string): string {
  const { text } = LIST_TEXTS[visit.language];
  const body = html`<input type="hidden" name="list" value="${list}">
<input type="hidden" name="query" value="${query}">
<label for="view-name">${text('view.name')}</label>
<span class="hint" id="view-hint">${text('view.private')}</span>
<div class="beside"><input id="view-name" name="name" maxlength="${LONGEST_VIEW_NAME}" required
 autocomplete="off" aria-describedby="view-hint"><button class="button quiet">${text('view.save')}
</button></div>`;
  const form = postForm(visit, { action: `/m/${visit.merchantId}/views`, body });
  return html`<details class="save-view"><summary>${text('view.save')}</summary>!${form}</details>`;
}
