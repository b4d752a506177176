import { html } from 'ghtml';
import { badge, type Tone } from '#console/components/badge.ts';
import { choiceField } from '#console/components/choice-field.ts';
import { emptyState } from '#console/components/empty-state.ts';
import { instant } from '#console/components/instant.ts';
import { pager } from '#console/components/pager.ts';
import { type Column, table } from '#console/components/table.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { type BookFile, FILE_STATES, type FileState } from '../bank-books.ts';
import { addressOf } from '../parts/address.ts';
import { day } from '../parts/amount.ts';
import { BANK_TEXTS } from '../texts/bank-texts.ts';

const PAGE_SIZE = 50;
const PATH = '/console/operator/bank-files';

const TONES: Readonly<Record<FileState, Tone>> = {
  RECEIVED: 'wait',
  STAGED: 'wait',
  COMPLETE: 'good',
  REFUSED: 'bad',
};

export function fileBadge({ language }: Visit, state: FileState): string {
  return badge(BANK_TEXTS[language].text(`state.${state}`), TONES[state]);
}

/** The days of a file's statements. */
export function daysOf({ firstDay, lastDay }: BookFile): string {
  return firstDay === lastDay ? day(firstDay) : `${day(firstDay)} – ${day(lastDay)}`;
}

/** The files of the bank with their verdicts. */
export async function showFiles(
  { money: { books } }: Pick<ConsoleDeps, 'money'>,
  visit: Visit,
): Promise<ConsolePage> {
  const { text } = BANK_TEXTS[visit.language];
  const page = { title: text('files.title'), section: 'operator.bank-files' as const };
  const heading = html`<h1>${text('files.title')}</h1>`;
  if (!books) return { ...page, body: html`!${heading}!${emptyState(text('noBooks'))}` };
  const state = FILE_STATES.find((each) => each === visit.query.get('state')) ?? null;
  const after = visit.query.get('cursor');
  const { data, next } = await books.files({ state, after, limit: PAGE_SIZE });
  const empty = emptyState(text(state === null ? 'files.none' : 'files.noneOfState'));
  return {
    ...page,
    body: html`!${heading}<p class="quiet">${text('files.lead')}</p>!${stateForm(visit, state)}
!${data.length > 0 ? table(text('files.caption'), columnsOf(visit), data) : empty}
!${pager({
      firstHref: addressOf(PATH, { state }),
      nextCursor: next,
      isFirst: after === null,
      labels: { first: text('first'), next: text('next'), name: text('pages') },
    })}`,
  };
}

function stateForm({ language }: Visit, state: FileState | null): string {
  const { text } = BANK_TEXTS[language];
  const choices = FILE_STATES.map((each): [string, string] => [each, text(`state.${each}`)]);
  return html`<form class="filters" method="get" action="${PATH}">!${choiceField({
    name: 'state',
    label: text('filter.state'),
    value: state ?? '',
    choices: [['', text('filter.any')], ...choices],
  })}<button class="button">${text('filter.apply')}</button></form>`;
}

function columnsOf(visit: Visit): Column<BookFile>[] {
  const { text } = BANK_TEXTS[visit.language];
  return [
    {
      title: text('column.received'),
      isRowHeader: true,
      cell: ({ id, receivedAt }) =>
        html`<a href="${PATH}/${id}">!${instant(visit, receivedAt)}</a>`,
    },
    {
      title: text('column.verdict'),
      cell: ({ state, reason }) =>
        fileBadge(visit, state) +
        (reason === null ? '' : html`<span class="reason">${reason}</span>`),
    },
    { title: text('column.kind'), cell: ({ kind }) => html`${kind ?? '–'}` },
    { title: text('column.days'), cell: daysOf },
    {
      title: text('column.statements'),
      isMoney: true,
      cell: ({ statements }) => html`${statements}`,
    },
    { title: text('column.entries'), isMoney: true, cell: ({ entries }) => html`${entries}` },
    {
      title: text('column.size'),
      isMoney: true,
      cell: ({ sizeBytes }) => sizeText(visit, sizeBytes),
    },
  ];
}

/** A size as people compare it: 7 kB, 1.2 MB. */
export function sizeText({ language }: Visit, bytes: number): string {
  const isLarge = bytes >= 1_000_000;
  const format = new Intl.NumberFormat(`${language}-CA`, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: 1,
  });
  return html`${format.format(bytes / (isLarge ? 1_000_000 : 1_000))}`;
}
