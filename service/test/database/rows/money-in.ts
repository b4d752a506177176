import { ID, type RowsOfPart } from './rows-of-part.ts';

export const MONEY_IN_ROWS: RowsOfPart = {
  valid: { ledger_takeover: { only_row: true }, network_requests: { payment_request_id: ID } },
  breaks: {
    ledger_takeover_only_row_check: [{ only_row: false }],
    network_requests_there_cents_check: [{ there_cents: -1 }],
  },
  twins: {},
};
