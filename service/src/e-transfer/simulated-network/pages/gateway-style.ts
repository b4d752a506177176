import type { ErrorPageOptions } from '#http/pages/error-page.ts';
import type { Look } from '#http/pages/page.ts';
import type { Institution } from '../institutions.ts';
import { GATEWAY_TEXTS } from './gateway-texts.ts';

/** The style of the gateway's and its institutions' pages, beside every page's own. */
const FORMS = `
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin: 0 0 .75rem; font-weight: 650; font-size: 1.125rem; }
.field { display: grid; gap: .35rem; margin: 0 0 1rem; }
.field label { font-weight: 600; }
input[type=text], input[type=password], input[type=search] {
  width: 100%; min-height: 3rem; padding: .55rem .8rem; font: inherit; color: var(--text);
  background: var(--page); border: 1px solid var(--edge); border-radius: var(--round);
}
input[aria-invalid=true] { border: 2px solid var(--bad); }
.error { margin: 0 0 1rem; padding: .75rem 1rem; border-left: 4px solid var(--bad);
  background: var(--code); font-weight: 600; }
.button { border-radius: var(--round); }
form > .actions { margin-top: 1.5rem; }
.beside, .way-out { margin: 1rem 0 0; }
.beside a, .way-out a { display: inline-block; padding: .5rem 0; }
.asked { margin: 0 0 1.5rem; padding: 1rem 1.25rem; border: 1px solid var(--line);
  border-radius: min(var(--round), 1rem); background: var(--page); }
.asked dt { color: var(--quiet); align-self: baseline; }
.asked dd { color: var(--text); overflow-wrap: anywhere; }
.asked dd:last-child { margin: 0; }
.asked .sum { font-size: 1.375rem; font-weight: 700; line-height: 1.3; overflow-wrap: normal; }
.left { color: var(--wait); font-weight: 650; }
.left:empty { display: none; }
.button.bare {
  background: none; border-color: transparent; color: var(--accent); text-decoration: underline;
  padding-inline: 0; border-inline: 0; font-weight: 550;
}
@media (min-width: 27rem) {
  .asked { grid-template-columns: max-content minmax(0, 1fr); gap: .4rem 1.25rem; }
  .asked dd { margin: 0; }
}
`;

const GATEWAY = `
:root { --round: 10px; --edge: #7a8696; --accent: #5b2fa8; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --edge: #8391a3; --accent: #c6adff; --on-accent: #21093f; }
}
${FORMS}
.brief { margin: 0 0 1rem; gap: 0; line-height: 1.4; }
.brief dt { color: var(--quiet); font-size: .9375rem; }
.brief dd { margin: 0 0 .4rem; color: var(--text); overflow-wrap: anywhere; }
@media (min-width: 27rem) {
  .brief { grid-template-columns: max-content minmax(0, 1fr); gap: .35rem 1rem; }
  .brief dt { font-size: inherit; }
  .brief dd { margin: 0; }
}
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
.handoff { display: none; margin: 0 0 1rem; }
.handoff summary { cursor: pointer; color: var(--accent); padding: .45rem 0; }
.handoff img { display: block; background: #fff; border-radius: 8px; }
.part { margin: 1.25rem 0 0; }
.part h2 { margin: 0 0 .5rem; font-size: .9375rem; font-weight: 600; color: var(--quiet); }
.choices { display: grid; gap: .5rem; grid-template-columns: minmax(0, 1fr); }
.choice {
  display: flex; align-items: center; gap: .8rem; min-height: 3.5rem; padding: .6rem .9rem;
  border: 1px solid var(--line); border-radius: var(--round); cursor: pointer;
}
.choice:has(:checked) { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.choice:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.choice:has(:disabled) { cursor: not-allowed; border-style: dashed; }
.choice input {
  flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent);
}
.choice input:focus-visible { outline: none; }
.choice svg { flex: none; width: 2.25rem; height: 2.25rem; }
.choice span { min-width: 0; line-height: 1.3; font-weight: 550; }
.choice small { display: block; font-size: .875rem; font-weight: 400; color: var(--quiet); }
.phone { display: none; }
@media (pointer: fine) and (max-width: 59.99rem) { .handoff { display: block; } }
@media (min-height: 24rem) {
  :root { scroll-padding-bottom: 6rem; }
  .go {
    --side: clamp(1.25rem, 5vw, 2.5rem);
    position: sticky; bottom: 0; margin: 1.25rem calc(-1 * var(--side)) 0;
    padding: .75rem var(--side); background: var(--card); border-top: 1px solid var(--line);
  }
}
@media (max-width: 34rem) { .go .button { width: 100%; padding-inline: .75rem; line-height: 1.3; } }
@media (min-width: 34rem) { .choices { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (min-width: 60rem) {
  .bar > div, .notice > p, main { max-width: 60rem; }
  .go { --side: 0px; }
  .wide { display: grid; grid-template-columns: minmax(0, 1fr) 14rem; gap: 3rem; }
  .phone {
    display: block; align-self: start; padding-left: 2rem; border-left: 1px solid var(--line);
    font-size: .9375rem;
  }
  .phone h2 { font-size: 1rem; }
  .phone img {
    display: block; width: 100%; height: auto; border-radius: 8px; background: #fff;
    border: 1px solid var(--line);
  }
}
`;

/** Another site's look: its own colour all over the bar, rounder and with serifs. */
function institutionStyle({ colour, lightColour }: Institution): string {
  return `
:root { --round: 1.5rem; --edge: #7a8696; --accent: ${colour}; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --edge: #8391a3; --accent: ${lightColour}; --on-accent: #101010; }
}
${FORMS}
.bar { background: ${colour}; border: 0; }
.bar, .bar a, .brand svg { color: #fff; }
.bar :focus-visible { outline-color: #fff; }
.brand, h1 { font-family: Georgia, "Times New Roman", serif; }
.brand svg { width: 2.25rem; height: 2.25rem; }
.card { border-radius: 4px; border-top: 4px solid var(--accent); }
.simulation {
  margin-top: 2rem; padding: clamp(.9rem, 4vw, 1.25rem);
  border: 2px dashed var(--notice-line); border-radius: 8px;
}
.simulation ul { list-style: none; margin: 1rem 0 0; padding: 0; display: grid; gap: .6rem; }
.simulation li {
  display: grid; grid-template-columns: 5.75rem minmax(0, 1fr); gap: .75rem;
  align-items: center; line-height: 1.35;
}
.simulation button {
  min-height: 2.75rem; padding: .3rem .5rem; border-radius: 8px; font-size: .9375rem;
  font-weight: 550;
}
`;
}

const compact = (css: string) => css.replace(/\s+/g, ' ').trim();

const GATEWAY_STYLE = compact(GATEWAY);
const styleOf = new Map<string, string>();

const GATEWAY_MARK =
  '<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false"><circle cx="14" cy="14" r="13" ' +
  'fill="none" stroke="currentColor" stroke-width="2"/><path d="M7 14h13m-5-5 5 5-5 5" ' +
  'fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" ' +
  'stroke-linejoin="round"/></svg>';

export function gatewayLook(brand: string): Look {
  return { brand, mark: GATEWAY_MARK, style: GATEWAY_STYLE };
}

export function institutionLook(institution: Institution): Look {
  const { id, name } = institution;
  const style = styleOf.get(id) ?? compact(institutionStyle(institution));
  styleOf.set(id, style);
  return { brand: name, mark: institutionMark(institution, 'currentColor'), style };
}

/** An institution's logo: its initials in its colour. */
export function institutionMark({ initials, colour }: Institution, edge = colour): string {
  return (
    '<svg viewBox="0 0 36 36" aria-hidden="true" focusable="false"><rect x="1" y="1" width="34" ' +
    `height="34" rx="9" fill="${colour}" stroke="${edge}" stroke-width="1.5"/><text x="18" ` +
    'y="23.5" text-anchor="middle" font-family="system-ui, sans-serif" font-size="15" ' +
    `font-weight="700" fill="#fff">${initials}</text></svg>`
  );
}

/** Obstacles wear the gateway's look. */
export const GATEWAY_ERROR_PAGES: ErrorPageOptions = {
  notice: (language) => GATEWAY_TEXTS[language].notice,
  look: (language) => gatewayLook(GATEWAY_TEXTS[language].brand),
};
