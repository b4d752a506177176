import { COMMIT_BOUNDS } from '#database/commit-order/commit-cursor.ts';
import type { Executor, Statement } from '#database/database.ts';
import { firstRowOrNull } from '#database/statements.ts';
import { TYPES_OF_FLOW } from '#ledger/model/entry.ts';
import { isInProgress, sqlListOf, sqlListReachedBy } from '#payment-requests/model/statuses.ts';
import { ALL_MERCHANTS, COUNTERS } from './model/counters.ts';
import { sqlTimeClass } from './model/time-classes.ts';

/** The quarter of an hour of UTC: midnights of all time zones lie between two quarters. */
const quarterOf = (at: string) => `date_bin('15 minutes', ${at}, 'epoch')`;

/**
 * Adds the rows of `facts` to the quarters of their merchants and to those of all merchants.
 * `facts` has merchant_id, at, counter, amount and seconds, the time to pay of a payment. Facts of
 * the same quarter become one row first, so that later steps handle a few rows.
 * $1: the number of the run.
 */
const ADD_FACTS = `
  quarters AS MATERIALIZED (
    SELECT merchant_id, ${quarterOf('at')} AS quarter, counter, sum(amount) AS amount,
           CASE WHEN counter = 'paid' THEN ${sqlTimeClass('seconds')} END AS time_class
    FROM facts GROUP BY 1, 2, 3, 5
  ), owned AS MATERIALIZED (
    SELECT owner.id AS merchant_id, quarter, counter, amount, time_class
    FROM quarters, LATERAL (VALUES (quarters.merchant_id), ('${ALL_MERCHANTS}')) owner (id)
    WHERE owner.id IS NOT NULL
  ), added AS (
    INSERT INTO payment_counters AS c (merchant_id, quarter, ${COUNTERS.join(', ')})
    SELECT merchant_id, quarter, ${COUNTERS.map(sumOf).join(',\n      ')}
    FROM owned GROUP BY merchant_id, quarter
    ON CONFLICT (merchant_id, quarter) DO UPDATE SET
      ${COUNTERS.map((name) => `${name} = c.${name} + excluded.${name}`).join(',\n      ')}
  ), timed AS (
    INSERT INTO payment_counter_times AS t (merchant_id, quarter, time_class, paid)
    SELECT merchant_id, quarter, time_class, sum(amount)
    FROM owned WHERE counter = 'paid' GROUP BY 1, 2, 3
    ON CONFLICT (merchant_id, quarter, time_class) DO UPDATE SET paid = t.paid + excluded.paid
  ), numbered AS (
    INSERT INTO payment_counter_versions (merchant_id, version)
    SELECT DISTINCT merchant_id, $1::bigint FROM owned
    ON CONFLICT (merchant_id) DO UPDATE SET version = excluded.version
  )`;

function sumOf(counter: string): string {
  return `coalesce(sum(amount) FILTER (WHERE counter = '${counter}'), 0)`;
}

const IS_PAID = `IN (${sqlListReachedBy('PAYMENT_SUCCEEDED')})`;

/**
 * The facts of status changes. The quarter of a payment counts it. The quarter of the payment
 * request's creation counts its present status: the first end, and instead of it a late payment.
 */
const EVENT_FACTS = `
    SELECT p.merchant_id, e.occurred_at AS at, 'paid' AS counter, 1 AS amount,
           extract(epoch FROM e.occurred_at - p.created_at)::float8 AS seconds
    FROM event_page e JOIN payment_requests p ON p.id = e.payment_request_id
    WHERE e.status ${IS_PAID}
    UNION ALL
    SELECT p.merchant_id, p.created_at,
           CASE WHEN e.status ${IS_PAID} THEN 'completed' ELSE lower(e.status) END, 1, NULL
    FROM event_page e JOIN payment_requests p ON p.id = e.payment_request_id
    WHERE e.status NOT IN (${sqlListOf(isInProgress)})
    UNION ALL
    SELECT p.merchant_id, p.created_at, lower(ended.status), -1, NULL
    FROM event_page e JOIN payment_requests p ON p.id = e.payment_request_id AND p.paid_late
    JOIN LATERAL (
      SELECT status FROM payment_request_moves earlier
      WHERE earlier.payment_request_id = p.id AND earlier.position < e.position
      ORDER BY earlier.position DESC LIMIT 1) ended ON true
    WHERE e.status ${IS_PAID}`;

/** A transfer by the payer's own bank is confirmed by saying that it was sent. */
const stepOf = (note: string) => `CASE
    WHEN ${note}.type = 'LINK_OPENED' THEN 'opened'
    WHEN ${note}.details->>'step' IN ('CONFIRMED', 'TRANSFER_SENT') THEN 'confirmed'
    WHEN ${note}.details->>'step' = 'INSTITUTION_CHOSEN' THEN 'institution_chosen'
    WHEN ${note}.details->>'step' = 'SIGNED_IN' THEN 'signed_in' END`;

/**
 * The facts of payers' steps: the first note of each step of a payment request. Earlier
 * transactions are over, so that a note stays the first.
 */
const NOTE_FACTS = `
    SELECT p.merchant_id, p.created_at AS at, ${stepOf('n')} AS counter, 1 AS amount,
           NULL::float8 AS seconds
    FROM note_page n JOIN payment_requests p ON p.id = n.payment_request_id
    WHERE ${stepOf('n')} IS NOT NULL AND NOT EXISTS (
      SELECT FROM payment_request_timeline o
      WHERE o.payment_request_id = n.payment_request_id AND o.type = n.type
        AND ${stepOf('o')} = ${stepOf('n')}
        AND (o.transaction_id, o.id) < (n.transaction_id, n.id))`;

/** The last row of the page, and whether more may follow; no row: nothing was left. */
const lastOf = (page: string, columns: string, rows: number) => `
  SELECT ${columns}, (SELECT count(*) FROM ${page}) = ${rows} AS "isFull"
  FROM ${page}`;

/**
 * Ends the rows of a source: its index has the order of transactions, and no order within them. A
 * page with the rest of its last transaction is read in the index's order, and nothing behind it.
 */
const inOrder = (transaction: string, rows: number) =>
  `ORDER BY ${transaction} FETCH FIRST ${rows} ROWS WITH TIES`;

/** A creation's row has its merchant, so that no payment request is looked up. */
const countEvents = (rows: number) => ({
  name: `payment-counters-count-events-${rows}`,
  text: `${COMMIT_BOUNDS}, page AS MATERIALIZED (
    SELECT found.* FROM bounds, payment_counter_progress place, LATERAL (
      (SELECT creation_transaction AS transaction_id, id AS payment_request_id,
         1::smallint AS position, 'CREATED' AS status, created_at AS occurred_at, merchant_id
       FROM payment_requests
       WHERE creation_transaction >= place.event_transaction AND creation_transaction > '0'
         AND creation_transaction < bounds.oldest_running
         AND (creation_transaction, id, 1::smallint)
             > (place.event_transaction, place.event_request, place.event_position)
       ${inOrder('creation_transaction', rows)})
      UNION ALL
      (SELECT transaction_id, payment_request_id, position, status, occurred_at, NULL
       FROM payment_request_moves
       WHERE transaction_id >= place.event_transaction AND transaction_id > '0'
         AND transaction_id < bounds.oldest_running
         AND (transaction_id, payment_request_id, position)
             > (place.event_transaction, place.event_request, place.event_position)
       ${inOrder('transaction_id', rows)})) found
    ORDER BY transaction_id, payment_request_id, position LIMIT ${rows}
  ), event_page AS (SELECT * FROM page WHERE merchant_id IS NULL
  ), facts AS (${EVENT_FACTS}
    UNION ALL
    SELECT merchant_id, ${quarterOf('occurred_at')}, 'created', count(*), NULL
    FROM page WHERE merchant_id IS NOT NULL GROUP BY 1, 2
  ), ${ADD_FACTS}, last AS (
    ${lastOf('page', 'transaction_id, payment_request_id, position', rows)}
    ORDER BY transaction_id DESC, payment_request_id DESC, position DESC LIMIT 1
  )
  UPDATE payment_counter_progress SET version = $1, event_transaction = last.transaction_id,
    event_request = last.payment_request_id, event_position = last.position
  FROM last RETURNING last."isFull"`,
});

const countNotes = (rows: number) => ({
  name: `payment-counters-count-notes-${rows}`,
  text: `${COMMIT_BOUNDS}, note_page AS MATERIALIZED (
    SELECT found.* FROM bounds, payment_counter_progress place, LATERAL (
      SELECT n.transaction_id, n.id, n.payment_request_id, n.type, n.details
      FROM payment_request_timeline n
      WHERE n.transaction_id >= place.note_transaction AND n.transaction_id > '0'
        AND n.transaction_id < bounds.oldest_running
        AND (n.transaction_id, n.id) > (place.note_transaction, place.note_id)
      ${inOrder('n.transaction_id', rows)}) found
    ORDER BY transaction_id, id LIMIT ${rows}
  ), facts AS (${NOTE_FACTS}
  ), ${ADD_FACTS}, last AS (
    ${lastOf('note_page', 'transaction_id, id', rows)} ORDER BY transaction_id DESC, id DESC LIMIT 1
  )
  UPDATE payment_counter_progress SET version = $1, note_transaction = last.transaction_id,
    note_id = last.id
  FROM last RETURNING last."isFull"`,
});

const IS_BACK = `type IN (${TYPES_OF_FLOW.back.map((type) => `'${type}'`).join(', ')})`;

/** The part of the received money that an entry belongs to. */
const PART_OF_RECEIVED = `CASE
    WHEN type IN ('PAYMENT', 'LATE_PAYMENT') OR type = 'ASSIGNED' AND has_request THEN 'paid_cents'
    WHEN type = 'PART_PAYMENT' THEN 'part_cents'
    WHEN type IN ('SECOND_PAYMENT', 'UNMATCHED', 'ASSIGNED') THEN 'waiting_cents'
    ELSE 'corrected_cents' END`;

/** Every entry of the ledger is in one of three sums, so that the sums balance like the ledger. */
const countEntries = (rows: number) => ({
  name: `payment-counters-count-entries-${rows}`,
  text: `${COMMIT_BOUNDS}, entry_page AS MATERIALIZED (
    SELECT found.* FROM bounds, payment_counter_progress place, LATERAL (
      SELECT l.transaction_id, l.position, l.merchant_id, l.amount_cents, l.created_at,
        l.payment_request_id IS NOT NULL AS has_request, l.type
      FROM ledger_entries l
      WHERE l.transaction_id < bounds.oldest_running
        AND (l.transaction_id, l.position) > (place.entry_transaction, place.entry_position)
      ORDER BY l.transaction_id, l.position LIMIT ${rows}) found
  ), facts AS (
    SELECT merchant_id, created_at AS at, NULL::float8 AS seconds,
      CASE WHEN type = 'RETURN' THEN 'returned_cents'
           WHEN ${IS_BACK} THEN 'refunded_cents' ELSE 'received_cents' END AS counter,
      CASE WHEN ${IS_BACK} THEN -amount_cents ELSE amount_cents END AS amount
    FROM entry_page
    UNION ALL
    SELECT merchant_id, created_at, NULL, ${PART_OF_RECEIVED}, amount_cents
    FROM entry_page WHERE NOT ${IS_BACK}
  ), ${ADD_FACTS}, last AS (
    ${lastOf('entry_page', 'transaction_id, position', rows)}
    ORDER BY transaction_id DESC, position DESC LIMIT 1
  )
  UPDATE payment_counter_progress SET version = $1, entry_transaction = last.transaction_id,
    entry_position = last.position
  FROM last RETURNING last."isFull"`,
});

/** Rows of a restored dump have the transaction 0; no new row has (docs/operations/backup.md). */
const countHistory = (rows: number) => ({
  name: `payment-counters-count-history-${rows}`,
  text: `WITH request_page AS MATERIALIZED (
    SELECT p.id FROM payment_requests p
    WHERE p.id < (SELECT history_from FROM payment_counter_progress)
    ORDER BY p.id DESC LIMIT ${rows}
  ), event_page AS MATERIALIZED (
    SELECT e.* FROM request_page r
    JOIN payment_request_events e ON e.payment_request_id = r.id AND e.transaction_id = '0'
  ), note_page AS MATERIALIZED (
    SELECT n.* FROM request_page r JOIN payment_request_timeline n
      ON n.payment_request_id = r.id AND n.transaction_id = '0'
  ), facts AS (${EVENT_FACTS}
    UNION ALL ${NOTE_FACTS}
  ), ${ADD_FACTS}, last AS (
    SELECT (SELECT id FROM request_page ORDER BY id LIMIT 1) AS id,
           (SELECT count(*) FROM request_page)= ${rows} AS "isFull"
  )
  UPDATE payment_counter_progress SET version = $1,
    history_from = coalesce(last.id, history_from),
    history_ended_at = CASE WHEN NOT last."isFull" THEN service_now() END
  FROM last RETURNING last."isFull"`,
});

/** The sources of facts. */
export type Source = 'events' | 'notes' | 'entries' | 'history';
type Statements = Readonly<Record<Source, Statement>>;

/**
 * The number of rows stands in the text: PostgreSQL plans an unknown number for a tenth of a table,
 * and then reads whole tables for each page.
 */
function statementsOf(rows: number): Statements {
  return {
    events: countEvents(rows),
    notes: countNotes(rows),
    entries: countEntries(rows),
    history: countHistory(rows),
  };
}

const made = new Map<number, Statements>();

export interface CountingClaim {
  readonly version: number;
  /** All rows of a restored dump are counted. */
  readonly hasHistory: boolean;
}

/**
 * Claims the counting until the transaction ends. @returns null: another process counts
 *
 * A single process counts; the others come back at their next turn.
 */
export const claimCounting = firstRowOrNull<CountingClaim>(
  'payment-counters-claim',
  `SELECT version, history_ended_at IS NOT NULL AS "hasHistory"
   FROM payment_counter_progress FOR UPDATE SKIP LOCKED`,
);

export interface Page {
  /** The number of the run. */
  readonly version: number;
  readonly rows: number;
}

/**
 * Counts a page of a source, and moves the source's place behind the page.
 * @returns whether more may be left
 */
export async function countPage(
  tx: Executor,
  source: Source,
  { version, rows }: Page,
): Promise<boolean> {
  const statements = made.get(rows) ?? statementsOf(rows);
  made.set(rows, statements);
  const [row] = await tx.query<{ isFull: boolean }>(statements[source], [version]);
  return row?.isFull ?? false;
}
