/** The overview: charts keep their meaning by dashes and marks, also without colour. */
export const OVERVIEW_STYLE = `
.chart { margin: 0 0 1rem; }
.chart .scroll svg { display: block; width: 100%; min-width: 34rem; height: auto; }
.chart text { fill: var(--quiet); font: 12px system-ui, sans-serif; }
.chart .grid line { stroke: var(--line); }
.chart .line { fill: none; stroke: currentColor; stroke-width: 2; }
.chart .mark { fill: currentColor; }
.chart .created { color: var(--quiet); } .chart .created .line { stroke-dasharray: 7 4; }
.chart .created .mark { fill: var(--page); stroke: currentColor; stroke-width: 1.5; }
.chart .paid { color: var(--good); }
.chart .unpaid { color: var(--bad); } .chart .unpaid .line { stroke-dasharray: 2 3; }
.legend {
  display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 0 .5rem; padding: 0;
  list-style: none; font-size: .875rem;
}
.legend svg { width: 2.5rem; height: .75rem; vertical-align: middle; }
.share { display: flex; align-items: center; justify-content: flex-end; gap: .6rem; }
.share svg { flex: none; width: 6rem; height: .6rem; background: var(--code); border-radius: 3px; }
.share rect { fill: var(--accent); }
.cards .card h3 { margin: 0; font-size: .875rem; color: var(--quiet); }
.cards .card .number { margin: .15rem 0 0; }
.cards .card .small { margin: .25rem 0 0; }
.overview-head { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: start; }
.overview-head > div { flex: 1 1 20rem; }
@media (max-width: 30rem) {
  .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .6rem; }
  .cards .card { padding: .75rem; } .cards .number { font-size: 1.125rem; }
  .share svg { display: none; }
}
@media (forced-colors: active) {
  .chart text { fill: CanvasText; } .chart .grid line { stroke: GrayText; }
  .chart .created, .chart .paid, .chart .unpaid { color: CanvasText; }
  .chart .created .mark { fill: Canvas; }
  .share rect { fill: CanvasText; } .share svg { border: 1px solid CanvasText; }
}
`;
