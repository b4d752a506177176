/** Lists: their head, filters, columns, chips and views. */
export const LIST_STYLE = `
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%);  white-space: nowrap;
}
.list-head {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: .25rem 1rem; margin: 0 0 .75rem;
}
.list-head h1, .list-head .actions { margin: 0; }
.list-form { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 0 .75rem; }
.list-form details { flex: 0 1 auto; max-width: 100%; }
.list-form details[open] {
  flex: 1 0 100%; padding: 0 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px;
}
.list-filters {
  display: grid; gap: .25rem 1rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
}
.list-filters .field { margin: 0 0 .75rem; }
.list-filters .choices, .list-filters .days { grid-column: 1 / -1; }
.days .list-filters { margin-top: .25rem; }
.choices { display: flex; flex-wrap: wrap; gap: 0 1.25rem; max-width: none; }
.choices legend { float: left; width: 100%; margin: 0 0 .25rem; }
.choices legend.unseen { float: none; width: 1px; margin: -1px; }
.choices .fault { width: 100%; }
.choice {
  display: inline-flex; align-items: center; gap: .45rem; min-height: 2rem; margin: 0;
  font-weight: 400;
}
.chips {
  display: flex; flex-wrap: wrap; gap: .4rem .6rem; margin: 0 0 1rem; padding: 0;
  list-style: none;
}
.chips li {
  display: inline-flex; align-items: center; gap: .35rem; max-width: 100%; padding: 0 0 0 .75rem;
  border: 1px solid var(--line); border-radius: 999px; background: var(--card); font-size: .875rem;
}
.chips span { overflow-wrap: anywhere; }
.chips a {
  display: inline-flex; align-items: center; justify-content: center; flex: none; width: 1.75rem;
  height: 1.75rem; text-decoration: none;
}
p.keys { margin-top: 1rem; }
.save-view { margin: 0 0 .75rem; }
.save-view form { padding: .25rem 0 .5rem; }
.beside { display: flex; flex-wrap: wrap; gap: .5rem; }
.beside input { flex: 0 1 20rem; }
.tabs .edit { padding: 0 .35rem; text-decoration: none; }
a.row { color: inherit; font-weight: 600; }
tbody tr:has(a.row:focus-visible) {
  background: var(--code); box-shadow: inset 3px 0 var(--accent);
}
tbody th { font-size: inherit; color: inherit; }
td .mono { font-size: .8125rem; }
td .id { white-space: nowrap; }
.list-rows caption {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
@media (max-width: 40rem) {
  .list-rows th, .list-rows td { padding: .5rem .4rem; }
  .list-rows time { white-space: normal; }
  .list-rows a.row { display: inline-block; min-width: 6.5rem; font-weight: 500; }
}
kbd {
  display: inline-block; min-width: 1.75rem; padding: .05rem .4rem; border: 1px solid var(--quiet);
  border-bottom-width: 2px; border-radius: 5px; background: var(--code); font: inherit;
  text-align: center;
}
fieldset.card { padding: 1rem 1.25rem; max-width: 46rem; }
fieldset.card legend { float: left; width: 100%; margin: 0 0 .75rem; font-size: 1.0625rem; }
fieldset.card legend + * { clear: both; }
.notice h2 { margin: 0 0 .35rem; font-size: 1rem; }
.notice ul { margin: 0; padding-left: 1.25rem; }
.hand-over { display: flex; flex-wrap: wrap; gap: 0 2.5rem; }
.hand-over section { flex: 1 1 20rem; min-width: 0; max-width: 46rem; }
.copied-text { display: flex; flex-wrap: wrap; gap: .5rem; align-items: start; margin: 0 0 .75rem; }
.copied-text pre { flex: 1 1 16rem; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.qr-code { max-width: 16rem; padding: .5rem; border-radius: 12px; background: #fff; }
.qr-code svg { display: block; width: 100%; height: auto; }
`;
