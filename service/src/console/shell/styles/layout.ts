/** The frame of every page: bar, navigation beside or above the content, from 320 px to wide. */
export const LAYOUT_STYLE = `
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--page); color: var(--text);
  font: .9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: from-font; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[hidden] { display: none !important; }
.skip { position: absolute; left: -100vw; }
.skip:focus {
  left: .5rem; top: .5rem; z-index: 2; padding: .5rem 1rem; background: var(--card);
  border-radius: 8px;
}
.banner {
  margin: 0; padding: .35rem 1rem; max-width: none; background: var(--notice);
  color: var(--notice-text);
  border-bottom: 1px solid var(--notice-line); font-weight: 600; text-align: center;
}
.bar {
  display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; padding: .6rem 1rem;
  background: var(--card); border-bottom: 1px solid var(--line);
}
.sandbox .bar { border-top: 4px solid var(--notice-line); }
.production .bar { border-top: 4px solid var(--accent); }
.brand { display: flex; align-items: center; gap: .6rem; margin: 0; font-weight: 650; }
.brand a { display: flex; align-items: center; gap: .6rem; color: inherit; text-decoration: none; }
.brand svg { flex: none; width: 1.75rem; height: 1.75rem; color: var(--accent); }
.environment {
  padding: .1rem .6rem; border: 1px solid currentColor; border-radius: 999px; font-size: .8125rem;
  font-weight: 650;
}
.sandbox .environment { color: var(--notice-text); background: var(--notice); }
.bar form.find { display: flex; flex: 1 1 14rem; gap: .5rem; min-width: 0; max-width: 36rem; }
.bar form.find input { flex: 1 1 auto; width: 100%; min-width: 0; }
.bar form.find .button { flex: none; }
.card.find { max-width: 46rem; }
.card.find div { display: flex; flex-wrap: wrap; gap: .5rem; }
.card.find input[type="search"] { flex: 1 1 14rem; min-width: 0; min-height: 3rem; }
.card.find .button { min-height: 3rem; }
.questions { padding: 0; list-style: none; }
.questions a { display: block; font-weight: 650; }
.questions p { margin: .25rem 0 0; font-size: .875rem; color: var(--quiet); }
.person {
  display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; margin-left: auto;
  font-size: .875rem; color: var(--quiet);
}
.person form { margin: 0; }
.frame {
  display: grid; flex: 1; grid-template-columns: 14rem minmax(0, 1fr); width: 100%;
  max-width: 100rem;
}
.sections { padding: 1rem .75rem 2rem; border-right: 1px solid var(--line); }
.sections h2 {
  margin: 1rem .5rem .35rem; font-size: .8125rem; font-weight: 650; color: var(--quiet);
  letter-spacing: .02em;
}
.sections h2:first-child { margin-top: 0; }
.sections ul { list-style: none; margin: 0; padding: 0; }
.sections a {
  display: block; padding: .4rem .5rem; border-radius: 8px; color: var(--text);
  text-decoration: none;
}
.sections a:hover { background: var(--code); }
.sections a[aria-current] {
  background: var(--code); font-weight: 650; box-shadow: inset 3px 0 var(--accent);
}
.sections .menu { display: none; }
.sections nav {
  display: block; position: static; inset: auto; width: auto; height: auto; margin: 0; padding: 0;
  border: 0; overflow: visible; background: none; color: inherit;
}
main { min-width: 0; padding: 1.25rem clamp(1rem, 2.5vw, 2rem) 4rem; }
.foot {
  padding: 1rem; color: var(--quiet); font-size: .8125rem; border-top: 1px solid var(--line);
}
@media (max-width: 56rem) {
  .frame { display: block; }
  .sections { padding: .5rem 1rem; border-right: 0; border-bottom: 1px solid var(--line); }
  .sections .menu { display: inline-flex; }
  .sections nav:not(:popover-open) { display: none; }
  .sections nav:popover-open {
    position: fixed; inset: 0 auto 0 0; width: min(20rem, 85vw); height: 100%; padding: 1rem;
    overflow-y: auto; background: var(--card); border-right: 1px solid var(--line);
  }
  .sections nav::backdrop { background: rgb(0 0 0 / 40%); }
  .person { margin-left: 0; }
}
@media (forced-colors: active) {
  .sections a[aria-current] { outline: 2px solid Highlight; }
  .brand svg { color: CanvasText; }
}
`;
