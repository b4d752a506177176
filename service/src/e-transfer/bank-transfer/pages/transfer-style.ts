import type { Language } from '#http/negotiation/choose-language.ts';
import type { ErrorPageOptions } from '#http/pages/error-page.ts';
import type { Look } from '#http/pages/page.ts';
import { TRANSFER_TEXTS } from './transfer-texts.ts';

/** The style of the pages of a bank transfer, beside every page's own. */
const CSS = `
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
.way h2 { font-size: 1.0625rem; margin-bottom: .6rem; }
.fields {
  margin: 0 0 1rem; gap: 0; grid-template-columns: minmax(0, 1fr); border: 1px solid var(--line);
  border-radius: 10px; background: var(--page);
}
.fields > div {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .75rem; align-items: center;
  padding: .55rem .55rem .55rem .9rem; border-bottom: 1px solid var(--line); min-height: 4rem;
}
.fields > div:last-child { border-bottom: 0; }
.fields dt { grid-column: 1; font-size: .875rem; line-height: 1.3; color: var(--quiet); }
.fields dd {
  grid-column: 1; margin: 0; color: var(--text); font-weight: 600; line-height: 1.4;
  overflow-wrap: anywhere; font-variant-numeric: tabular-nums;
}
.fields .main dd { font-size: 1.125rem; text-wrap: balance; }
.fields dd.act { grid-column: 2; grid-row: 1 / span 2; }
.copy {
  min-width: 2.75rem; min-height: 2.75rem; padding: .35rem .75rem; border-radius: 8px;
  border: 1px solid var(--line); background: var(--card); color: var(--accent); font: inherit;
  font-size: .9375rem; font-weight: 600; cursor: pointer;
}
.copy:hover { border-color: var(--accent); }
.copy.copied { color: var(--good); border-color: var(--good); }
.copy.copied::before { content: "✓ " / ""; }
.told { min-height: 1.6rem; margin: -.6rem 0 .4rem; color: var(--good); font-size: .9375rem; }
.code { display: block; background: #fff; border-radius: 8px; border: 1px solid var(--line); }
.code { width: 100%; max-width: 16rem; height: auto; padding: 0; }
.rules { margin: 0 0 1.25rem; padding-left: 1.1rem; }
.rules li { margin: 0 0 .4rem; }
.brief { margin: 0 0 1rem; gap: 0; line-height: 1.4; }
.brief dt { color: var(--quiet); font-size: .9375rem; }
.brief dd { margin: 0 0 .4rem; color: var(--text); overflow-wrap: anywhere; }
.left { color: var(--wait); font-weight: 650; }
.left:empty { display: none; }
.part {
  margin: 0 0 1.25rem; padding: .75rem 1rem; border-left: 4px solid var(--accent);
  background: var(--code);
}
.part strong { display: block; }
.part progress { width: 100%; height: .6rem; accent-color: var(--accent); }
.stop { font-weight: 600; color: var(--text); }
.sent { margin: 1.25rem 0 0; }
.sent .button { width: 100%; }
.sent p { margin: .6rem 0 0; }
.scan { margin-top: 1.5rem; }
.again { margin: 1.25rem 0 0; }
.again > .ways { margin-top: 1rem; }
@media (pointer: coarse) and (max-width: 47.99rem) { .scan .code, .scan .seen { display: none; } }
@media (min-width: 27rem) {
  .brief { grid-template-columns: max-content minmax(0, 1fr); gap: .35rem 1rem; }
  .brief dt { font-size: inherit; }
  .brief dd { margin: 0; }
  .sent .button { width: auto; }
}
@media (min-width: 48rem) {
  .bar > div, .notice > p, main { max-width: 60rem; }
  .ways.both {
    display: grid; grid-template-columns: minmax(0, 1fr) 16rem; gap: 0 2.5rem; align-items: start;
  }
  .ways.both .scan { order: 1; margin: 0; }
  .scan .save { font-size: .9375rem; }
}
@media (forced-colors: active) { .fields, .part { border: 1px solid CanvasText; } }
@media print { .copy, .sent, .told { display: none; } }
`;

const STYLE = CSS.replace(/\s+/g, ' ').trim();

/** A building with columns, as banks are drawn. */
const MARK =
  '<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false" fill="none" ' +
  'stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
  '<path d="M3 11 14 4l11 7zM6 15v6m5-6v6m6-6v6m5-6v6M3 24.5h22"/></svg>';

export function transferLook(language: Language): Look {
  return { brand: TRANSFER_TEXTS[language].brand, mark: MARK, style: STYLE };
}

/** Error pages wear the same look. */
export function transferErrorPages(isDemo: boolean): ErrorPageOptions {
  return {
    notice: (language) => (isDemo ? TRANSFER_TEXTS[language].notice : undefined),
    look: transferLook,
  };
}
