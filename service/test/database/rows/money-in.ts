import type { RowsOfPart } from './rows-of-part.ts';

export const MONEY_IN_ROWS: RowsOfPart = {
  valid: { ledger_takeover: { only_row: true } },
  breaks: { ledger_takeover_only_row_check: [{ only_row: false }] },
  twins: {},
};
