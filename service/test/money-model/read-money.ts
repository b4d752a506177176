import type { BankProduction } from '../support/bank/bank-production.ts';

export interface ReadRefund {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
}

export interface ReadEntry {
  readonly type: string;
  readonly amount: number;
  readonly paymentRequestId: string | null;
}

export interface OpenCase {
  readonly id: string;
  readonly kind: string;
}

export const centsOf = (amount: number): number => Math.round(amount * 100);

/** The entries of the ledger that match the query, page by page, after a cursor. */
export async function readEntries({ call }: BankProduction, query: string, from = '') {
  const entries: ReadEntry[] = [];
  for (let cursor = from; ; ) {
    const after = cursor === '' ? '' : `&after=${cursor}`;
    const { json } = await call('GET', `/v1/ledger-entries?limit=100${query}${after}`);
    entries.push(...json.data);
    cursor = json.nextCursor;
    if (!json.hasMore) return { entries, cursor };
  }
}

export async function readRefunds({ call }: BankProduction, id: string): Promise<ReadRefund[]> {
  return (await call('GET', `/v1/payment-requests/${id}/refunds`)).json.data;
}

/** The open cases of a payment request, the latest first. */
export function readCases({ service }: BankProduction, id: string): Promise<OpenCase[]> {
  return service.database.sql<OpenCase>(
    `SELECT id::text, kind FROM operator_cases
     WHERE payment_request_id = $1 AND closed_at IS NULL ORDER BY opened_at DESC, id DESC`,
    [id],
  );
}
