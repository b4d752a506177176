import { html } from 'ghtml';

/** A line of the chart, told apart by its dashes and marks, also without colour. */
export interface Series {
  /** The class of the line and its marks: `created`, `paid` or `unpaid`. */
  readonly name: 'created' | 'paid' | 'unpaid';
  readonly label: string;
  readonly values: readonly number[];
}

export interface Chart {
  readonly title: string;
  /** The name of the region that scrolls; the table of the numbers has another. */
  readonly label: string;
  /** The chart in words. */
  readonly facts: string;
  /** The name of each slot, of which some are written below the chart. */
  readonly slots: readonly string[];
  readonly series: readonly Series[];
  readonly number: (value: number) => string;
}

const WIDTH = 720;
const HEIGHT = 240;
const MARGIN = { top: 12, right: 16, bottom: 28, left: 56 };
/** Names of slots that fit below the chart. */
const MOST_NAMES = 8;
const GRID_LINES = 4;
const MARK_AREA = 36;

/** d3 takes 28 ms to load: the first chart of a process loads it, not the start. */
const loadD3 = async () => ({ ...(await import('d3-scale')), ...(await import('d3-shape')) });
type D3 = Awaited<ReturnType<typeof loadD3>>;

/** A line chart as SVG, with its legend. Colours come from the style sheet. */
export async function lineChart(chart: Chart): Promise<string> {
  const d3 = await loadD3();
  const { title, label, facts, slots, series, number } = chart;
  const highest = Math.max(1, ...series.flatMap(({ values }) => values));
  const y = d3.scaleLinear([0, highest], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(GRID_LINES);
  // By place, not by name: an hour comes twice when the clocks go back.
  const x = d3.scalePoint([...slots.keys()], [MARGIN.left, WIDTH - MARGIN.right]).padding(0.2);
  const whole = y.ticks(GRID_LINES).filter(Number.isInteger);
  const grid = whole.map(
    (value) => html`<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${round(y(value))}"
 y2="${round(y(value))}"/><text x="${MARGIN.left - 8}" y="${round(y(value) + 4)}" text-anchor="end"
>${number(value)}</text>`,
  );
  const every = Math.ceil(slots.length / MOST_NAMES);
  const names = slots.map((slot, at) =>
    (slots.length - 1 - at) % every === 0
      ? html`<text x="${round(x(at) ?? 0)}" y="${HEIGHT - 8}" text-anchor="middle">${slot}</text>`
      : '',
  );
  const lines = series.map((each) => {
    const points = each.values.map((value, at): [number, number] => [x(at) ?? 0, y(value)]);
    const path = d3.line().digits(1)(points) ?? '';
    return html`<g class="${each.name}"><path class="line" d="${path}"/>
!${points.map((point) => markAt(d3, each.name, point)).join('')}</g>`;
  });
  return html`<figure class="chart"><figcaption>!${legend(d3, series)}</figcaption>
<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="chart-title chart-facts">
<title id="chart-title">${title}</title><desc id="chart-facts">${facts}</desc>
<g class="grid">!${grid.join('')}</g><g class="names">!${names.join('')}</g>!${lines.join('\n')}
</svg></div></figure>`;
}

function legend(d3: D3, series: readonly Series[]): string {
  const items = series.map(
    ({ name, label }) => html`<li><svg class="${name}" viewBox="0 0 40 12" aria-hidden="true">
<path class="line" d="M2,6H38"/>!${markAt(d3, name, [20, 6])}</svg> ${label}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

function markAt(d3: D3, name: Series['name'], [x, y]: readonly [number, number]): string {
  const shape = { created: d3.symbolCircle, paid: d3.symbolSquare, unpaid: d3.symbolTriangle };
  const path = d3.symbol(shape[name], MARK_AREA)() ?? '';
  return html`<path class="mark" d="${path}" transform="translate(${round(x)},${round(y)})"/>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
