import type { Executor, Statement } from '#database/database.ts';
import { COLUMNS, FROM } from '#payment-requests/lookup/find-store.ts';
import { EQUALITY_FILTERS } from '#payment-requests/model/field-lists.ts';
import { FIELDS } from '#payment-requests/model/fields.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { columnOf, fromRow, type Row } from '#payment-requests/model/row.ts';
import type { Status } from '#payment-requests/model/statuses.ts';
import type { PaymentRequestFilters } from './filters.ts';
import type { ListPosition } from './list-cursor.ts';

export interface PageAsked {
  readonly merchantId: string;
  readonly filters: PaymentRequestFilters;
  /** Judges expiry: one that has passed by then counts as EXPIRED, written or not. */
  readonly now: Date;
  /** The last of the page before; null for the first page. */
  readonly after: ListPosition | null;
  /** How many to give at most. */
  readonly limit: number;
  /** With fewer than these a page may end early; only an empty one is the end. Default: `limit`. */
  readonly enough?: number;
}

const TABLE = 'payment_requests';

/** Newest first; the id tells those of one millisecond apart. */
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC';

/**
 * Of what is open nearly everything has yet to expire, of all rows hardly anything: the planner,
 * which knows only the latter, would gather all that is open off the timer's index. The sum keeps
 * that index out, and has the planner guess.
 */
const EXPIRES_AT = "(expires_at + interval '0')";

/**
 * Expiries that have passed and are not written yet, of all merchants. The timer writes them within
 * a second, so there are few; beyond these it is behind, and the slower way is taken.
 */
const MOST_UNWRITTEN = 1_000;

/**
 * A range of amounts and the order in time have no index in common. So many rows a row asked for
 * are looked at in the order of time; where that is not enough the range is rare, and its own index
 * finds all of it at once. The bounds keep the first look between some 2 and 20 ms.
 */
const LOOKED_AT_FOR_ONE = 100;
const MOST_LOOKED_AT = 10_000;

/**
 * A page of a merchant's payment requests, newest first (contract §4, List), as they are stored.
 * One statement and so one moment; what is added or moved meanwhile shifts nothing, because the
 * position is that of a row and its two parts never change.
 */
export async function findPaymentRequestPage(
  executor: Executor,
  asked: PageAsked,
): Promise<PaymentRequest[]> {
  const { statement, values } = paymentRequestPage(asked);
  return (await executor.query<Row>(statement, values)).map(fromRow);
}

/** The statement of a page, by the filters that are there; apart so that it can be explained. */
export function paymentRequestPage(asked: PageAsked): {
  readonly statement: Statement;
  readonly values: readonly unknown[];
} {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const parts = isAmountRange(asked.filters) ? amountPage(asked, bind) : orderedPage(asked, bind);
  const text = `WITH ${parts.join(',\n')}
    SELECT ${COLUMNS} ${FROM} JOIN page ON page.id = p.id
    ORDER BY page.created_at DESC, page.id DESC`;
  // Without a name: planned each time, for the values at hand. One plan for all values of a filter
  // is wrong for some, and hundreds of combinations would fill every connection's memory. Nor is
  // there one without a filter: made for the average of many small merchants, it sorts all that a
  // large one has.
  return { statement: { name: '', text }, values };
}

type Bind = (value: unknown) => string;

/** Every filter has an index in the order of the list: each status is a walk of its own. */
function orderedPage({ limit, ...asked }: PageAsked, bind: Bind): string[] {
  const conditions = [...equalities(asked, bind), ...amounts(asked, bind), ...range(asked, bind)];
  const most = bind(limit);
  const walk = (from: string, ...more: string[]) =>
    `(SELECT created_at, id FROM ${from}
      WHERE ${[...conditions, ...more].join(' AND ')} ${NEWEST_FIRST} LIMIT ${most})`;
  const { statuses } = asked.filters;
  if (statuses === null) return [`page AS MATERIALIZED ${walk(TABLE)}`];
  const expiry = expiryIn(statuses);
  const now = expiry === 'EITHER_WAY' ? '' : bind(asked.now);
  const walks = statuses.map((status) =>
    status === 'CREATED' && expiry === 'HIDDEN'
      ? walk(TABLE, "status = 'CREATED'", `${EXPIRES_AT} > ${now}`)
      : walk(TABLE, `status = ${bind(status)}`),
  );
  const due = `status = 'CREATED' AND expires_at <= ${now}`;
  if (expiry === 'ADDED') {
    // The second is run only where the first cannot have them all.
    const count = '(SELECT count(*) FROM unwritten)';
    walks.push(walk('unwritten', `${count} < ${MOST_UNWRITTEN}`));
    walks.push(walk(TABLE, due, `${count} >= ${MOST_UNWRITTEN}`));
  }
  return [
    // Ordered, so that the timer's index is used however many the planner thinks there are.
    ...(expiry === 'ADDED'
      ? [
          `unwritten AS MATERIALIZED (
            SELECT * FROM ${TABLE} WHERE ${due} ORDER BY expires_at LIMIT ${MOST_UNWRITTEN})`,
        ]
      : []),
    `page AS MATERIALIZED (
      SELECT * FROM (${walks.join('\nUNION ALL ')}) walks ${NEWEST_FIRST} LIMIT ${most})`,
  ];
}

/** First a bounded look at the newest rows; only where that is not enough, the amounts' index. */
function amountPage({ limit, enough = limit, ...asked }: PageAsked, bind: Bind): string[] {
  const same = equalities(asked, bind);
  const wanted = [...amounts(asked, bind), ...statusConditions(asked, bind)];
  const within = range(asked, bind);
  const most = bind(limit);
  const lookedAt = bind(Math.min(limit * LOOKED_AT_FOR_ONE, MOST_LOOKED_AT));
  return [
    `looked_at AS MATERIALIZED (
      SELECT created_at, id, amount_cents, status, expires_at FROM ${TABLE}
      WHERE ${[...same, ...within].join(' AND ')} ${NEWEST_FIRST} LIMIT ${lookedAt})`,
    `near AS MATERIALIZED (
      SELECT created_at, id FROM looked_at WHERE ${wanted.join(' AND ')}
      ${NEWEST_FIRST} LIMIT ${most})`,
    `border AS MATERIALIZED (
      SELECT created_at, id FROM looked_at ORDER BY created_at, id LIMIT 1)`,
    // Without an order inside, the planner takes what finds all of them soonest.
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
}

type Narrowed = Omit<PageAsked, 'limit' | 'enough'>;

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
    ...equal('short_code', filters.shortCode),
    // As the indexes of migration 0006 have them.
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

/** The part of the merchant's time that the page lies in. */
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
      ? `(status = 'CREATED' AND ${EXPIRES_AT} > ${at})`
      : `status = ${bind(status)}`,
  );
  if (expiry === 'ADDED') conditions.push(`(status = 'CREATED' AND expires_at <= ${at})`);
  return [`(${conditions.join(' OR ')})`];
}

/** Where only one of CREATED and EXPIRED is asked for, an unwritten expiry changes sides. */
function expiryIn(statuses: readonly Status[]): 'ADDED' | 'HIDDEN' | 'EITHER_WAY' {
  const isCreatedAsked = statuses.includes('CREATED');
  if (isCreatedAsked === statuses.includes('EXPIRED')) return 'EITHER_WAY';
  return isCreatedAsked ? 'HIDDEN' : 'ADDED';
}
