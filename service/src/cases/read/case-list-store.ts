import type { Executor } from '#database/database.ts';
import { allRows, firstRowOrNull } from '#database/statements.ts';
import type { TimePlace } from '#lib/cursor.ts';
import { CASE_KINDS, type CaseState, type ShownKind } from '../model/case-kinds.ts';
import type { OperatorCase } from '../model/operator-case.ts';

/** The cases that a list shows. */
export interface CaseFilters {
  readonly state: CaseState;
  /** null: all kinds. */
  readonly kind: ShownKind | null;
  /** null: the cases of all merchants, and those that name none. */
  readonly merchantId: string | null;
  readonly paymentRequestId: string | null;
  /** Inclusive. */
  readonly openedFrom: Date | null;
  /** Exclusive. */
  readonly openedTo: Date | null;
}

export interface CasePageQuery {
  readonly filters: CaseFilters;
  /** The last row of the previous page; null for the first page. */
  readonly after: TimePlace | null;
  readonly limit: number;
}

const COLUMNS = `id::text, kind, payment_request_id::text AS "paymentRequestId",
  merchant_id AS "merchantId", details, opened_at AS "openedAt", closed_at AS "closedAt",
  settlement`;

/** Money can name a payment request of another merchant. OFFSET keeps it a probe for each case. */
const isOwn = (merchantId: string, id = 'operator_cases.payment_request_id') =>
  `EXISTS (SELECT FROM payment_requests p
    WHERE p.id = ${id} AND p.merchant_id = ${merchantId} OFFSET 0)`;

/** Money of an open case may be meant for others, too; few cases are open. */
const isAbout = (state: CaseState, id: string) =>
  state === 'open'
    ? `(payment_request_id = ${id} OR details -> 'candidates' ? ${id}::text)`
    : `payment_request_id = ${id}`;

const OF_STATE: Readonly<Record<CaseState, readonly string[]>> = {
  open: ['closed_at IS NULL'],
  settled: ['closed_at IS NOT NULL'],
  all: [],
};

const REPLACEABLE = Object.entries(CASE_KINDS)
  .filter(([, { allows }]) => allows.includes('REPLACED'))
  .map(([kind]) => `'${kind}'`);

/** As `shownKind`: a list, its file and its numbers name a case in the same way. */
const SHOWN_KIND = `CASE WHEN kind IN (${REPLACEABLE.join(', ')})
    AND details ? 'correctedReferences' THEN 'CORRECTED_BOOKING' ELSE kind END`;

/** The payment requests that a case names, or whose money it may be; a merchant sees its own. */
const requestIds = (merchantId: string) => `ARRAY(SELECT p.id::text FROM payment_requests p
  WHERE p.id = ANY (payment_request_id || ARRAY(
      SELECT (jsonb_path_query(details, '$.candidates[*]') #>> '{}')::uuid))
    AND (${merchantId}::text IS NULL OR p.merchant_id = ${merchantId})
  ORDER BY p.id) AS "requestIds"`;

export interface CaseWithRequests extends OperatorCase {
  readonly requestIds: readonly string[];
}

export interface FoundCase extends CaseWithRequests {
  /** Whether the payment request belongs to the merchant who asks; an operator may see all. */
  readonly isOwnRequest: boolean;
}

/**
 * A page of cases, newest first. The statement has no name, so that PostgreSQL plans each execution
 * for its filters.
 */
export function findCasePage(
  db: Executor,
  { filters, after, limit }: CasePageQuery,
): Promise<FoundCase[]> {
  const { state, kind, merchantId, paymentRequestId, openedFrom, openedTo } = filters;
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    'true',
    ...OF_STATE[state],
    ...(kind === null ? [] : [`${SHOWN_KIND} = ${bind(kind)}`]),
    ...(merchantId === null ? [] : [`merchant_id = ${bind(merchantId)}`]),
    ...(paymentRequestId === null ? [] : [isAbout(state, `${bind(paymentRequestId)}::uuid`)]),
    ...(paymentRequestId === null || merchantId === null
      ? []
      : [isOwn(bind(merchantId), `${bind(paymentRequestId)}::uuid`)]),
    ...(openedFrom === null ? [] : [`opened_at >= ${bind(openedFrom)}`]),
    ...(openedTo === null ? [] : [`opened_at < ${bind(openedTo)}`]),
    ...(after === null ? [] : [`(opened_at, id) < (${bind(after.createdAt)}, ${bind(after.id)})`]),
  ];
  const owner = bind(merchantId);
  const own = merchantId === null ? 'true' : isOwn(owner);
  const text = `SELECT ${COLUMNS}, ${own} AS "isOwnRequest", ${requestIds(owner)}
    FROM operator_cases
    WHERE ${conditions.join(' AND ')}
    ORDER BY opened_at DESC, operator_cases.id DESC LIMIT ${bind(limit)}`;
  return db.query<FoundCase>({ name: '', text }, values);
}

/** @param merchantId null: of any merchant, for an operator */
export const findCaseOf = firstRowOrNull<FoundCase, [id: string, merchantId: string | null]>(
  'cases-find-of',
  `SELECT ${COLUMNS}, $2::text IS NULL OR ${isOwn('$2')} AS "isOwnRequest", ${requestIds('$2')}
   FROM operator_cases
   WHERE id = $1 AND ($2::text IS NULL OR merchant_id = $2)`,
);

export interface OpenCases {
  readonly kind: ShownKind;
  readonly currency: string;
  readonly count: number;
  /** The money that arrived and that these cases are about. */
  readonly arrivedCents: number;
}

/**
 * The open cases of each kind, the most frequent first.
 *
 * Reads the index of the open cases.
 *
 * @param currency the deployment's: older cases name none
 * @param most     only the oldest are added up; null: all
 */
export const sumOpenCases = allRows<
  OpenCases,
  [merchantId: string | null, currency: string, most: number | null]
>(
  'cases-sum-open',
  `SELECT ${SHOWN_KIND} AS kind, coalesce(details ->> 'currency', $2) AS currency,
     count(*)::int AS count,
     coalesce(sum(coalesce(details ->> 'arrivedCents', details ->> 'receivedCents')::bigint), 0)
       ::bigint AS "arrivedCents"
   FROM (SELECT kind, details FROM operator_cases
         WHERE closed_at IS NULL AND ($1::text IS NULL OR merchant_id = $1)
         ORDER BY opened_at LIMIT $3) oldest
   GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2`,
);
