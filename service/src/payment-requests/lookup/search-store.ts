import type { Executor, Statement } from '#database/database.ts';
import type { SearchTerms } from './search-terms.ts';

/** A value by which people search; in the order in which hits are shown. */
export const SEARCH_FIELDS = [
  'id',
  'shortCode',
  'networkReference',
  'merchantTransactionId',
  'invoiceNumber',
  'payerEmail',
  'payerMobileNumber',
  'merchantAccountId',
  'amount',
] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

/**
 * The merchants with one value that a search in all merchants goes through: each costs two index
 * probes. A value that more merchants share names no payment request.
 */
const MOST_OWNERS = 50;
/** An amount is looked for at each merchant, by an index probe of some 5 µs. */
export const MOST_MERCHANTS = 2_000;

export interface SearchQuery {
  readonly terms: SearchTerms;
  readonly fields: readonly SearchField[];
  /** Only payment requests of these; null: of all merchants. */
  readonly merchantIds: readonly string[] | null;
  readonly most: number;
  /** Only payment requests that were created or paid within it; left out: all. */
  readonly within?: Span | undefined;
}

/** A span of time; the instant `to` is outside. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export interface SearchHit {
  readonly id: string;
  readonly foundBy: SearchField;
}

export type Bind = (value: unknown) => string;

/** The condition of a field's index for a text, or null where the text is no such value. */
const CONDITIONS: Readonly<Record<SearchField, (terms: SearchTerms, bind: Bind) => string | null>> =
  {
    id: ({ id }, bind) => id && `id = ${bind(id)}::uuid`,
    shortCode: ({ shortCode }, bind) => shortCode && `short_code = ${bind(shortCode)}`,
    networkReference: ({ text }, bind) => `payment_network_reference = ${bind(text)}`,
    merchantTransactionId: ({ text }, bind) => `merchant_transaction_id = ${bind(text)}`,
    invoiceNumber: ({ text }, bind) => `invoice_number = ${bind(text)}`,
    payerEmail: ({ email }, bind) => email && `lower(payer_email) = lower(${bind(email)})`,
    payerMobileNumber: ({ mobileNumber }, bind) =>
      mobileNumber &&
      `translate(payer_mobile_number, '+-() ', '') = translate(${bind(mobileNumber)}, '+-() ', '')`,
    merchantAccountId: ({ text }, bind) => `payer_merchant_account_id = ${bind(text)}`,
    amount: ({ amountCents }, bind) =>
      amountCents === null ? null : `amount_cents = ${bind(amountCents)}`,
  };

/** Fields whose value one or a few payment requests have. */
export const UNIQUE_FIELDS: ReadonlySet<SearchField> = new Set([
  'id',
  'shortCode',
  'networkReference',
]);

const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC';

/**
 * The payment requests with a value: the best kind of hit first, then the newest. Every part reads
 * an index and at most `most` rows of each merchant (decision 0070).
 */
export function findBySearch(db: Executor, asked: SearchQuery): Promise<SearchHit[]> {
  const { statement, values } = searchStatement(asked);
  return db.query<SearchHit>(statement, values);
}

/** Builds the statement; exported for EXPLAIN. It has no name: it is planned for its values. */
export function searchStatement({ terms, fields, merchantIds, most, within }: SearchQuery): {
  readonly statement: Statement;
  readonly values: readonly unknown[];
} {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const limit = bind(most);
  const merchants = merchantIds === null ? null : bind(merchantIds);
  const during = within ? isDuring(within, bind) : '';
  const ctes: string[] = [];
  const parts: string[] = [];
  for (const [rank, field] of SEARCH_FIELDS.entries()) {
    const condition = fields.includes(field) ? CONDITIONS[field](terms, bind) : null;
    if (condition === null) continue;
    const found = `${rank} AS rank, '${field}' AS "foundBy"`;
    if (UNIQUE_FIELDS.has(field)) {
      const own = merchants === null ? '' : ` AND merchant_id = ANY (${merchants}::text[])`;
      parts.push(`(SELECT id, created_at, ${found} FROM payment_requests
        WHERE ${condition}${own}${during} LIMIT ${limit})`);
      continue;
    }
    if (merchants === null && field !== 'amount') ctes.push(ownersOf(field, condition));
    parts.push(`(SELECT p.id, p.created_at, ${found} FROM ${ownersIn(field, merchants)} o
      CROSS JOIN LATERAL (
        SELECT id, created_at FROM payment_requests
        WHERE ${condition} AND merchant_id = o.merchant_id${during}
        ${NEWEST_FIRST} LIMIT ${limit}) p)`);
  }
  const text = `${ctes.length === 0 ? '' : `WITH RECURSIVE ${ctes.join(',\n')}`}
    SELECT id::text, "foundBy" FROM (
      SELECT DISTINCT ON (id) * FROM (${parts.join('\nUNION ALL ')}) parts ORDER BY id, rank) hits
    ORDER BY rank, created_at DESC, id DESC LIMIT ${limit}`;
  return { statement: { name: '', text }, values };
}

/** Nothing is paid before it is created. */
export function isDuring(within: Span, bind: Bind): string {
  const from = bind(within.from);
  const to = bind(within.to);
  return ` AND created_at < ${to} AND (created_at >= ${from}
          OR payment_completed_at >= ${from} AND payment_completed_at < ${to})`;
}

/** The merchants that have the value, one index probe each. */
function ownersOf(field: SearchField, condition: string): string {
  return `"${field}Owners" (merchant_id, nth) AS (
    (SELECT merchant_id, 1 FROM payment_requests WHERE ${condition} ORDER BY merchant_id LIMIT 1)
    UNION ALL
    SELECT next.merchant_id, before.nth + 1
    FROM "${field}Owners" before CROSS JOIN LATERAL (
      SELECT merchant_id FROM payment_requests
      WHERE ${condition} AND merchant_id > before.merchant_id ORDER BY merchant_id LIMIT 1) next
    WHERE before.nth < ${MOST_OWNERS})`;
}

function ownersIn(field: SearchField, merchants: string | null): string {
  if (merchants !== null) return `(SELECT unnest(${merchants}::text[]) AS merchant_id)`;
  if (field !== 'amount') return `"${field}Owners"`;
  return `(SELECT id AS merchant_id FROM merchants ORDER BY id LIMIT ${MOST_MERCHANTS})`;
}
