import { html } from 'ghtml';
import type { OperatorCase } from '#cases/model/operator-case.ts';
import { table } from '#console/components/table.ts';
import type { Visit } from '#console/shell/visit.ts';
import { amount } from '../parts/amount.ts';
import { CASE_PAGE_TEXTS } from '../texts/case-page-texts.ts';

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
    {
      title: text('column.ownReference'),
      isRowHeader: true as const,
      cell: ({ references }: Detail) =>
        html`<span class="mono">${references.join(', ') || '–'}</span>`,
    },
    {
      title: text('column.amount'),
      isMoney: true as const,
      cell: ({ amountCents, currency }: Detail) =>
        amountCents === null ? '–' : amount(visit, amountCents, currency),
    },
  ];
  return table(text('details'), columns, details.details as readonly Detail[]);
}
