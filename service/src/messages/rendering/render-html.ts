import { html } from 'ghtml';
import { readStyle } from '#http/pages/style.ts';
import type { MessageParts } from './message-parts.ts';

/**
 * The HTML of a mail: one column, no script, no remote part. The button stands before the facts, so
 * that a phone shows it without scrolling; questions and refusals stand outside of the card.
 */
export function renderHtml(parts: MessageParts): string {
  const { language, subject, merchant, heading, hello, introduction, hasLogo } = parts;
  const logo = hasLogo ? html`<img class="logo" src="cid:logo" alt="" /> ` : '';
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${subject}</title><style>!${messageStyle()}</style></head>
<body><main><div class="card"><p class="from">!${logo}<strong>${merchant}</strong></p>
<h1>${heading}</h1><p>${hello}</p><p>${introduction}</p>
!${buttonOf(parts)}!${factsOf(parts)}</div>
!${notesOf(parts)}</main></body></html>
`;
}

function factsOf({ facts, action }: MessageParts): string {
  const rows = facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`);
  const address =
    action && html`<dt>${action.lead}</dt><dd><a href="${action.link}">${action.link}</a></dd>`;
  return html`<dl>!${[...rows, address].filter(Boolean).join('\n')}</dl>`;
}

function buttonOf({ action }: MessageParts): string {
  return action ? html`<p><a class="button" href="${action.link}">${action.label}</a></p>` : '';
}

function notesOf({ notes, unordered, reminders }: MessageParts): string {
  const paragraphs = notes.map((note) => html`<p class="quiet">${note}</p>`);
  const refusal =
    unordered &&
    html`<h2>${unordered.title}</h2><p class="quiet">${unordered.text}
<a href="${unordered.link}">${unordered.label}</a></p>`;
  const optOut =
    reminders && html`<p class="quiet"><a href="${reminders.link}">${reminders.label}</a></p>`;
  return [...paragraphs, refusal, optOut].filter(Boolean).join('\n');
}

/** Each sheet has its part for the dark behind the first of these. */
const QUERY = '@media';

/** The values of the tokens in a part of their sheet. */
function tokensIn(css: string): [name: string, value: string][] {
  const found = css.matchAll(/(--[\w-]+): ([^;}]+)/g);
  return [...found].map(([, name = '', value = '']) => [name, value.trim()]);
}

function filled(css: string, tokens: ReadonlyMap<string, string>): string {
  return css.replace(/var\((--[\w-]+)\)/g, (whole, name: string) => tokens.get(name) ?? whole);
}

let style: string | null = null;

/**
 * The style of a mail's HTML with the tokens' values: each half of the sheet, light and dark, has
 * those of its scheme. Read with the first mail.
 */
function messageStyle(): string {
  if (style === null) {
    const [light = '', dark = ''] = readStyle('base/tokens').split(QUERY);
    const [ofLight = '', ofDark = ''] = readStyle('payer/message').split(QUERY);
    const lightTokens = tokensIn(light);
    const darkTokens = new Map([...lightTokens, ...tokensIn(dark)]);
    style = filled(ofLight, new Map(lightTokens)) + QUERY + filled(ofDark, darkTokens);
  }
  return style;
}
