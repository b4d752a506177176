/** The pieces that pages are made of: headings, tables, facts, badges, forms, buttons. */
export const COMPONENT_STYLE = `
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; font-weight: 700; }
h2 { margin: 1.75rem 0 .5rem; font-size: 1.125rem; line-height: 1.35; font-weight: 650; }
h3 { margin: 1.25rem 0 .35rem; font-size: 1rem; font-weight: 650; }
p { margin: 0 0 .75rem; max-width: 46rem; text-wrap: pretty; }
.quiet, .small { color: var(--quiet); }
.small { font-size: .875rem; }
code, .mono {
  font: .9em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere;
}
code { background: var(--code); border-radius: 5px; padding: .1em .35em; }
pre {
  margin: 0 0 1rem; padding: .9rem 1rem; overflow-x: auto; background: var(--code);
  border-radius: 8px;
}
pre code { padding: 0; background: none; overflow-wrap: normal; }
.card {
  margin: 0 0 1.25rem; padding: 1rem 1.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px;
}
.card > :first-child { margin-top: 0; } .card > :last-child { margin-bottom: 0; }
.cards {
  display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
  margin: 0 0 1.25rem;
}
.cards .card { margin: 0; }
.number {
  font-size: 1.75rem; line-height: 1.2; font-weight: 700; font-variant-numeric: tabular-nums;
}
.scroll { overflow-x: auto; margin: 0 0 1rem; }
table {
  width: 100%; border-collapse: collapse; background: var(--card);
  font-variant-numeric: tabular-nums;
}
caption { text-align: left; padding: 0 0 .5rem; font-weight: 650; }
th, td { padding: .5rem .75rem; text-align: left; vertical-align: top; }
th { font-size: .8125rem; font-weight: 650; color: var(--quiet); white-space: nowrap; }
thead th { border-bottom: 2px solid var(--line); }
tbody tr { border-bottom: 1px solid var(--line); }
tbody tr:hover { background: var(--code); }
td.money, th.money { text-align: right; white-space: nowrap; }
time { white-space: nowrap; }
dl.facts {
  display: grid; gap: .35rem 1.5rem; margin: 0 0 1rem; grid-template-columns: minmax(0, 1fr);
}
.facts dt { color: var(--quiet); font-size: .875rem; }
.facts dd { margin: 0 0 .4rem; overflow-wrap: anywhere; }
@media (min-width: 34rem) {
  dl.facts { grid-template-columns: max-content minmax(0, 1fr); }
  .facts dd { margin: 0; }
}
.badge {
  display: inline-block; padding: .05rem .6rem; border: 1px solid currentColor;
  border-radius: 999px; font-size: .8125rem; font-weight: 650; white-space: nowrap;
}
.badge.good { color: var(--good); } .badge.bad { color: var(--bad); }
.badge.wait { color: var(--wait); } .badge.plain { color: var(--quiet); }
.notice {
  margin: 0 0 1rem; padding: .6rem 1rem; max-width: none; border: 1px solid var(--line);
  border-left: 4px solid var(--good); border-radius: 8px; background: var(--card);
}
.notice.bad { border-left-color: var(--bad); } .notice.wait { border-left-color: var(--wait); }
.empty {
  margin: 0 0 1.25rem; padding: 1.5rem 1.25rem; text-align: center; background: var(--card);
  color: var(--quiet);
  border: 1px dashed var(--line); border-radius: 12px;
}
.empty p { margin-inline: auto; } .empty > :last-child { margin-bottom: 0; }
label { display: block; margin: 0 0 .25rem; font-weight: 600; }
.hint { display: block; margin: 0 0 .35rem; color: var(--quiet); font-size: .875rem; }
.field { margin: 0 0 1rem; max-width: 34rem; }
.field.bad { padding-left: .75rem; border-left: 4px solid var(--bad); }
.fault { display: block; margin: 0 0 .35rem; color: var(--bad); font-weight: 600; }
input, select, textarea {
  max-width: 100%; min-height: 2.5rem; padding: .4rem .6rem; border: 1px solid var(--quiet);
  border-radius: 8px; background: var(--card); color: var(--text); font: inherit;
}
input[type="checkbox"], input[type="radio"] { min-height: 0; width: 1.15rem; height: 1.15rem; }
.field input:not([type="checkbox"], [type="radio"]), .field textarea, .field select { width: 100%; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; margin: 0 0 1rem; }
.filters .field { margin: 0; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; margin: 1rem 0; }
.actions form { margin: 0; }
.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem;
  padding: .35rem 1rem; border: 2px solid var(--accent); border-radius: 8px;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650;
  text-decoration: none; cursor: pointer;
}
.button.quiet { background: transparent; color: var(--accent); }
.button.danger { background: transparent; border-color: var(--bad); color: var(--bad); }
.button:hover { filter: brightness(1.12); }
.link {
  padding: .25rem; border: 0; background: none; color: var(--accent); font: inherit;
  cursor: pointer; text-decoration: underline; text-underline-offset: .2em;
}
.pager { display: flex; gap: 1rem; margin: 1rem 0; }
.tabs {
  display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 1rem; padding: 0;
  list-style: none;
}
.tabs a[aria-current] { font-weight: 650; text-decoration-thickness: 3px; }
summary { padding: .35rem 0; font-weight: 600; cursor: pointer; }
progress { width: 100%; max-width: 34rem; accent-color: var(--accent); }
`;
