import { html } from 'ghtml';
import { type Tab, tabs } from '#console/components/parts.ts';
import { shownNumber } from '#console/components/values.ts';
import type { FormField } from '#console/forms/form-field.ts';
import { renderForm } from '#console/forms/render-form.ts';
import type { ListSpec } from '#console/lists/list-spec.ts';
import { type ListState, queryOf, savedQueryOf } from '#console/lists/list-state.ts';
import { LONGEST_VIEW_NAME, type SavedView } from '#console/saved-views/saved-views.ts';
import type { Visit } from '#console/shell/visit.ts';

export interface ViewBar {
  /** The list's own address, without parameters. */
  readonly address: string;
  readonly state: ListState;
  readonly saved: readonly SavedView[];
  /** The numbers of the list's own tabs. */
  readonly counts: Readonly<Record<string, number>> | undefined;
}

/** The tabs of a list, the person's views of it, and the form that saves the present one. */
export function viewBar(
  spec: ListSpec,
  visit: Visit,
  { address, state, saved, counts = {} }: ViewBar,
): string {
  const { text } = spec.words(visit.language);
  const views = viewsOf(visit);
  const at = isNested(spec) ? `?at=${encodeURIComponent(address)}` : '';
  const present = queryOf(state);
  const kept = savedQueryOf(spec, state);
  const tab = (query: string, name: string): Tab => ({
    href: address + (query && `?${query}`),
    name,
    isCurrent: query === present,
  });
  const items = saved.map(({ id, name, query, isOwn }) => {
    const edit = html`<a class="edit" href="/console${views.path}/${id}${at}"
 aria-label="${text('view.edit', { name })}">✎</a>`;
    return { ...tab(query, name), more: isOwn && query === present ? ` ${edit}` : '' };
  });
  const { queries = { all: '' }, most = Infinity, hidesEmpty } = spec.tabs ?? {};
  const isThere = ([name]: [string, string]) => !hidesEmpty || counts[name] !== 0;
  const own = Object.entries(queries)
    .filter(isThere)
    .map(([name, query]) => {
      const counted = counts[name];
      if (counted === undefined) return tab(query, text(`tab.${name}`));
      const number = shownNumber(visit.language, Math.min(counted, most));
      const count = counted > most ? `${number}+` : number;
      return { ...tab(query, text(`tab.${name}`)), count };
    });
  const isShown = spec.tabs !== undefined || items.length > 0;
  const list = isShown ? tabs(text('views'), [...own, ...items]) : '';
  const isKept = [...Object.values(queries), ...saved.map(({ query }) => query)].includes(kept);
  return list + (isKept || !visit.can(views.action) ? '' : saveForm(spec, visit, address, kept));
}

/** Whether the list is a part of the page of another thing, which the address names. */
function isNested({ path }: Pick<ListSpec, 'path'>): boolean {
  return path.replace('/:merchant/', '/').includes('/:');
}

/** The list's address, for the form of a view of a list whose path alone does not give it. */
export function atField(spec: ListSpec, address: string): readonly FormField[] {
  return isNested(spec) ? [{ name: 'at', kind: 'hidden', value: address }] : [];
}

/** The path of the views below `/console`, and the right to change them. */
export function viewsOf({ merchant }: Visit) {
  return merchant
    ? ({ path: `/m/${merchant.id}/views`, action: 'views.change' } as const)
    : ({ path: '/operator/views', action: 'operator.views.change' } as const);
}

function saveForm(spec: ListSpec, visit: Visit, address: string, query: string): string {
  const { text } = spec.words(visit.language);
  const field = html`<label for="view-name">${text('view.name')}</label>
<span class="hint" id="view-hint">${text('view.private')}</span>
<div class="beside"><input id="view-name" name="name" maxlength="${LONGEST_VIEW_NAME}" required
 autocomplete="off" aria-describedby="view-hint"><button class="button quiet">${text('view.save')}
</button></div>`;
  const form = renderForm(visit, {
    action: viewsOf(visit).path,
    items: [
      { name: 'list', kind: 'hidden', value: spec.name },
      ...atField(spec, address),
      { name: 'query', kind: 'hidden', value: query },
      field,
    ],
  });
  return html`<details class="save-view"><summary>${text('view.save')}</summary>!${form}</details>`;
}
