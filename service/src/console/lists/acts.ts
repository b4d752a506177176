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
  readonly look?: keyof typeof LOOKS;
  /** The shortcut of the script `console-list`. */
  readonly key?: 'c';
  /** Below `/console`; null: there is nothing to act on. */
  path(of: Of, visit: Visit): string | null;
  /** Names the thing for screen readers, where the words do not. */
  name?(of: Of, visit: Visit): string;
}

/** The class of a link and the kind of a button, by the look. */
const LOOKS = {
  quiet: { className: 'button quiet', kind: 'quiet' },
  main: { className: 'button', kind: undefined },
  danger: { className: 'button danger', kind: 'danger' },
  slim: { className: 'button quiet slim', kind: 'quiet slim' },
  text: { className: 'act', kind: 'link' },
} as const;

/** The act that adds a row to a list, with its shortcut. */
export const addingAct = (word: string, may: Action, path: (visit: Visit) => string): Act => ({
  word,
  may,
  look: 'main',
  key: 'c',
  path: (_, visit) => path(visit),
});

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
  const { className, kind } = LOOKS[look];
  if (method === 'POST') return actForm(visit, path, word, { kind, label });
  return html`<a class="${className}"!${key ? html` data-key="${key}"` : ''}!${
    label ? html` aria-label="${label}"` : ''
  } href="/console${path}">${word}</a>`;
}
