import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { merchantMark, nameOf, registeredNameOf, type ShownMerchant } from './merchant-heading.ts';
import { shownText, shownValue } from './shown-text.ts';
import { type Html, pageTexts } from './texts.ts';

/** A label and its value; null: it is not known. */
export type Fact = readonly [label: string, value: string | Html | null];

export interface Bill {
  readonly language: Language;
  readonly merchant: ShownMerchant;
  /** In the writing of the language. */
  readonly amount: string;
  /** The words of one among several amounts; left out: the reader knows which one it is. */
  readonly amountLabel?: string;
  /** The rows below merchant and amount. */
  readonly facts: readonly Fact[];
}

/** Three lines of the panel. The rest of a longer text is one press away. */
const LONGEST_TEXT = 96;

/** “Back to” and the name fill one line of the narrowest phone. */
const LONGEST_NAME_OF_BUTTON = 24;

/** `$10,000.00` fills a line of the narrowest phone; a longer amount is set smaller. */
const LONGEST_LARGE_AMOUNT = 10;

const sumClass = (amount: string): string =>
  [...amount].length > LONGEST_LARGE_AMOUNT ? 'sum many' : 'sum';

const texts = pageTexts('every-page');

/** An amount within a title: the largest words of the page. */
export function sum(amount: string): Html {
  return { html: html`<span class="${sumClass(amount)}">${amount}</span>` };
}

/** A title that holds the amount, below the merchant's logo; `until` is HTML beside it. */
export function billTitle(title: string, merchant: ShownMerchant, until = ''): string {
  return html`<div class="asks">!${merchantMark(merchant)}<h1>!${title}</h1>!${until}</div>`;
}

/** The panel of merchant, amount and facts, beside a title that does not have them. */
export function billPanel({ language, merchant, amount, amountLabel, facts }: Bill): string {
  const { text } = texts[language];
  const label = amountLabel
    ? html`<dt>${amountLabel}</dt>`
    : html`<dt class="unseen">${text('facts.amount')}</dt>`;
  return html`<dl class="bill"><dt class="unseen">${text('facts.merchant')}</dt>
<dd class="who">!${merchantMark(merchant)}!${openable(language, nameOf(merchant))}</dd>
!${label}<dd class="${sumClass(amount)}">${amount}</dd>
!${factRows([registered(language, merchant), ...facts], (value) =>
    openable(language, value),
  )}</dl>`;
}

/** The facts behind their first line: they take no room from the first screen. */
export function foldedFacts(
  { language, merchant, facts }: Omit<Bill, 'amount'>,
  line: readonly (string | null)[],
): string {
  const { text } = texts[language];
  const all: readonly Fact[] = [
    [text('facts.merchant'), nameOf(merchant)],
    registered(language, merchant),
    ...facts,
  ];
  const shown = line.flatMap((part) => (part === null ? [] : shownText(part))).join(' · ');
  return html`<details class="folded"><summary><bdi class="cut">${shown}</bdi>
<span class="more">${text('facts.more')}</span></summary>
<dl class="facts">!${factRows(all, shownValue)}</dl></details>`;
}

/** A value with a button that copies it; the page has one `copyStatus`. */
export function copiedFact(
  language: Language,
  { id, label, value }: { readonly id: string; readonly label: string; readonly value: string },
): Fact {
  const { text } = texts[language];
  const shown = html`<span id="${id}">${shownText(value)}</span>
<button class="copy plain" type="button" data-copy="${id}" value="${label}"
 aria-label="${text('copy.named', { label })}" hidden>${text('copy')}</button>`;
  return [label, { html: shown }];
}

/** The line in which the script `copy-fields` says what it copied. */
export function copyStatus(language: Language): string {
  const { text } = texts[language];
  return html`<p class="told" role="status" data-copied="${text('copy.done')}"
 data-marked="${text('copy.marked')}"></p>`;
}

/** Leads to the merchant's own page; empty where there is none. */
export function backLink(
  language: Language,
  url: string | null,
  merchant: string,
  kind: 'quiet' | '' = 'quiet',
): string {
  const { text } = texts[language];
  const isLong = [...merchant].length > LONGEST_NAME_OF_BUTTON;
  const label = isLong ? text('merchant.backToSite') : text('merchant.back', { merchant });
  return url ? html`<a class="button ${kind}" href="${url}" rel="noreferrer">${label}</a>` : '';
}

/** The script `shown-times` fills it in the last ten minutes: a payer must not be surprised. */
export function timeLeft(language: Language, expiresInMs: number): string {
  const { text } = texts[language];
  return html`<p class="left" role="status" data-left="${expiresInMs}"
 data-minutes="${text('expiry.minutes')}" data-last="${text('expiry.last')}"></p>`;
}

function registered(language: Language, merchant: ShownMerchant): Fact {
  return [texts[language].text('merchant.registered'), registeredNameOf(merchant)];
}

function factRows(facts: readonly Fact[], show: (value: string | Html) => string): string {
  const rows = facts.flatMap(([label, value]) =>
    value === null ? [] : html`<dt>${label}</dt><dd>!${show(value)}</dd>`,
  );
  return rows.join('\n');
}

/** A value; a long text is cut, and is opened without a script. */
function openable(language: Language, value: string | Html): string {
  const { text } = texts[language];
  if (typeof value !== 'string' || [...value].length <= LONGEST_TEXT) {
    return html`<bdi>!${shownValue(value)}</bdi>`;
  }
  const whole = shownText(value);
  const cut = [...whole].slice(0, LONGEST_TEXT - 1).join('');
  const behindWord = `${cut.replace(/(?<=.{12})[\s,;]+\S{0,12}$/u, '')}…`;
  return html`<details class="long"><summary><bdi class="cut">${behindWord}</bdi>
<span class="more">${text('more')}</span><span class="less">${text('less')}</span></summary>
<bdi>${whole}</bdi></details>`;
}
