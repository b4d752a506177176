import { ID, type RowsOfPart } from './rows-of-part.ts';

export const MONEY_IN_ROWS: RowsOfPart = {
  valid: { network_requests: { payment_request_id: ID } },
  breaks: { network_requests_there_cents_check: [{ there_cents: -1 }] },
  twins: {},
};
