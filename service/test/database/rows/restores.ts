import type { RowsOfPart } from './rows-of-part.ts';

export const RESTORE_ROWS: RowsOfPart = {
  valid: { webhook_events_pruned: { only_row: true, transaction_id: '3' } },
  breaks: { webhook_events_pruned_only_row_check: [{ only_row: false }] },
  twins: {},
};
