/** The money beside payment requests, and the check of a day. */
export const MONEY_STYLE = `
a.kind {
  display: flex; flex-direction: column; height: 100%; color: inherit; text-decoration: none;
}
a.kind:hover { border-color: var(--accent); }
ul.cards { padding: 0; list-style: none; }
table.candidates { width: auto; min-width: 60%; }
.candidates th, .candidates td {
  min-width: 10.5rem; max-width: 20rem; border-right: 1px solid var(--line);
}
.candidates thead td, .candidates tbody th { min-width: 0; }
.candidates .own { background: var(--code); }
.candidates .why { font-weight: 400; white-space: normal; }
.likeness { display: block; font-size: .875rem; }
.likeness.same { color: var(--good); }
.likeness.different { color: var(--bad); font-weight: 650; }
.likeness.unknown { color: var(--quiet); }
h1 .badge { font-size: .875rem; vertical-align: middle; }
table.sums { width: auto; min-width: min(100%, 32rem); }
.why { display: block; font-size: .8125rem; color: var(--quiet); }
.reason { display: block; max-width: 24rem; font-size: .875rem; }
.day { white-space: nowrap; }
mark {
  padding: 0 .1em; border-bottom: 3px solid var(--bad); background: var(--notice);
  color: var(--notice-text); font-weight: 700;
}
.choice { display: flex; gap: .6rem; align-items: baseline; padding: .25rem 0; }
.choice label { font-weight: 400; }
fieldset.part {
  display: grid; grid-template-columns: minmax(0, 1fr) 9rem; gap: 0 1rem; align-items: end;
  max-width: 40rem; margin: 0 0 .75rem; padding: .25rem 1rem 0; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px;
}
.part:has(.bad) { grid-template-columns: minmax(0, 1fr); }
.part legend { padding: 0 .35rem; }
.part label { font-weight: 400; font-size: .875rem; }
.part .field { margin: 0 0 .75rem; }
.part input[name$="-id"] {
  font: .8125rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
.part input[name$="-amount"] { text-align: right; font-variant-numeric: tabular-nums; }
tr.sum th, tr.sum td { border-top: 2px solid var(--line); font-weight: 700; color: var(--text); }
tr.others td, tr.others th { color: var(--quiet); font-style: italic; }
.verdict { display: flex; gap: .75rem; align-items: center; font-weight: 650; }
.verdict .sign { font-size: 1.5rem; line-height: 1; }
@media (max-width: 40rem) {
  .candidates th, .candidates td {
    min-width: 6.5rem; padding: .4rem .35rem; font-size: .8125rem; white-space: normal;
    overflow-wrap: anywhere;
  }
  .candidates thead td, .candidates tbody th {
    min-width: 4.75rem; max-width: 5rem; font-size: .75rem; overflow-wrap: normal;
  }
  .candidates .button { padding: .35rem; }
  fieldset.part { grid-template-columns: minmax(0, 1fr); padding: .25rem .6rem 0; }
  .part input[name$="-id"] { padding: .4rem .35rem; font-size: .6875rem; }
}
`;
