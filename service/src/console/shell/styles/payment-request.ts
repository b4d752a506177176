/** The timeline of a payment request, its acts, and the receipt. */
export const PAYMENT_REQUEST_STYLE = `
.headline { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .9rem; }
.headline { margin: 0; } .headline .number { font-size: 1.5rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2.5rem; }
.columns > div { min-width: 0; } .columns .facts time { white-space: normal; }
.deliveries { list-style: none; margin: 0 0 1rem; padding: 0; }
.deliveries li {
  display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center;
  gap: .5rem 1rem; margin: 0 0 .75rem; padding: .75rem 1rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px;
}
.deliveries p { margin: 0; } .deliveries form { margin: 0; }
.deliveries .what { font-weight: 650; } .deliveries div { min-width: 0; flex: 1 1 14rem; }
@media (min-width: 70rem) {
  .columns { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); align-items: start; }
}
.timeline { list-style: none; margin: .5rem 0 1rem; padding: 0; }
.timeline li {
  position: relative; margin: 0; padding: 0 0 1rem 1.5rem; border-left: 2px solid var(--line);
}
.timeline li:last-child { border-left-color: transparent; }
.timeline li::before {
  content: ""; position: absolute; left: -.45rem; top: .4rem; width: .8rem; height: .8rem;
  border: 2px solid var(--page); border-radius: 50%; background: var(--quiet);
}
.timeline li.good::before { background: var(--good); }
.timeline li.bad::before { background: var(--bad); }
.timeline li.wait::before { background: var(--wait); }
.timeline p { margin: 0 0 .1rem; overflow-wrap: anywhere; }
.timeline .when { color: var(--quiet); font-size: .8125rem; }
.timeline .what { font-weight: 650; } .timeline li.bad .what { color: var(--bad); }
.exchange { margin: .25rem 0 0; } .exchange h3 { margin: .75rem 0 .35rem; }
pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 60rem; }
.exchange pre { margin: 0 0 .5rem; }
.qr { width: 12rem; max-width: 100%; height: auto; background: #fff; border-radius: 8px; }
.copyline { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.receipt { max-width: 40rem; }
@media print {
  .receipt { border: 0; } .receipt .facts { grid-template-columns: max-content minmax(0, 1fr); }
  .notice { display: none; }
}
`;
