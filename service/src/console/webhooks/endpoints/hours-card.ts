import { html } from 'ghtml';
import { shownNumber } from '#console/components/shown-values.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { HourOfDeliveries } from '#webhooks/inspection/read-endpoint-health.ts';
import { ENDPOINT_TEXTS } from './texts.ts';

const HOURS = 24;
/** Units of the drawing, which fills its card. */
const STEP = 10;
const BAR = 7;
const HALF = 30;

const KINDS = ['succeeded', 'failed', 'untried'] as const;

/**
 * The deliveries of 24 hours as bars: delivered ones above the line, the others below it, so that
 * they differ without colour. The sentence has the same numbers.
 */
export function hoursCard({ language }: Visit, hours: readonly HourOfDeliveries[]): string {
  const { text } = ENDPOINT_TEXTS[language];
  const sum = (kind: (typeof KINDS)[number]) =>
    shownNumber(
      language,
      hours.reduce((total, hour) => total + hour[kind], 0),
    );
  const sums = text('hoursSums', {
    succeeded: sum('succeeded'),
    failed: sum('failed'),
    untried: sum('untried'),
  });
  const sides = hours.flatMap((hour) => [hour.succeeded, hour.failed + hour.untried]);
  const unit = HALF / Math.max(1, ...sides);
  const bars = hours.map(({ hoursAgo, succeeded, failed, untried }) => {
    const x = (HOURS - 1 - hoursAgo) * STEP;
    return (
      bar('good', x, HALF - succeeded * unit, succeeded * unit) +
      bar('bad', x, HALF, failed * unit) +
      bar('neutral', x, HALF + failed * unit, untried * unit)
    );
  });
  return html`<section class="card"><h2>${text('hours')}</h2>
<svg class="hours" viewBox="0 0 ${HOURS * STEP} ${2 * HALF}" preserveAspectRatio="none"
 aria-hidden="true">!${bars.join('')}<path d="M0,${HALF}H${HOURS * STEP}"/></svg>
<p class="small">${sums}</p></section>`;
}

function bar(kind: 'good' | 'bad' | 'neutral', x: number, y: number, height: number): string {
  if (height === 0) return '';
  return html`<rect class="${kind}" x="${x}" y="${y.toFixed(1)}" width="${BAR}"
 height="${height.toFixed(1)}"/>`;
}
