import { html } from 'ghtml';
import { postForm, textField } from '#console/components/form.ts';
import { addressOf, ownerOf } from '#console/lists/list-page.ts';
import type { ListSpec } from '#console/lists/list-spec.ts';
import { readListState, savedQueryOf } from '#console/lists/list-state.ts';
import {
  forgetView,
  LONGEST_VIEW_NAME,
  MOST_VIEWS,
  readView,
  renameSavedView,
  type SavedView,
  type SavedViewDeps,
  saveView,
  type ViewFault,
} from '#console/saved-views/saved-views.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { Problem } from '#lib/problem.ts';
import { SAVED_VIEW_TEXTS } from './texts.ts';

export interface SavedViewPagesDeps extends SavedViewDeps {
  /** Every list that people may save views of. */
  readonly lists: readonly ListSpec<never>[];
}

const PATH = '/m/:merchant/views';
const ACTION = 'views.change';

/** Saves, renames and deletes a person's own views of a merchant's lists. */
export function registerSavedViewPages(routes: ConsoleRoutes, deps: SavedViewPagesDeps): void {
  routes.act({
    path: PATH,
    action: ACTION,
    form: 'typed',
    async act(visit, form) {
      const spec = listNamed(deps, form.get('list'));
      const asked = new URLSearchParams(form.get('query') ?? '');
      const query = savedQueryOf(spec, readListState(spec, asked));
      const name = form.get('name') ?? '';
      const fault = await saveView(deps, ownerOf(visit), { list: spec.name, name, query });
      if (fault) return newViewPage(visit, spec, { name, query }, fault);
      return { to: `${addressOf(spec, visit)}?${query}`, done: 'saved' };
    },
  });
  routes.page({
    path: `${PATH}/:id`,
    action: ACTION,
    async show(visit) {
      const view = await findOwn(deps, visit);
      return viewPage(visit, listNamed(deps, view.list), view);
    },
  });
  routes.act({
    path: `${PATH}/:id/rename`,
    action: ACTION,
    form: 'typed',
    async act(visit, form) {
      const view = await findOwn(deps, visit);
      const spec = listNamed(deps, view.list);
      const name = form.get('name') ?? '';
      const fault = await renameSavedView(deps, ownerOf(visit), view.id, name);
      if (fault) return viewPage(visit, spec, { ...view, name }, fault);
      return { to: `${addressOf(spec, visit)}?${view.query}`, done: 'saved' };
    },
  });
  routes.act({
    path: `${PATH}/:id/delete`,
    action: ACTION,
    form: 'choice',
    async act(visit) {
      const view = await findOwn(deps, visit);
      await forgetView(deps.db, ownerOf(visit), view.id);
      return { to: addressOf(listNamed(deps, view.list), visit), done: 'done' };
    },
  });
}

/** @throws Problem for a list that this version does not have */
function listNamed({ lists }: SavedViewPagesDeps, name: string | null): ListSpec<never> {
  const spec = lists.find((each) => each.name === name);
  if (!spec) throw new Problem('ROUTE_NOT_FOUND');
  return spec;
}

/** @throws Problem for an unknown view and for another person's */
async function findOwn({ db }: SavedViewPagesDeps, visit: Visit): Promise<SavedView> {
  const view = await readView(db, ownerOf(visit), visit.params.id ?? '');
  if (!view) throw new Problem('ROUTE_NOT_FOUND');
  return view;
}

type Texts = (typeof SAVED_VIEW_TEXTS)['en'];

function nameField({ text }: Texts, value: string, fault: ViewFault | null): string {
  const most = fault === 'TOO_MANY' ? MOST_VIEWS : LONGEST_VIEW_NAME;
  return textField({
    name: 'name',
    label: text('name'),
    value,
    maxLength: LONGEST_VIEW_NAME,
    isRequired: true,
    fault: fault ? text(`fault.${fault}`, { most }) : undefined,
  });
}

function newViewPage(
  visit: Visit,
  spec: ListSpec<never>,
  { name, query }: Pick<SavedView, 'name' | 'query'>,
  fault: ViewFault,
): ConsolePage {
  const texts = SAVED_VIEW_TEXTS[visit.language];
  const body = html`<input type="hidden" name="list" value="${spec.name}">
<input type="hidden" name="query" value="${query}">!${nameField(texts, name, fault)}
<p class="actions"><button class="button">${texts.text('save')}</button>
!${backLink(visit, spec, query)}</p>`;
  const form = postForm(visit, { action: `/m/${visit.merchantId}/views`, body });
  return framed(visit, spec, form, 422);
}

function viewPage(
  visit: Visit,
  spec: ListSpec<never>,
  { id, name, query }: SavedView,
  fault: ViewFault | null = null,
): ConsolePage {
  const texts = SAVED_VIEW_TEXTS[visit.language];
  const { text } = texts;
  const path = `/m/${visit.merchantId}/views/${id}`;
  const rename = postForm(visit, {
    action: `${path}/rename`,
    body: html`!${nameField(texts, name, fault)}<p class="actions">
<button class="button">${text('rename')}</button> !${backLink(visit, spec, query)}</p>`,
  });
  const forget = postForm(visit, {
    action: `${path}/delete`,
    body: html`<p class="small">${text('deleteHint')}</p>
<p class="actions"><button class="button danger">${text('delete')}</button></p>`,
  });
  return framed(visit, spec, rename + forget, fault ? 422 : 200);
}

function backLink(visit: Visit, spec: ListSpec<never>, query: string): string {
  const { text } = SAVED_VIEW_TEXTS[visit.language];
  return html`<a href="${addressOf(spec, visit)}?${query}">${text('back')}</a>`;
}

function framed(visit: Visit, spec: ListSpec<never>, forms: string, status: number): ConsolePage {
  const { text } = SAVED_VIEW_TEXTS[visit.language];
  const list = spec.words(visit.language)('title');
  return {
    title: text('title'),
    section: spec.section,
    status,
    body: html`<h1>${text('title')}</h1><p class="quiet">${text('lead', { list })}</p>!${forms}`,
  };
}
