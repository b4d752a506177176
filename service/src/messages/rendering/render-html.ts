import { html } from 'ghtml';
import type { MessageParts } from './message-parts.ts';
import { messageStyle } from './message-style.ts';

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
