/** Pages about webhooks: code to copy, attempts that open, choices of a form. */
export const WEBHOOK_STYLE = `
.copied-line { display: inline-flex; flex-wrap: wrap; align-items: center; gap: .35rem .6rem; }
.copied-block { position: relative; margin: 0 0 1rem; }
.copied-block pre { margin: 0; max-height: 32rem; overflow: auto; }
.copied-block .copy { position: absolute; top: .5rem; right: .5rem; background: var(--card); }
.copied-block:has(.copy:not([hidden])) pre { padding-right: 6rem; min-height: 3.1rem; }
.button.copy { min-height: 2rem; padding: .1rem .7rem; font-size: .8125rem; }
.button.copied { border-color: var(--good); color: var(--good); }
.copy-status {
  position: fixed; left: 50%; bottom: 1rem; z-index: 3; translate: -50% 0; margin: 0;
  padding: .5rem 1rem; border-radius: 8px; background: var(--text); color: var(--page);
}
.copy-status:empty { padding: 0; }
.choice {
  display: flex; align-items: flex-start; gap: .5rem; margin: 0; padding: .3rem 0; font-weight: 400;
}
.choice input { flex: none; margin: .15rem .2rem 0; }
.types { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0 0 .75rem; }
h2 + .scroll caption { position: absolute; height: 1px; clip-path: inset(50%); }
.choice .hint { margin: 0; }
.inner { padding-left: 1.65rem; }
.inner .field { margin: .35rem 0; }
.attempt {
  margin: 0 0 .75rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card);
}
.attempt > summary { display: flex; flex-wrap: wrap; gap: .25rem .9rem; padding: .6rem .9rem; }
.attempt > summary::before { content: "▸"; }
.attempt[open] > summary::before { content: "▾"; }
.attempt .inside { padding: 0 .9rem .75rem; }
.attempt h3 { margin: .75rem 0 .35rem; font-size: .9375rem; }
.split { display: grid; gap: 0 1.5rem; }
@media (min-width: 72rem) { .split { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
.headers { margin: 0; font-size: .875rem; }
.headers div { display: flex; flex-wrap: wrap; gap: 0 .6rem; padding: .15rem 0; }
.headers dt { color: var(--quiet); } .headers dd { margin: 0; overflow-wrap: anywhere; }
.code-tabs details { margin: 0 0 .5rem; }
`;
