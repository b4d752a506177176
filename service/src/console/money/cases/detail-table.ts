import type { OperatorCase } from '#cases/model/operator-case.ts';
import { NONE, table } from '#console/components/table.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import type { Visit } from '#console/shell/visit.ts';
import { CASE_PAGE_TEXTS } from '../texts.ts';

interface Detail {
  readonly amountCents: number | null;
  readonly currency: string;
  readonly references: readonly string[];
}

const COLUMNS: ListColumns<Detail> = {
  'column.ownReference': show.code(({ references }) => references.join(', ') || NONE),
  'column.amount': show.money(
    (each) => each.amountCents,
    (each) => each.currency,
  ),
};

/** The details of a bank's entry that do not add up, as the bank states them. */
export function detailTable(
  visit: Visit,
  { details: found }: Pick<OperatorCase, 'details'>,
): string {
  if (!Array.isArray(found.details)) return '';
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const details = found.details as readonly Detail[];
  return table(text('details'), titled(visit, text, COLUMNS), details);
}
