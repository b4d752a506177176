import { html } from 'ghtml';
import { changedFacts, type Facts } from '#approvals/model/facts.ts';
import type { Proposal } from '#approvals/model/proposal.ts';
import { money } from '#console/components/money.ts';
import { type Column, table } from '#console/components/table.ts';
import type { Visit } from '#console/shell/visit.ts';
import { FACT_NAMES, FACT_TEXTS, type FactName } from './fact-texts.ts';
import { APPROVAL_TEXTS } from './texts.ts';

/** The facts before and after the act, side by side; the facts that change are bold. */
export function renderFacts(visit: Visit, proposal: Proposal): string {
  const { text } = APPROVAL_TEXTS[visit.language];
  const { factsBefore, factsAfter, outcome } = proposal;
  const now = outcome && 'factsNow' in outcome ? outcome.factsNow : undefined;
  const names = FACT_NAMES.filter((name) =>
    [factsBefore, factsAfter, now ?? {}].some((facts) => (facts[name] ?? null) !== null),
  );
  const valueIn = (facts: Facts, isChanged: boolean) => (name: FactName) => {
    const value = shownValue(visit, name, facts[name] ?? null);
    return isChanged && changedFacts(factsBefore, facts).includes(name)
      ? `<strong>${value}</strong>`
      : value;
  };
  const columns: Column<FactName>[] = [
    {
      title: text('fact'),
      isRowHeader: true,
      cell: (name) => html`${FACT_TEXTS[visit.language].text(name)}`,
    },
    { title: text('before'), cell: valueIn(factsBefore, false) },
    { title: text('after'), cell: valueIn(factsAfter, true) },
    ...(now ? [{ title: text('atExecution'), cell: valueIn(now, true) }] : []),
  ];
  return table(text('changes'), columns, names);
}

function shownValue(visit: Visit, name: FactName, value: Facts[string]): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number' && name.endsWith('Cents')) return money(visit, value);
  if (typeof value === 'boolean') return FACT_TEXTS[visit.language].text(value ? 'yes' : 'no');
  if (name.endsWith('Id')) return html`<span class="mono">${value}</span>`;
  return html`${value}`;
}
