import type { Statement } from '#database/database.ts';
import type { TimePlace } from '#lib/cursor.ts';
import { COLUMNS } from '#payment-requests/lookup/find-store.ts';
import type { PaymentRequestFilters } from './filters.ts';

/**
 * Each page of the list without filters, and the first page with one reference alone, is a prepared
 * statement. No merchant and no reference, however common or rare, must get another plan:
 * a sub-select hides each value from the planner (decision 0080).
 *
 * - The plan for all values then costs as much as a plan for these values, so that PostgreSQL plans
 *   no more from the sixth execution on.
 * - With an unknown LIMIT the planner expects to read a tenth of the rows. A walk in the order of
 *   an index is then cheaper than to sort, whether it expects many rows or a few.
 */
const MERCHANT = '(SELECT $1::text)';
const LIMIT = 'LIMIT (SELECT $2::int)';

/** @param rows the page's rows in their order, as an item of FROM without its alias */
const statementOf = (name: string, rows: string): Statement => ({
  name: `payment-request-page-${name}`,
  text: `SELECT ${COLUMNS} FROM (${rows}) p JOIN merchants m ON m.id = ${MERCHANT}
    ORDER BY p.merchant_id, p.created_at DESC, p.id DESC`,
});

const NEWEST = statementOf(
  'newest',
  `SELECT * FROM payment_requests
   WHERE merchant_id = ${MERCHANT}
     AND (created_at, id) < ((SELECT $3::timestamptz), (SELECT $4::uuid))
   ORDER BY merchant_id, created_at DESC, id DESC ${LIMIT}`,
);
/** After every row: the position of a first page. */
export const START = { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } as const;

const REFERENCE = '(SELECT $3::text)';

/**
 * Walks the reference's index, which has the order of the list. "At least, and at most" in place of
 * "equal" keeps the planner from the walk of all rows of the merchant: the planner expects a share
 * of the whole table there, also where most merchants have a row or two. A comparison of two rows
 * keeps it from taking both bounds for a narrow range.
 */
const referenceWalk = (name: string, condition: string) =>
  statementOf(
    name,
    `SELECT * FROM payment_requests
     WHERE ${condition} AND merchant_id >= ${MERCHANT}
       AND (merchant_id, merchant_id) <= (${MERCHANT}, ${MERCHANT})
     ORDER BY merchant_id, created_at DESC, id DESC ${LIMIT}`,
  );

/** Finds the row or the few rows first: their index holds neither merchant nor order. */
const fewRows = (name: string, condition: string) =>
  statementOf(
    name,
    `WITH found AS MATERIALIZED (SELECT * FROM payment_requests WHERE ${condition})
     SELECT * FROM found WHERE merchant_id = ${MERCHANT}
     ORDER BY merchant_id, created_at DESC, id DESC ${LIMIT}`,
  );

const REFERENCES = {
  merchantTransactionId: referenceWalk('transaction', `merchant_transaction_id = ${REFERENCE}`),
  invoiceNumber: referenceWalk('invoice', `invoice_number = ${REFERENCE}`),
  payerEmail: referenceWalk('email', `lower(payer_email) = lower(${REFERENCE})`),
  payerMobileNumber: referenceWalk(
    'mobile',
    `translate(payer_mobile_number, '+-() ', '') = translate(${REFERENCE}, '+-() ', '')`,
  ),
  shortCode: fewRows('short-code', `short_code = ${REFERENCE}`),
  networkReference: fewRows('network', `payment_network_reference = ${REFERENCE}`),
} as const satisfies Partial<Record<keyof PaymentRequestFilters, Statement>>;

export interface PreparedPage {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** The prepared statement of a page; null: the page needs a plan for its values. */
export function preparedPage(
  merchantId: string,
  filters: PaymentRequestFilters,
  after: TimePlace | null,
  limit: number,
): PreparedPage | null {
  const [only, another] = namesOf(filters);
  if (only === undefined) {
    const { createdAt, id } = after ?? START;
    return { statement: NEWEST, values: [merchantId, limit, createdAt, id] };
  }
  // A position inside one reference is found by a plan for its values only.
  if (another !== undefined || after !== null || !isReference(only)) return null;
  return { statement: REFERENCES[only], values: [merchantId, limit, filters[only]] };
}

export const hasFilter = (filters: PaymentRequestFilters) => namesOf(filters).length > 0;

function namesOf(filters: PaymentRequestFilters): (keyof PaymentRequestFilters)[] {
  const names = Object.keys(filters) as (keyof PaymentRequestFilters)[];
  return names.filter((name) => filters[name] !== null);
}

function isReference(name: keyof PaymentRequestFilters): name is keyof typeof REFERENCES {
  return Object.hasOwn(REFERENCES, name);
}
