import { allRows, firstRowOrNull } from '#database/statements.ts';
import type { WaitingMovement } from '../../network-statements.ts';

/** An account that needs statements. */
export interface AccountRow {
  /** The IBAN that payers see. */
  readonly account: string;
  /** The account under which the bank's statements list it. */
  readonly listedAs: string;
  /** The first 12 hexadecimal digits of the IBAN's SHA-256: the label of its metrics. */
  readonly key: string;
  /** null: no statement of the account has come. */
  readonly lastStatementAt: Date | null;
  /** The last statement, else the first payment request that showed the account. */
  readonly since: Date;
  readonly now: Date;
}

/** Far more than a deployment has merchants; the longest silences come first. */
const MOST_ACCOUNTS = 1_000;
/** A transfer of the last minute arrives this late (the network's `slowestSettlement`). */
const SLOWEST = "interval '10 days'";
/** A bank may give Friday's statement on Tuesday. An older one is no sign of life. */
const LATEST_DAYS = 4;

/**
 * The current account of a merchant waits for 10 days after the last payment request that showed
 * it. A former account waits only while a payment request without its money may still get it. Money
 * that is WAITING, and a refund that is SENT, need a statement, too. A closed account waits for
 * nothing. Before the first statement no payment request is PAID: a partial index has them all.
 * A `max` is one step of an index for each account; `EXISTS` may read every open payment request.
 */
const expectedBetween = (start: string, end: string) => `
  SELECT x.key AS account, x.listed AS "listedAs",
    left(encode(sha256(convert_to(x.key, 'UTF8')), 'hex'), 12) AS key,
    l.at AS "lastStatementAt",
    coalesce(l.at,
             (SELECT min(r.created_at) FROM bank_transfer_requests r
              WHERE r.account_id = ANY (x.versions) AND r.state <> 'PAID'),
             x.created_at) AS since,
    service_now() AS now
  FROM (
    SELECT a.key, coalesce(i.statement_account, a.key) AS listed,
      array_agg(a.id) AS versions, min(a.created_at) AS created_at
    FROM creditor_accounts a JOIN creditor_account_keys i ON i.key = a.key
    WHERE (a.closed_at IS NULL OR a.closed_at > ${start})
      AND ((a.replaced_at IS NULL OR a.replaced_at > ${start})
           AND (SELECT max(r.expires_at) FROM bank_transfer_requests r
                WHERE r.account_id = a.id AND r.created_at <= ${end}) > ${start} - ${SLOWEST}
           OR (SELECT max(r.expires_at) FROM bank_transfer_requests r
               WHERE r.account_id = a.id AND r.state <> 'PAID' AND r.created_at <= ${end}
                 AND (r.cancelled_at IS NULL OR r.cancelled_at > ${start} - ${SLOWEST}))
              > ${start} - ${SLOWEST}
           OR EXISTS (SELECT FROM bank_refunds b WHERE b.account_id = a.id AND b.state = 'SENT'
                        AND b.created_at <= ${end})
           OR EXISTS (SELECT FROM bank_movements m
                      WHERE m.account = a.key AND m.outcome = 'WAITING'
                        AND m.created_at <= ${end}))
    GROUP BY a.key, i.statement_account) x
  LEFT JOIN LATERAL (
    SELECT least(f.received_at, (s.day + ${LATEST_DAYS})::timestamp AT TIME ZONE 'UTC') AS at
    FROM bank_statements s JOIN bank_files f ON f.id = s.file_id
    WHERE s.account = x.listed AND s.day <= service_now()::date + 1
      AND f.state IN ('STAGED', 'COMPLETE')
    ORDER BY s.day DESC, f.received_at DESC LIMIT 1) l ON true
  ORDER BY since, account LIMIT ${MOST_ACCOUNTS}`;

/** The accounts that need statements now, those without one for the longest time first. */
export const findExpectedAccounts = allRows<AccountRow>(
  'bank-accounts-find-expected',
  expectedBetween('service_now()', 'service_now()'),
);

/** The accounts that needed statements at a moment between both instants. */
export const findExpectedBetween = allRows<AccountRow, [start: Date, end: Date]>(
  'bank-accounts-find-expected-of-day',
  expectedBetween('$1::timestamptz', '$2::timestamptz'),
);

/** @returns the movement that is WAITING for the longest time; null: none is */
export const findLongestWait = firstRowOrNull<WaitingMovement>(
  'bank-movements-find-longest-wait',
  `SELECT account, booking_date::text AS "bookingDay",
     extract(epoch FROM service_now() - created_at)::float8 AS seconds
   FROM bank_movements WHERE outcome = 'WAITING' ORDER BY created_at LIMIT 1`,
);
