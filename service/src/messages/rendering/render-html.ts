import { html } from 'ghtml';
import type { MessageParts } from './message-parts.ts';
import { messageStyle } from './message-style.ts';

/** The HTML of a mail: one column, no script, no remote part. */
export function renderHtml(parts: MessageParts): string {
  const { language, subject, heading, hello, introduction, hasLogo } = parts;
  const logo = hasLogo ? html`<img class="logo" src="cid:logo" alt="" />` : '';
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${subject}</title><style>!${messageStyle()}</style></head>
<body><main><div class="card">!${logo}<h1>${heading}</h1>
<p>${hello}</p><p>${introduction}</p>
!${factsOf(parts)}!${actionOf(parts)}!${notesOf(parts)}</div></main></body></html>
`;
}

function factsOf({ facts }: MessageParts): string {
  const rows = facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`);
  return html`<dl>!${rows.join('\n')}</dl>`;
}

function actionOf({ action }: MessageParts): string {
  if (!action) return '';
  const { label, lead, link } = action;
  return html`<p><a class="button" href="${link}">${label}</a></p>
<p class="quiet">${lead}<br /><a href="${link}">${link}</a></p>`;
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
