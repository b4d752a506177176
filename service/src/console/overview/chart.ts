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
  /** The chart in words. */
  readonly facts: string;
  readonly bars: readonly Bar[];
  readonly inLabel: string;
  readonly backLabel: string;
  /** An amount of the axis. */
  readonly amount: (cents: number) => string;
}

/** Across in per cent of the place that the page has, down in pixels: text keeps its size. */
const WIDTH = 100;
const HEIGHT = 240;
const MARGIN = { top: 12, bottom: 32 };
/** Names of slots that fit below the chart; each second and fourth one alone where it is narrow. */
const MOST_NAMES = 8;
const NAME_RANKS = ['', ' third', ' second', ' third'] as const;
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
  const { title, facts, bars, amount } = chart;
  const most = Math.max(0, ...bars.map(({ inCents }) => inCents));
  const least = Math.min(0, ...bars.map(({ backCents }) => -backCents));
  const [, highest = most] = scaleLinear([0, most], [0, 1]).nice(GRID_LINES).domain();
  const y = scaleLinear([least, highest], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  // By place, not by name: an hour comes twice when the clocks go back.
  const x = scaleBand([...bars.keys()], [0, WIDTH]).padding(1 - BAR_PART);
  const grid = y
    .ticks(GRID_LINES)
    .map(
      (cents) =>
        html`<line x1="0" x2="100%" y1="${round(y(cents))}" y2="${round(y(cents))}"!${
          cents === 0 ? ' class="zero"' : ''
        }/><text x="-8" y="${round(y(cents) + 4)}" text-anchor="end">${amount(cents)}</text>`,
    );
  const width = x.bandwidth();
  const bar = (name: 'in' | 'back', left: number, cents: number) => {
    if (cents === 0) return '';
    const height = Math.max(LEAST_HEIGHT, Math.abs(y(cents) - y(0)));
    const top = cents > 0 ? y(0) - height : y(0);
    return html`<rect class="${name}" x="${round(left)}%" y="${round(top)}" width="${round(width)}%"
 height="${round(height)}"/>`;
  };
  const every = Math.ceil(bars.length / MOST_NAMES);
  const slots = bars.map(({ name, inCents, backCents, facts: words }, at) => {
    const left = x(at) ?? 0;
    const place = (bars.length - 1 - at) / every;
    const isNamed = Number.isInteger(place);
    const word = html`<text class="name${NAME_RANKS[place % NAME_RANKS.length] ?? ''}"
 x="${round(left + width / 2)}%" y="${HEIGHT - 8}" text-anchor="middle">${name}</text>`;
    return html`<g class="slot"><title>${words}</title><rect class="place" x="${round(left)}%"
 y="${MARGIN.top}" width="${round(width)}%" height="${HEIGHT - MARGIN.top - MARGIN.bottom}"/>!${
   bar('in', left, inCents) + bar('back', left, -backCents)
 }!${isNamed ? word : ''}</g>`;
  });
  return html`<figure class="card chart"><figcaption><ul class="legend"><li class="in"
>${chart.inLabel}</li><li class="back">${chart.backLabel}</li></ul></figcaption>
<svg height="${HEIGHT}" role="img" aria-labelledby="chart-title chart-facts">
<title id="chart-title">${title}</title><desc id="chart-facts">${facts}</desc>
<g class="grid">!${grid.join('')}</g>!${slots.join('\n')}</svg></figure>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
