import { AT, ID, OTHER_ID, type RowsOfPart } from './rows-of-part.ts';

export const RESTORE_ROWS: RowsOfPart = {
  valid: {
    webhook_events_pruned: { only_row: true, transaction_id: '3' },
    database_restores: { id: ID, ends_at: AT, noticed_by: 'OPERATOR' },
  },
  breaks: {
    webhook_events_pruned_only_row_check: [{ only_row: false }],
    database_restores_noticed_by_check: [{ noticed_by: 'NOBODY' }],
  },
  twins: { database_restores_one_open: { id: OTHER_ID } },
};
