import type { Executor } from '#database/database.ts';
import type { PageQuery } from '#database/lists/list.ts';
import type { TimePlace } from '#lib/cursor.ts';
import { COLUMNS } from '#payment-requests/lookup/find-store.ts';
import { EQUALITY_FILTERS } from '#payment-requests/model/field-lists.ts';
import { FIELDS } from '#payment-requests/model/fields.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { columnOf, fromRow, type Row } from '#payment-requests/model/row.ts';
import { canExpire, type Status, sqlListOf } from '#payment-requests/model/statuses.ts';
import type { PaymentRequestFilters } from './filters.ts';
import { type PreparedPage, preparedPage } from './prepared-page-store.ts';

export interface PaymentRequestPageQuery extends PageQuery<PaymentRequestFilters, TimePlace> {
  /** A CREATED payment request whose expiry has passed by `now` counts as EXPIRED. */
  readonly now: Date;
}

export type FindPage = (
  executor: Executor,
  asked: PaymentRequestPageQuery,
) => Promise<readonly PaymentRequest[]>;

const TABLE = 'payment_requests';

/** Newest first; the id orders rows of the same millisecond. */
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC';

/**
 * Nearly all CREATED rows have `expires_at > now`, but few rows of the whole table. The planner
 * knows only the latter, and would read all CREATED rows from the index of the expiry timer. The
 * sum hides the column from that index.
 */
const EXPIRES_AT = "(expires_at + interval '0')";

/**
 * The most expiries of all merchants that have passed and are not written yet. The timer writes an
 * expiry within a second. Beyond 1,000 the timer is late, and the slower plan is used.
 */
const MOST_UNWRITTEN = 1_000;

/**
 * No index holds both a range of amounts and the order of time. The statement scans the newest 100
 * rows for each row of the limit. If these hold too few matches the range is rare, and the index of
 * amounts finds all its rows. The bounds keep the first scan between some 2 and 20 ms.
 */
const LOOKED_AT_FOR_ONE = 100;
const MOST_LOOKED_AT = 10_000;

/**
 * Reads a page of a merchant's payment requests, newest first (contract §4, List), as stored. A
 * single statement reads one snapshot. Later rows shift no page, because a position is the creation
 * and id of a row, and neither changes.
 */
export async function findPaymentRequestPage(
  executor: Executor,
  asked: PaymentRequestPageQuery,
): Promise<PaymentRequest[]> {
  const { statement, values } = paymentRequestPage(asked);
  return (await executor.query<Row>(statement, values)).map(fromRow);
}

/** Builds the statement of a page from its filters; exported for EXPLAIN. */
export function paymentRequestPage(asked: PaymentRequestPageQuery): PreparedPage {
  const { merchantId, filters, after, limit } = asked;
  return preparedPage(merchantId, filters, after, limit) ?? filteredPage(asked);
}

/**
 * The statement has no name, so that PostgreSQL plans each execution for its values. A shared plan
 * is wrong for some values, and hundreds of combinations would fill every connection's memory.
 * Planning takes longer than the rest: the text names no table that the page does not need.
 */
function filteredPage(asked: PaymentRequestPageQuery): PreparedPage {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const owner = bind(asked.merchantId);
  const { parts, rows } = isAmountRange(asked.filters)
    ? amountPage(asked, bind)
    : orderedPage(asked, bind);
  const text = `${parts.length === 0 ? '' : `WITH ${parts.join(',\n')}`}
    SELECT ${COLUMNS} FROM ${rows} JOIN merchants m ON m.id = ${owner}
    ORDER BY p.created_at DESC, p.id DESC`;
  return { statement: { name: '', text }, values };
}

type Bind = (value: unknown) => string;

/** The source of a page's rows. */
interface Source {
  /** The parts of WITH. */
  readonly parts: readonly string[];
  /** The item of FROM that gives the whole rows `p`. */
  readonly rows: string;
}

/** The rows of a part `page` that has only their ids. */
const ROWS_OF_PAGE = `page JOIN ${TABLE} p ON p.id = page.id`;

/**
 * Every filter has an index in the order of the list; each status is a scan of its own. An only
 * scan reads whole rows: reading their ids first takes twice as long to plan.
 */
function orderedPage({ limit, ...asked }: PaymentRequestPageQuery, bind: Bind): Source {
  const conditions = [...equalities(asked, bind), ...amounts(asked, bind), ...range(asked, bind)];
  const most = bind(limit);
  const { statuses } = asked.filters;
  const expiry = expiryIn(statuses ?? []);
  const isOnlyScan = statuses === null || (statuses.length === 1 && expiry !== 'ADDED');
  const columns = isOnlyScan ? '*' : 'created_at, id';
  const walk = (from: string, ...more: string[]) =>
    `(SELECT ${columns} FROM ${from}
      WHERE ${[...conditions, ...more].join(' AND ')} ${NEWEST_FIRST} LIMIT ${most})`;
  if (statuses === null) return { parts: [], rows: `${walk(TABLE)} p` };
  const now = expiry === 'EITHER_WAY' ? '' : bind(asked.now);
  const walks = statuses.map((status) =>
    status === 'CREATED' && expiry === 'HIDDEN'
      ? walk(TABLE, `status = '${status}'`, `${EXPIRES_AT} > ${now}`)
      : walk(TABLE, `status = ${bind(status)}`),
  );
  if (isOnlyScan) return { parts: [], rows: `${walks.join()} p` };
  const due = `status IN (${sqlListOf(canExpire)}) AND expires_at <= ${now}`;
  if (expiry === 'ADDED') {
    // PostgreSQL runs the second scan only if `unwritten` may be incomplete.
    const count = '(SELECT count(*) FROM unwritten)';
    walks.push(walk('unwritten', `${count} < ${MOST_UNWRITTEN}`));
    walks.push(walk(TABLE, due, `${count} >= ${MOST_UNWRITTEN}`));
  }
  const parts = [
    // The order makes the planner use the timer's index, for any expected number of rows.
    ...(expiry === 'ADDED'
      ? [
          `unwritten AS MATERIALIZED (
            SELECT * FROM ${TABLE} WHERE ${due} ORDER BY expires_at LIMIT ${MOST_UNWRITTEN})`,
        ]
      : []),
    `page AS MATERIALIZED (
      SELECT * FROM (${walks.join('\nUNION ALL ')}) walks ${NEWEST_FIRST} LIMIT ${most})`,
  ];
  return { parts, rows: ROWS_OF_PAGE };
}

/** First a bounded scan of the newest rows; the amounts' index only if these are too few. */
function amountPage(
  { limit, enough = limit, ...asked }: PaymentRequestPageQuery,
  bind: Bind,
): Source {
  const same = equalities(asked, bind);
  const wanted = [...amounts(asked, bind), ...statusConditions(asked, bind)];
  const within = range(asked, bind);
  const most = bind(limit);
  const lookedAt = bind(Math.min(limit * LOOKED_AT_FOR_ONE, MOST_LOOKED_AT));
  const parts = [
    `looked_at AS MATERIALIZED (
      SELECT created_at, id, amount_cents, status, expires_at FROM ${TABLE}
      WHERE ${[...same, ...within].join(' AND ')} ${NEWEST_FIRST} LIMIT ${lookedAt})`,
    `near AS MATERIALIZED (
      SELECT created_at, id FROM looked_at WHERE ${wanted.join(' AND ')}
      ${NEWEST_FIRST} LIMIT ${most})`,
    `border AS MATERIALIZED (
      SELECT created_at, id FROM looked_at ORDER BY created_at, id LIMIT 1)`,
    // Without ORDER BY here, the planner chooses the fastest way to all rows.
    `far AS MATERIALIZED (
      SELECT created_at, id FROM ${TABLE}
      WHERE (SELECT count(*) FROM near) < ${bind(enough)}
        AND (SELECT count(*) FROM looked_at) = ${lookedAt}
        AND (created_at, id) < ((SELECT created_at FROM border), (SELECT id FROM border))
        AND ${[...same, ...wanted, ...within].join(' AND ')})`,
    `page AS MATERIALIZED (
      SELECT * FROM (SELECT * FROM near UNION ALL
        (SELECT * FROM far ${NEWEST_FIRST} LIMIT ${most})) both_parts
      ${NEWEST_FIRST} LIMIT ${most})`,
  ];
  return { parts, rows: ROWS_OF_PAGE };
}

type Narrowed = Omit<PaymentRequestPageQuery, 'limit' | 'enough'>;

function isAmountRange({ amountMinCents, amountMaxCents }: PaymentRequestFilters): boolean {
  return amountMinCents !== amountMaxCents;
}

function equalities({ merchantId, filters }: Narrowed, bind: Bind): string[] {
  const { payerEmail, payerMobileNumber } = filters;
  const equal = (column: string, value: string | null) =>
    value === null ? [] : [`${column} = ${bind(value)}`];
  return [
    ...equal('merchant_id', merchantId),
    ...EQUALITY_FILTERS.flatMap((name) => equal(columnOf(FIELDS[name]), filters[name])),
    // Its index holds paid rows only, and a network reference pays one of them.
    ...equal('payment_network_reference', filters.networkReference),
    ...equal('short_code', filters.shortCode),
    // The expressions equal those of the indexes of 0005-payment-requests.sql.
    ...(payerEmail === null ? [] : [`lower(payer_email) = lower(${bind(payerEmail)})`]),
    ...(payerMobileNumber === null
      ? []
      : [
          `translate(payer_mobile_number, '+-() ', '') =
          translate(${bind(payerMobileNumber)}, '+-() ', '')`,
        ]),
  ];
}

function amounts({ filters: { amountMinCents, amountMaxCents } }: Narrowed, bind: Bind): string[] {
  if (amountMinCents !== null && amountMinCents === amountMaxCents) {
    return [`amount_cents = ${bind(amountMinCents)}`];
  }
  return [
    ...(amountMinCents === null ? [] : [`amount_cents >= ${bind(amountMinCents)}`]),
    ...(amountMaxCents === null ? [] : [`amount_cents <= ${bind(amountMaxCents)}`]),
  ];
}

/** The span of creation times that the page lies in. */
function range({ filters: { createdFrom, createdTo }, after }: Narrowed, bind: Bind): string[] {
  return [
    ...(createdFrom === null ? [] : [`created_at >= ${bind(createdFrom)}`]),
    ...(createdTo === null ? [] : [`created_at < ${bind(createdTo)}`]),
    ...(after === null ? [] : [`(created_at, id) < (${bind(after.createdAt)}, ${bind(after.id)})`]),
  ];
}

function statusConditions({ filters: { statuses }, now }: Narrowed, bind: Bind): string[] {
  if (statuses === null) return [];
  const expiry = expiryIn(statuses);
  const at = expiry === 'EITHER_WAY' ? '' : bind(now);
  const conditions = statuses.map((status) =>
    status === 'CREATED' && expiry === 'HIDDEN'
      ? `(status = '${status}' AND ${EXPIRES_AT} > ${at})`
      : `status = ${bind(status)}`,
  );
  if (expiry === 'ADDED') {
    conditions.push(`(status IN (${sqlListOf(canExpire)}) AND expires_at <= ${at})`);
  }
  return [`(${conditions.join(' OR ')})`];
}

/** With only one of CREATED and EXPIRED in the filter, an unwritten expiry changes sides. */
function expiryIn(statuses: readonly Status[]): 'ADDED' | 'HIDDEN' | 'EITHER_WAY' {
  const isCreatedAsked = statuses.includes('CREATED');
  if (isCreatedAsked === statuses.includes('EXPIRED')) return 'EITHER_WAY';
  return isCreatedAsked ? 'HIDDEN' : 'ADDED';
}
