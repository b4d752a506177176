import { html } from 'ghtml';

/** A slot of the chart: its bars go up for money in, and down for money back. */
export interface Bar {
  readonly name: string;
  readonly inCents: number;
  readonly backCents: number;
  /** The slot in words, shown on hover. */
  readonly facts: string;
}

export interface Chart {
  readonly title: string;
  /** The name of the region that scrolls; the table of the numbers has another. */
  readonly label: string;
  /** The chart in words. */
  readonly facts: string;
  readonly bars: readonly Bar[];
  readonly inLabel: string;
  readonly backLabel: string;
  /** An amount of the axis. */
  readonly amount: (cents: number) => string;
}

const WIDTH = 720;
const HEIGHT = 220;
const MARGIN = { top: 12, right: 20, bottom: 28, left: 64 };
/** Names of slots that fit below the chart. */
const MOST_NAMES = 8;
const GRID_LINES = 4;
/** A bar of a small sum beside a large one stays visible. */
const LEAST_HEIGHT = 2;
/** Half of the place of a slot at most, so that few slots make no blocks. */
const BAR_PART = 0.7;

/** The scales take 20 ms to load: the first chart of a process loads them, not the start. */
const loadScales = () => import('d3-scale');

/** A chart of bars as SVG, with its legend. Colours come from the style sheet. */
export async function barChart(chart: Chart): Promise<string> {
  const { scaleBand, scaleLinear } = await loadScales();
  const { title, label, facts, bars, amount } = chart;
  const most = Math.max(0, ...bars.map(({ inCents }) => inCents));
  const least = Math.min(0, ...bars.map(({ backCents }) => -backCents));
  const [, highest = most] = scaleLinear([0, most], [0, 1]).nice(GRID_LINES).domain();
  const y = scaleLinear([least, highest], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  // By place, not by name: an hour comes twice when the clocks go back.
  const x = scaleBand([...bars.keys()], [MARGIN.left, WIDTH - MARGIN.right]).paddingInner(
    1 - BAR_PART,
  );
  const grid = y.ticks(GRID_LINES).map(
    (cents) => html`<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${round(y(cents))}"
 y2="${round(y(cents))}"!${cents === 0 ? ' class="zero"' : ''}/><text x="${MARGIN.left - 8}"
 y="${round(y(cents) + 4)}" text-anchor="end">${amount(cents)}</text>`,
  );
  const width = x.bandwidth();
  const bar = (name: 'in' | 'back', left: number, cents: number) => {
    if (cents === 0) return '';
    const height = Math.max(LEAST_HEIGHT, Math.abs(y(cents) - y(0)));
    const top = cents > 0 ? y(0) - height : y(0);
    return html`<rect class="${name}" x="${round(left)}" y="${round(top)}" width="${round(width)}"
 height="${round(height)}"/>`;
  };
  const every = Math.ceil(bars.length / MOST_NAMES);
  const slots = bars.map(({ name, inCents, backCents, facts: words }, at) => {
    const left = x(at) ?? 0;
    const isNamed = (bars.length - 1 - at) % every === 0;
    const word = html`<text x="${round(left + width / 2)}" y="${HEIGHT - 8}" text-anchor="middle"
>${name}</text>`;
    return html`<g class="slot"><title>${words}</title><rect class="place" x="${round(left)}"
 y="${MARGIN.top}" width="${round(width)}" height="${HEIGHT - MARGIN.top - MARGIN.bottom}"/>!${
   bar('in', left, inCents) + bar('back', left, -backCents)
 }!${isNamed ? word : ''}</g>`;
  });
  return html`<figure class="chart"><figcaption><ul class="legend"><li class="in"
>${chart.inLabel}</li><li class="back">${chart.backLabel}</li></ul></figcaption>
<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="chart-title chart-facts">
<title id="chart-title">${title}</title><desc id="chart-facts">${facts}</desc>
<g class="grid">!${grid.join('')}</g>!${slots.join('\n')}</svg></div></figure>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
