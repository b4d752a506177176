import { html } from 'ghtml';
import { type Column, column } from '#console/components/table.ts';
import { actForm } from '#console/forms/render-form.ts';
import type { Action } from '#console/model/access-matrix.ts';
import type { Visit } from '#console/shell/visit.ts';

/** An act on a page, or on a thing that it shows such as the row of a list. */
export interface Act<Of = void> {
  /** The key of its words. */
  readonly word: string;
  /** Left out: each person who sees the page. */
  readonly may?: Action;
  /** `POST` acts at once. Left out: a link, to a page or form that asks first. */
  readonly method?: 'POST';
  /** Left out: `quiet`. Text stands in rows, `main` is the primary button of a page. */
  readonly look?: 'quiet' | 'main' | 'danger' | 'text';
  /** The shortcut of the script `console-list`. */
  readonly key?: 'c';
  /** Below `/console`; null: there is nothing to act on. */
  path(of: Of, visit: Visit): string | null;
  /** Names the thing for screen readers, where the words do not. */
  name?(of: Of, visit: Visit): string;
}

/** The words of acts, by their keys. */
type Words = (key: never) => string;

/** The acts that the person may take on a thing, as links and buttons. */
export function renderActs<Of>(
  visit: Visit,
  words: Words,
  acts: readonly Act<Of>[],
  of: Of,
): string {
  const shown = acts.map((act) => {
    const path = isOffered(visit, act) ? act.path(of, visit) : null;
    return path === null ? '' : renderAct(visit, words(act.word as never), { ...act, path }, of);
  });
  return shown.filter(Boolean).join('\n');
}

/** The column of the acts on rows; none where the person may take none of them. */
export function actsColumn<Row>(
  visit: Visit,
  words: Words,
  title: () => string,
  acts: readonly Act<Row>[],
): Column<Row>[] {
  if (!acts.some((act) => isOffered(visit, act))) return [];
  return [column(title(), (row) => renderActs(visit, words, acts, row))];
}

function isOffered<Of>({ can }: Visit, { may }: Pick<Act<Of>, 'may'>): boolean {
  return may === undefined || can(may);
}

function renderAct<Of>(
  visit: Visit,
  word: string,
  { method, look = 'quiet', key, path, name }: Omit<Act<Of>, 'path'> & { readonly path: string },
  of: Of,
): string {
  const label = name?.(of, visit);
  if (method === 'POST') {
    const kind = ({ quiet: 'quiet', main: undefined, danger: 'danger', text: 'link' } as const)[
      look
    ];
    return actForm(visit, path, word, { ...(kind && { kind }), ...(label && { label }) });
  }
  const className = { text: 'act', main: 'button' }[look as 'text'] ?? `button ${look}`;
  return html`<a class="${className}"!${key ? html` data-key="${key}"` : ''}!${
    label ? html` aria-label="${label}"` : ''
  } href="/console${path}">${word}</a>`;
}
