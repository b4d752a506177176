import { html } from 'ghtml';
import { emptyState } from '#console/components/parts.ts';
import {
  type Column,
  column,
  moneyColumn,
  NONE,
  rowHeader,
  table,
} from '#console/components/table.ts';
import { shownNumber, shownShare } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { type CounterSums, JOURNEY } from '#counters/model/counters.ts';
import { OVERVIEW_TEXTS } from './texts.ts';

/** How many payers came how far, of the payment requests created in the span. */
export function journeyTable({ language }: Visit, sums: CounterSums): string {
  const { text } = OVERVIEW_TEXTS[language];
  if (sums.created === 0) return emptyState(text('journeyEmpty'));
  // A network whose payers choose no bank here has no such steps. The simulator of the sandbox pays
  // without any page.
  const isPassed = (index: number) => JOURNEY.slice(index).some((later) => sums[later] > 0);
  const steps = JOURNEY.filter(
    (step, index) => sums[step] > 0 || !(isOfGateway(step) || isPassed(index)),
  );
  const rows = steps.map((step, index) => ({
    step,
    count: sums[step],
    before: sums[steps[index - 1] ?? step],
  }));
  const columns: Column<(typeof rows)[number]>[] = [
    rowHeader(text('step'), ({ step }) => text(`step.${step}`)),
    column(text('ofCreated'), ({ count }) =>
      shareBar(shownShare(language, count, sums.created), count / sums.created),
    ),
    moneyColumn(text('number'), ({ count }) => shownNumber(language, count)),
    moneyColumn(text('ofBefore'), ({ count, before }) =>
      count > before ? NONE : shownShare(language, count, before),
    ),
  ];
  const notes = [text('journeyLead'), sums.completed > sums.confirmed && text('journeySkips')];
  const lead = html`<p class="small">${notes.filter(Boolean).join(' ')}</p>`;
  return table(text('journey'), columns, rows) + lead;
}

function isOfGateway(step: (typeof JOURNEY)[number]): boolean {
  return step === 'institution_chosen' || step === 'signed_in';
}

function shareBar(share: string, part: number): string {
  const width = Math.round(Math.min(1, part) * 100);
  return html`<span class="share"><svg viewBox="0 0 100 10" preserveAspectRatio="none"
 aria-hidden="true"><rect width="${width}" height="10"/></svg>${share}</span>`;
}
