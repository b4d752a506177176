import { COLOURS } from './colours.ts';

/** The one style of the payer's pages: system fonts, one column, light and dark, down to 320 px. */
const CSS = `
${COLOURS}*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh;
  display: grid; grid-template: auto auto 1fr / minmax(0, 1fr);
  background: var(--page); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: break-word;
}
.bar { background: var(--card); border-bottom: 1px solid var(--line); }
.bar > div, .notice > p, main { width: 100%; max-width: 44rem; margin: 0 auto; }
.bar > div {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: 0 1rem; padding: .5rem 1rem; min-height: 3.5rem;
}
.brand {
  display: flex; align-items: center; flex: 1 1 8rem; gap: .6rem; margin: 0; font-weight: 650;
  line-height: 1.25;
}
.brand span { min-width: 0; }
.brand svg { flex: none; width: 1.75rem; height: 1.75rem; color: var(--accent); }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: from-font; }
a:hover { text-decoration-thickness: 2px; }
.bar a, .bar .link { padding: .45rem .25rem; margin-right: -.25rem; }
.link {
  border: 0; background: none; color: var(--accent); font: inherit; cursor: pointer;
  text-decoration: underline; text-underline-offset: .2em; text-decoration-thickness: from-font;
}
.link:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.notice {
  background: var(--notice); color: var(--notice-text);
  border-bottom: 1px solid var(--notice-line); font-size: .9375rem; font-weight: 600;
}
.notice > p { padding: .6rem 1rem; }
main { padding: clamp(1rem, 4vw, 2.5rem) 1rem 3rem; }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 14px;
  padding: clamp(1.25rem, 5vw, 2.5rem);
}
h1 {
  margin: 0 0 .75rem; font-size: clamp(1.5rem, 1.2rem + 1.6vw, 2rem); line-height: 1.2;
  font-weight: 700; letter-spacing: -.015em; text-wrap: balance;
}
h2 { margin: 0 0 .4rem; font-size: 1.125rem; line-height: 1.35; font-weight: 650; }
p { margin: 0 0 .75rem; text-wrap: pretty; }
p:last-child { margin-bottom: 0; }
.lead { font-size: 1.125rem; line-height: 1.5; color: var(--quiet); }
section { margin-top: 1.75rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
code {
  font: .9em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  background: var(--code); border-radius: 5px; padding: .1em .35em; overflow-wrap: anywhere;
  -webkit-box-decoration-break: clone; box-decoration-break: clone;
}
dl { margin: 1rem 0; display: grid; gap: .15rem 1.25rem; grid-template-columns: minmax(0, 1fr); }
dd { margin: 0 0 .7rem; color: var(--quiet); }
@media (min-width: 34rem) {
  dl { grid-template-columns: max-content minmax(0, 1fr); gap: .55rem 1.25rem; }
  dd { margin: 0; }
}
dl.stacked { grid-template-columns: minmax(0, 1fr); gap: .15rem; }
.stacked dd { margin: 0 0 .7rem; }
pre {
  margin: 0; padding: .9rem 1rem; overflow-x: auto; background: var(--code); border-radius: 8px;
}
pre code { padding: 0; background: none; overflow-wrap: normal; }
[hidden] { display: none !important; }
.status { display: block; width: 3.5rem; height: 3.5rem; margin: 0 0 1rem; color: var(--accent); }
.status.good { color: var(--good); } .status.bad { color: var(--bad); }
.status.wait { color: var(--wait); }
.facts { margin: 1.5rem 0 0; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.facts dt { color: var(--quiet); }
.facts dd { color: var(--text); margin-bottom: .9rem; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.75rem 0 0; }
.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 3rem;
  padding: .6rem 1.5rem; border: 2px solid var(--accent); border-radius: 10px;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650;
  text-align: center; text-decoration: none; cursor: pointer;
}
.button.quiet { background: transparent; color: var(--accent); }
.button:hover { filter: brightness(1.12); }
.small { font-size: .9375rem; color: var(--quiet); }
.merchant {
  position: relative; display: flex; flex-wrap: wrap; align-items: center; gap: .6rem .9rem;
  margin: 0 0 1.5rem;
}
.merchant img {
  max-width: 10rem; max-height: 3.5rem; padding: 4px; border-radius: 8px; background: #fff;
  border: 1px solid var(--line);
}
.merchant p { min-width: 0; line-height: 1.3; overflow-wrap: anywhere; }
.merchant strong { display: block; font-size: 1.0625rem; }
.merchant span { display: block; font-size: .875rem; color: var(--quiet); }
.merchant:has(.stripe) { padding-left: 1rem; }
.stripe { position: absolute; inset: 0 auto 0 0; width: 5px; height: 100%; border-radius: 3px; }
.contact ul { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .25rem; }
.contact li { overflow-wrap: anywhere; }
.contact li a { display: inline-block; padding: .35rem 0; }
summary { min-height: 2.75rem; padding: .55rem 0; font-weight: 600; cursor: pointer; }
@media (min-width: 27rem) {
  .facts { grid-template-columns: max-content minmax(0, 1fr); gap: .55rem 1.25rem; }
  .facts dd { margin: 0; }
}
@media (max-width: 26rem) { .actions .button { width: 100%; } }
@media (forced-colors: active) {
  .notice, .card, code { border: 1px solid CanvasText; }
  .brand svg { color: CanvasText; }
  :focus-visible { outline-color: Highlight; }
}
@media print {
  :root {
    color-scheme: light;
    --page: #fff; --card: #fff; --text: #000; --quiet: #000; --line: #999; --accent: #000;
    --notice: #fff; --notice-text: #000; --notice-line: #999; --code: #fff;
  }
  .bar a, .link, .actions { display: none; }
  .card { border: 0; padding: 0; }
  body { display: block; min-height: 0; }
}
`;

/** Without the line breaks, which only the source needs. */
export const PAGE_STYLE = CSS.replace(/\s+/g, ' ').trim();
