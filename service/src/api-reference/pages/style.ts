/** Comes after the style of every page: a wider page with the list of calls beside the text. */
export const REFERENCE_STYLE = `
.bar > div, main { max-width: 74rem; }
.card { padding: clamp(1rem, 3vw, 2.25rem); }
.docs { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2.5rem; }
.docs > nav { display: none; }
.docs > div > :first-child { margin-top: 0; padding-top: 0; border-top: 0; }
@media (min-width: 64rem) {
  .docs { grid-template-columns: 17rem minmax(0, 1fr); }
  .docs > nav {
    display: block; position: sticky; top: 1rem; align-self: start; max-height: 95vh;
    overflow-y: auto; font-size: .9375rem; padding-right: .5rem;
  }
}
.docs nav p { margin: 1.1rem 0 .25rem; font-weight: 650; }
.docs nav > p:first-child { margin-top: 0; }
.docs nav ul { list-style: none; margin: 0; padding: 0; }
.docs nav a { display: block; padding: .3rem .5rem; border-radius: 6px; text-decoration: none; }
.docs nav a:hover { background: var(--code); }
.docs nav [aria-current] { background: var(--code); font-weight: 650; color: var(--text); }
h3 { margin: 1.5rem 0 .4rem; font-size: 1rem; line-height: 1.4; font-weight: 650; }
h4, h5, h6 { margin: 1.25rem 0 .4rem; font-size: 1rem; }
h1 code, h2 code, h3 code { font-size: .95em; }
pre { margin: .75rem 0 1rem; }
pre code { font-size: .8125rem; line-height: 1.5; }
ul, ol { margin: .5rem 0 1rem; padding-left: 1.25rem; }
li { margin: .25rem 0; }
li > p { margin: 0; }
table { border-collapse: collapse; margin: .75rem 0 1rem; font-size: .9375rem; }
th, td {
  padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top;
}
.scroll { overflow-x: auto; }
.scroll code { overflow-wrap: normal; white-space: nowrap; }
.docs > div > h2 { margin-top: 2.25rem; }
.path { font-weight: 650; overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 3.4em; font-weight: 700; color: var(--accent); }
.calls { list-style: none; padding: 0; }
.calls li { padding: .6rem 0; margin: 0; border-bottom: 1px solid var(--line); }
.calls a { font-weight: 650; }
.calls code { background: none; padding: 0; color: var(--quiet); }
.members { list-style: none; margin: .5rem 0; padding: 0; }
.members li { margin: 0; padding: .55rem 0; border-top: 1px solid var(--line); }
.members > li:first-child { border-top: 0; }
.members .members, .members details { margin-left: .75rem; }
.members .members { padding-left: .75rem; border-left: 2px solid var(--line); }
.name { font-weight: 650; }
.type, .limits { color: var(--quiet); font-size: .875rem; }
.required { color: var(--bad); font-size: .875rem; font-weight: 650; }
details { margin: .5rem 0; }
summary { cursor: pointer; padding: .3rem 0; color: var(--accent); }
.search { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 1rem; }
.search label { flex: 1 0 100%; font-weight: 650; }
.search input {
  flex: 1 1 12rem; min-width: 0; min-height: 3rem; padding: .5rem .9rem; font: inherit;
  color: inherit; background: var(--card); border: 1px solid var(--quiet); border-radius: 10px;
}
.pair { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 1.5rem; }
.crumbs { font-size: .9375rem; }
`;
