import type { RowsOfPart } from './rows-of-part.ts';

export const COUNTER_ROWS: RowsOfPart = {
  valid: {
    payment_counter_progress: { only_row: true },
    ledger_day_sums_progress: { only_row: true },
    payment_request_text_progress: { only_row: true },
  },
  breaks: {
    payment_counter_progress_only_row_check: [{ only_row: false }],
    ledger_day_sums_progress_only_row_check: [{ only_row: false }],
    payment_request_text_progress_only_row_check: [{ only_row: false }],
  },
  twins: {},
};
