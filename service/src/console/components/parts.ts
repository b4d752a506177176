import { html } from 'ghtml';
import { turnsDirection } from '#console/shell/mark-direction.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { countBadge, type Tone } from './badges.ts';

/** A term and its value; the value is HTML. A term without a value is left out. */
export type Fact = readonly [term: string, value: string | null | undefined | false];

/** Terms with values. */
export function facts(list: readonly Fact[]): string {
  const items = list.map(([term, value]) =>
    typeof value === 'string' ? html`<dt>${term}</dt><dd>!${value}</dd>` : '',
  );
  return `<dl class="facts">${items.join('')}</dl>`;
}

/** Shown instead of an empty list: why it is empty, and the next step as HTML. */
export function emptyState(reason: string, nextStep = ''): string {
  return html`<div class="empty"><p>${reason}</p>!${nextStep}</div>`;
}

export interface Tile {
  readonly label: string;
  /** HTML. */
  readonly value: string;
  /** A line under the number. */
  readonly note?: string;
  /** The list of what the number counts; the whole tile leads there. */
  readonly href?: string | null;
  /** Left out: the number asks for nothing. */
  readonly tone?: Tone;
}

/** Numbers that are read at a glance, each with its name; `lead`: those that a page is about. */
export function tiles(list: readonly Tile[], size: '' | 'lead' = ''): string {
  return `<div class="tiles ${size}">${list.map(tile).join('')}</div>`;
}

function tile({ label, value, note, href, tone = 'neutral' }: Tile): string {
  const name = href ? html`<a href="${href}">${label}</a>` : html`${label}`;
  return html`<section class="card tile ${tone}"><h3>!${name}</h3><p class="number">!${value}</p>
!${note ? html`<p class="small">${note}</p>` : ''}</section>`;
}

export interface Tab {
  readonly href: string;
  readonly name: string;
  readonly isCurrent: boolean;
  /** The rows behind the tab, as the language writes the number. */
  readonly count?: string;
  /** HTML after the link. */
  readonly more?: string;
}

/** Links between the views of one thing. */
export function tabs(label: string, list: readonly Tab[]): string {
  const items = list.map(({ href, name, isCurrent, count, more = '' }) => {
    const mark = isCurrent ? ' aria-current="page"' : '';
    const number = count === undefined ? '' : ` ${countBadge(count)}`;
    return html`<li><a href="${href}"!${mark}>${name}!${number}</a>!${more}</li>`;
  });
  return html`<nav aria-label="${label}"><ul class="tabs">!${items.join('')}</ul></nav>`;
}

export interface PagerOptions {
  /** The address of the list, with its filters and without a cursor. */
  readonly firstHref: string;
  /** null: this is the last page. */
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly labels: { readonly first: string; readonly next: string; readonly name: string };
}

/** Links to the first and the next page of a list; nothing where one page holds all. */
export function pager({ firstHref, nextCursor, isFirst, labels }: PagerOptions): string {
  if (isFirst && nextCursor === null) return '';
  const glue = firstHref.includes('?') ? '&' : '?';
  const first = isFirst ? '' : html`<a rel="first" href="${firstHref}">${labels.first}</a>`;
  const next =
    nextCursor === null
      ? ''
      : html`<a rel="next" href="${firstHref}${glue}cursor=${nextCursor}">${labels.next}</a>`;
  return html`<nav class="pager" aria-label="${labels.name}">!${first}!${next}</nav>`;
}

export interface TimelineItem {
  /** HTML of the instant. */
  readonly when: string;
  readonly title: string;
  readonly tone: Tone;
  /** HTML, a line each. */
  readonly lines: readonly string[];
  /** HTML below the lines. */
  readonly details?: string;
}

/** A list of events, newest first. */
export function timeline(items: readonly TimelineItem[]): string {
  const entries = items.map(({ when, title, tone, lines, details = '' }) => {
    const told = lines.map((line) => `<p>${line}</p>`).join('');
    return html`<li class="${tone}"><p class="when">!${when}</p>
<div class="told"><p class="what">${title}</p>!${told}!${details}</div></li>`;
  });
  return `<ol class="timeline" reversed>${entries.join('\n')}</ol>`;
}

const TEXTS = pageTexts('console.copy-field');

export interface CopyFieldOptions {
  /** Unique on the page. */
  readonly id: string;
  /** Names the value for screen readers and for the line after copying. */
  readonly label: string;
  /** The copied text, and the shown one where `shown` is left out. */
  readonly value: string;
  /** Text to show instead, such as the value with line breaks. */
  readonly shown?: string;
  /** Several lines, which scroll; as HTML where they have colours. */
  readonly isBlock?: true;
  readonly coloured?: string;
  /** The words of the button, which is the main one of its page. */
  readonly words?: string;
}

/**
 * A value with a button that copies it, by the page script `copy-fields`; without scripts the text
 * can be selected. A page with such fields has one `copyStatus`.
 */
export function copyField({ language }: Visit, options: CopyFieldOptions): string {
  const { id, label, value, shown = value, isBlock, coloured, words } = options;
  const isShown = shown === value && !turnsDirection(value);
  const plain = isShown ? '' : html` data-value="${value}"`;
  const button = copyButton({ language }, { id, label, ...(words && { words, isMain: true }) });
  if (isBlock) {
    return html`<div class="copied-block">!${button}<pre tabindex="0" role="region"
 aria-label="${label}"><code id="${id}"!${plain}>!${coloured ?? html`${shown}`}</code></pre></div>`;
  }
  return html`<span class="copied-line"><code id="${id}"!${plain}>${shown}</code>
!${button}</span>`;
}

/** A button that copies the text, or the `data-value`, of the element with the id. */
export function copyButton(
  { language }: Pick<Visit, 'language'>,
  {
    id,
    label,
    words,
    isMain,
  }: Pick<CopyFieldOptions, 'id' | 'label' | 'words'> & { readonly isMain?: boolean },
): string {
  const { text } = TEXTS[language];
  return html`<button class="button${isMain ? '' : ' quiet'} copy" type="button" hidden
 data-copy="${id}" value="${label}" aria-label="${words ?? text('copy.named', { label })}"
>${words ?? text('copy')}</button>`;
}

/** The line that says whether a value was copied. */
export function copyStatus({ language }: Visit): string {
  const { text } = TEXTS[language];
  return html`<p class="copy-status" role="status" data-copied="${text('copied')}"
 data-marked="${text('marked')}"></p>`;
}
