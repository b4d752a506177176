import { html } from 'ghtml';
import type { OperatorCase } from '#cases/model/operator-case.ts';
import { moneyColumn, rowHeader, table } from '#console/components/table.ts';
import type { Visit } from '#console/shell/visit.ts';
import { amount } from '../format/amount.ts';
import { CASE_PAGE_TEXTS } from '../texts.ts';

interface Detail {
  readonly amountCents: number | null;
  readonly currency: string;
  readonly references: readonly string[];
}

/** The details of a bank's entry that do not add up, as the bank states them. */
export function detailTable(visit: Visit, { details }: Pick<OperatorCase, 'details'>): string {
  if (!Array.isArray(details.details)) return '';
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const columns = [
    rowHeader(
      text('column.ownReference'),
      ({ references }: Detail) => html`<span class="mono">${references.join(', ') || '–'}</span>`,
    ),
    moneyColumn(text('column.amount'), ({ amountCents, currency }: Detail) =>
      amountCents === null ? '–' : amount(visit, amountCents, currency),
    ),
  ];
  return table(text('details'), columns, details.details as readonly Detail[]);
}
