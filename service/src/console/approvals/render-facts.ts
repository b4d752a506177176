import { html } from 'ghtml';
import { changedFacts, type Facts } from '#approvals/model/facts.ts';
import type { Proposal } from '#approvals/model/proposal.ts';
import { amount } from '#console/components/amount.ts';
import { type Fact, facts } from '#console/components/facts.ts';
import { type Column, column, rowHeader, table } from '#console/components/table.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { APPROVAL_TEXTS } from './texts.ts';

const FACT_TEXTS = pageTexts('console.approvals.facts');

/** Every fact that an act can rest on, and every parameter that a page shows. */
const FACT_NAMES = [
  'paymentRequestId',
  'refundId',
  'caseKind',
  'caseStatus',
  'caseMovements',
  'correctedMovement',
  'splitParts',
  'paymentRequestStatus',
  'isPaid',
  'askedCents',
  'arrivedCents',
  'leftCents',
  'receivedCents',
  'returnedCents',
  'refundingCents',
  'refundedCents',
  'availableCents',
  'refundStatus',
  'refundCents',
  'bookedCents',
  'accountVersion',
  'accountHolder',
  'accountIban',
  'accountBic',
  'accountAddress',
  'accountClosed',
  'templateId',
  'templateVersion',
  'templateArchived',
] as const;
type FactName = (typeof FACT_NAMES)[number];

/** The facts that the act changes, before and after, and under them the facts that stay. */
export function renderFacts(visit: Visit, proposal: Proposal): string {
  const { text } = APPROVAL_TEXTS[visit.language];
  const { factsBefore, factsAfter, outcome } = proposal;
  const now = outcome && 'factsNow' in outcome ? outcome.factsNow : undefined;
  const changed = new Set([
    ...changedFacts(factsBefore, factsAfter),
    ...(now ? changedFacts(factsBefore, now) : []),
  ]);
  const known = FACT_NAMES.filter((name) =>
    [factsBefore, factsAfter, now ?? {}].some((each) => (each[name] ?? null) !== null),
  );
  const valueIn = (each: Facts) => (name: FactName) => shownValue(visit, name, each[name] ?? null);
  const titleOf = (name: FactName) => FACT_TEXTS[visit.language].text(name);
  const columns: Column<FactName>[] = [
    rowHeader(text('fact'), (name) => html`${titleOf(name)}`),
    column(text('before'), valueIn(factsBefore)),
    column(text('after'), (name) => `<strong>${valueIn(factsAfter)(name)}</strong>`),
    ...(now ? [column(text('atExecution'), valueIn(now))] : []),
  ];
  const changing = known.filter((name) => changed.has(name));
  const staying = known.filter((name) => !changed.has(name));
  const compared = table(text('changes'), columns, changing);
  return html`<div class="compare">!${compared}</div>!${staysOf(
    text('stays'),
    staying.map((name) => [titleOf(name), valueIn(factsBefore)(name)]),
  )}`;
}

function staysOf(title: string, list: readonly Fact[]): string {
  if (list.length === 0) return '';
  return html`<details><summary>${title}</summary>!${facts(list)}</details>`;
}

function shownValue(visit: Visit, name: FactName, value: Facts[string]): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number' && name.endsWith('Cents')) return amount(visit, value);
  if (typeof value === 'boolean') return FACT_TEXTS[visit.language].text(value ? 'yes' : 'no');
  // A part a line.
  if (name === 'splitParts') {
    const parts = `${value}`.split('; ').map((part) => html`<li>${part}</li>`);
    return html`<ul class="plain">!${parts.join('')}</ul>`;
  }
  if (name.endsWith('Id')) return html`<span class="mono">${value}</span>`;
  return html`${value}`;
}
