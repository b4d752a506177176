import type { Executor, Statement } from '#database/database.ts';
import { isDuring, type Span } from './search-store.ts';

export interface TextSearchQuery {
  /** Patterns of LIKE, which all must match. */
  readonly patterns: readonly string[];
  /** Only payment requests of these; null: of all merchants. */
  readonly merchantIds: readonly string[] | null;
  readonly most: number;
  readonly within?: Span | undefined;
}

/** The ids of payment requests by parts of their texts, the newest first. */
export async function findByText(db: Executor, asked: TextSearchQuery): Promise<string[]> {
  const { statement, values } = textSearchStatement(asked);
  return (await db.query<{ id: string }>(statement, values)).map(({ id }) => id);
}

/**
 * Builds the statement; exported for EXPLAIN. It has no name: a rare text is read off the trigrams,
 * and a frequent one off the newest rows, so that it is planned for its values.
 */
export function textSearchStatement({ patterns, merchantIds, most, within }: TextSearchQuery): {
  readonly statement: Statement;
  readonly values: readonly unknown[];
} {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = patterns.map((pattern) => `search_text LIKE ${bind(pattern)}`);
  const [only, ...others] = merchantIds ?? [];
  if (others.length > 0) conditions.push(`merchant_id = ANY (${bind(merchantIds)}::text[])`);
  // A single merchant's rows have the order of the index.
  else if (only !== undefined) conditions.push(`merchant_id = ${bind(only)}`);
  if (within) {
    conditions.push(`EXISTS (SELECT FROM payment_requests
      WHERE id = payment_request_id${isDuring(within, bind)})`);
  }
  const text = `SELECT payment_request_id::text AS id FROM payment_request_texts
    WHERE ${conditions.join(' AND ')} ORDER BY payment_request_id DESC LIMIT ${bind(most)}`;
  return { statement: { name: '', text }, values };
}
