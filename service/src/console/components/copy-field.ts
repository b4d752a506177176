import { html } from 'ghtml';
import { turnsDirection } from '#console/shell/mark-direction.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';

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
