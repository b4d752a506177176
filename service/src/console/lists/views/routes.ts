import { html } from 'ghtml';
import type { Faults, FormItem } from '#console/forms/form-field.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import { ownerOf } from '#console/lists/list-page.ts';
import type { ListSpec } from '#console/lists/list-spec.ts';
import { readListState, savedQueryOf } from '#console/lists/list-state.ts';
import {
  forgetView,
  LONGEST_VIEW_NAME,
  MOST_VIEWS,
  readView,
  renameSavedView,
  type SavedView,
  saveView,
  shareView,
  type ViewFault,
} from '#console/saved-views/saved-views.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { known } from '#console/shell/known.ts';
import { sectionOf } from '#console/shell/sections.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { DatabaseDeps } from '#database/database.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { atField, viewsOf } from './view-bar.ts';

const SAVED_VIEW_TEXTS = pageTexts('console.lists.views');

export interface SavedViewPagesDeps extends DatabaseDeps {
  /** Every list that people may save views of. */
  readonly lists: readonly ListSpec[];
}

/** Saves, renames and deletes a person's own views of lists: of a merchant, or of operators. */
export function registerSavedViewPages(routes: ConsoleRoutes, deps: SavedViewPagesDeps): void {
  registerViews(routes, deps, '/m/:merchant/views', 'views.change');
  registerViews(routes, deps, '/operator/views', 'operator.views.change');
}

function registerViews(
  routes: ConsoleRoutes,
  deps: SavedViewPagesDeps,
  path: string,
  action: 'views.change' | 'operator.views.change',
): void {
  routes.form(path, action, 'typed', async (_, visit, form) => {
    const place = placeOf(deps, visit, form.get('list'), form.get('at'));
    const asked = new URLSearchParams(form.get('query') ?? '');
    const query = savedQueryOf(place.spec, readListState(place.spec, asked));
    const name = form.get('name') ?? '';
    const view = { list: place.spec.name, name, query };
    const fault = await saveView(deps, ownerOf(visit), view);
    if (fault) return newViewPage(visit, place, view, fault);
    return { to: `${place.address}?${query}`, done: 'viewSaved' };
  });
  routes.page(`${path}/:id`, action, async (_, visit) => {
    const view = await findOwn(deps, visit);
    return viewPage(visit, placeOf(deps, visit, view.list, visit.query.get('at')), view);
  });
  routes.form(`${path}/:id/rename`, action, 'typed', async (_, visit, form) => {
    const view = await findOwn(deps, visit);
    const place = placeOf(deps, visit, view.list, form.get('at'));
    const name = form.get('name') ?? '';
    const fault = await renameSavedView(deps, ownerOf(visit), view.id, name);
    if (fault) return viewPage(visit, place, { ...view, name }, fault);
    return { to: `${place.address}?${view.query}`, done: 'viewRenamed' };
  });
  routes.act(`${path}/:id/share`, action, async (_, visit, form) => {
    const view = await findOwn(deps, visit);
    const isShared = form.get('shared') === 'yes';
    await shareView(deps.db, ownerOf(visit), view.id, isShared);
    const { address } = placeOf(deps, visit, view.list, form.get('at'));
    return { to: `${address}?${view.query}`, done: isShared ? 'viewShared' : 'viewUnshared' };
  });
  routes.act(`${path}/:id/delete`, action, async (_, visit, form) => {
    const view = await findOwn(deps, visit);
    await forgetView(deps.db, ownerOf(visit), view.id);
    return { to: placeOf(deps, visit, view.list, form.get('at')).address, done: 'viewDeleted' };
  });
}

/** A list, and the address of the page with the list that the person comes from. */
interface Place {
  readonly spec: ListSpec;
  readonly address: string;
}

/** @throws Problem for a list that this version does not have, or that has no such address */
function placeOf(
  { lists }: SavedViewPagesDeps,
  { merchant }: Visit,
  name: string | null,
  at: string | null,
): Place {
  const isHere = ({ path }: ListSpec) => path.includes('/:merchant/') === (merchant !== null);
  const spec = known(lists.find((each) => each.name === name && isHere(each)));
  const path = `/console${spec.path.replace(':merchant', merchant?.id ?? '')}`;
  const address = at ?? path;
  known(new RegExp(`^${path.replace(/:\w+/g, '[\\w-]+')}$`).exec(address));
  return { spec, address };
}

/** @throws Problem for an unknown view and for another person's */
async function findOwn({ db }: SavedViewPagesDeps, visit: Visit): Promise<SavedView> {
  return known(await readView(db, ownerOf(visit), visit.params.id ?? ''));
}

function nameField({ language }: Visit, value: string) {
  const label = SAVED_VIEW_TEXTS[language].text('name');
  return { name: 'name', label, value, maxLength: LONGEST_VIEW_NAME, isRequired: true };
}

function faultsOf({ language }: Visit, fault: ViewFault | null): Faults {
  const most = fault === 'TOO_MANY' ? MOST_VIEWS : LONGEST_VIEW_NAME;
  return fault ? { name: SAVED_VIEW_TEXTS[language].text(`fault.${fault}`, { most }) } : {};
}

function newViewPage(
  visit: Visit,
  place: Place,
  { name, query }: Pick<SavedView, 'name' | 'query'>,
  fault: ViewFault,
): ConsolePage {
  const { text } = SAVED_VIEW_TEXTS[visit.language];
  const form = renderForm(visit, {
    action: viewsOf(visit).path,
    faults: faultsOf(visit, fault),
    items: [
      { name: 'list', kind: 'hidden', value: place.spec.name },
      { name: 'query', kind: 'hidden', value: query },
      ...atField(place.spec, place.address),
      nameField(visit, name),
    ],
    buttons: html`!${button(text('save'))} !${backLink(visit, place, query)}`,
  });
  return framed(visit, place, form, 422);
}

function viewPage(
  visit: Visit,
  place: Place,
  { id, name, query, isShared }: SavedView,
  fault: ViewFault | null = null,
): ConsolePage {
  const { text } = SAVED_VIEW_TEXTS[visit.language];
  const form = (act: string, item: FormItem, buttons: string) =>
    renderForm(visit, {
      action: `${viewsOf(visit).path}/${id}/${act}`,
      faults: faultsOf(visit, fault),
      items: [...atField(place.spec, place.address), item],
      buttons,
    });
  const rename = html`!${button(text('rename'))} !${backLink(visit, place, query)}`;
  const shareHint = html`<p class="small">${text(isShared ? 'sharedHint' : 'shareHint')}</p>`;
  const shared = { kind: 'quiet', name: 'shared', value: isShared ? 'no' : 'yes' } as const;
  const share = button(text(isShared ? 'unshare' : 'share'), shared);
  const deleteHint = html`<p class="small">${text('deleteHint')}</p>`;
  const forms = [
    form('rename', nameField(visit, name), rename),
    form('share', shareHint, share),
    form('delete', deleteHint, button(text('delete'), { kind: 'danger' })),
  ];
  return framed(visit, place, forms.join(''), fault ? 422 : 200);
}

function backLink(visit: Visit, { address }: Place, query: string): string {
  return html`<a href="${address}?${query}">${SAVED_VIEW_TEXTS[visit.language].text('back')}</a>`;
}

function framed(visit: Visit, { spec }: Place, forms: string, status: number): ConsolePage {
  const { text } = SAVED_VIEW_TEXTS[visit.language];
  const list = spec.words(visit.language).text('title');
  return {
    title: text('title'),
    section: sectionOf(spec.path),
    status,
    body: html`<h1>${text('title')}</h1><p class="quiet">${text('lead', { list })}</p>!${forms}`,
  };
}
