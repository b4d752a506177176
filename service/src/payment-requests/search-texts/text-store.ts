import { COMMIT_BOUNDS } from '#database/commit-order/commit-cursor.ts';
import type { Executor, Statement } from '#database/database.ts';
import { allRows, execute, firstRowOrNull } from '#database/statements.ts';
import type { SearchedValues } from './search-text.ts';

/** A payment request with the values of its text. */
export interface TextSource extends SearchedValues {
  readonly id: string;
  readonly merchantId: string;
}

const COLUMNS = `p.id, p.merchant_id AS "merchantId", p.payer_name AS name,
  p.payer_merchant_account_id AS "merchantAccountId", p.invoice_number AS "invoiceNumber",
  p.merchant_transaction_id AS "merchantTransactionId", p.display_message AS "displayMessage",
  p.metadata`;

/** A page ends with the whole of its last transaction, so that the place is that transaction. */
const pageOf = (columns: string, from: string, at: string, place: string, rows: number) => `
  ${COMMIT_BOUNDS}, page AS MATERIALIZED (
    SELECT found.* FROM bounds, payment_request_text_progress progress, LATERAL (
      SELECT ${at} AS at, ${columns} FROM ${from} ${at} > progress.${place}
        AND ${at} < bounds.oldest_running
      ORDER BY ${at} FETCH FIRST ${rows} ROWS WITH TIES) found
  ), moved AS (
    UPDATE payment_request_text_progress SET ${place} = last.at
    FROM (SELECT at FROM page ORDER BY at DESC LIMIT 1) last)`;

/** The number of rows stands in the text, as in `counters/counting-store.ts`. */
const takeCreated = (rows: number): Statement => ({
  name: `payment-request-texts-take-created-${rows}`,
  text: `${pageOf(
    COLUMNS,
    'payment_requests p WHERE',
    'p.creation_transaction',
    'created_until',
    rows,
  )}
    SELECT * FROM page`,
});

const takeUpdated = (rows: number): Statement => ({
  name: `payment-request-texts-take-updated-${rows}`,
  text: `${pageOf(
    'n.payment_request_id',
    "payment_request_timeline n WHERE n.type = 'UPDATED' AND",
    'n.transaction_id',
    'updated_until',
    rows,
  )}
    SELECT ${COLUMNS} FROM payment_requests p
    WHERE p.id IN (SELECT payment_request_id FROM page)`,
});

const takeHistory = (rows: number): Statement => ({
  name: `payment-request-texts-take-history-${rows}`,
  text: `WITH page AS MATERIALIZED (
      SELECT ${COLUMNS} FROM payment_requests p
      WHERE p.id < (SELECT history_from FROM payment_request_text_progress)
      ORDER BY p.id DESC LIMIT ${rows}
    ), moved AS (
      UPDATE payment_request_text_progress SET
        history_from = coalesce((SELECT id FROM page ORDER BY id LIMIT 1), history_from),
        history_ended_at = CASE WHEN (SELECT count(*) FROM page) < ${rows} THEN service_now() END)
    SELECT * FROM page`,
});

const TAKES = { created: takeCreated, updated: takeUpdated, history: takeHistory };
export type TextOrigin = keyof typeof TAKES;

/**
 * Claims the writing until the transaction ends. @returns null: another process writes
 *
 * A single process writes texts; the others come back at their next turn.
 */
export const claimTexts = firstRowOrNull<{ hasHistory: boolean }>(
  'payment-request-texts-claim',
  `SELECT history_ended_at IS NOT NULL AS "hasHistory"
   FROM payment_request_text_progress FOR UPDATE SKIP LOCKED`,
);

/** Waits for texts that are being written, and keeps others off until the transaction ends. */
export const lockTexts = execute(
  'payment-request-texts-lock',
  'SELECT FROM payment_request_text_progress FOR UPDATE',
);

/** Takes about `rows` payment requests that lack their texts, and moves the place behind them. */
export function takeSources(tx: Executor, origin: TextOrigin, rows: number): Promise<TextSource[]> {
  return tx.query<TextSource>(TAKES[origin](rows));
}

export const findSources = allRows<TextSource, [ids: readonly string[]]>(
  'payment-request-texts-find',
  `SELECT ${COLUMNS} FROM payment_requests p WHERE p.id = ANY ($1::uuid[])`,
);

/** Writes texts; one that is there already is replaced. The transaction has the claim or lock. */
export const writeTexts = execute(
  'payment-request-texts-write',
  `INSERT INTO payment_request_texts AS t (payment_request_id, merchant_id, search_text)
   SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])
   ON CONFLICT (payment_request_id) DO UPDATE SET search_text = excluded.search_text
     WHERE t.search_text <> excluded.search_text`,
  (sources: readonly TextSource[], texts: readonly string[]) => [
    sources.map(({ id }) => id),
    sources.map(({ merchantId }) => merchantId),
    texts,
  ],
);
