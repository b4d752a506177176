import { allRows } from '#database/statements.ts';

export interface StatementFaults {
  readonly statementId: string;
  /** Opening balance and entries are not the closing balance. */
  readonly isUnbalanced: boolean;
  /** An earlier number of the account is there, and the one before this is not. */
  readonly hasGap: boolean;
  /**
   * Movements that only other messages have told of: those of the statement's day, or those of a
   * later notice about a day whose statement is there.
   */
  readonly missing: number;
}

/**
 * Finds the faults of a file's statements; balances and numbers count in a camt.053 alone.
 *
 * A number with other characters than digits, or one that restarts each year, is no gap.
 */
export const findStatementFaults = allRows<StatementFaults, [fileId: string]>(
  'bank-statements-find-faults',
  `SELECT s.id AS "statementId",
     coalesce(d.is_of_day AND s.opening_cents + s.entries_cents <> s.closing_cents, false)
       AS "isUnbalanced",
     coalesce(d.is_of_day AND n.number > 1
       AND EXISTS (SELECT FROM bank_statements b
                   WHERE b.account = s.account AND b.kind = s.kind
                     AND b.sequence_number IS NOT NULL
                     AND (b.day < s.day OR b.day = s.day AND
                       b.sequence_number ~ '^[0-9]{1,15}$'
                       AND lpad(b.sequence_number, 15, '0')
                         < lpad(s.sequence_number, 15, '0')))
       AND NOT EXISTS (SELECT FROM bank_statements b
                       WHERE b.account = s.account AND b.kind = s.kind
                         AND b.day > s.day - 370
                         AND ltrim(b.sequence_number, '0') = (n.number - 1)::text), false)
       AS "hasGap",
     CASE WHEN d.is_of_day THEN
       (SELECT count(*) FROM bank_movements m
        WHERE m.account = s.account AND m.booking_date = s.day AND NOT m.is_in_statement)
     ELSE
       (SELECT count(DISTINCT m.id)
        FROM bank_entries e JOIN bank_movements m ON m.id = e.movement_id
        WHERE e.statement_id = s.id AND NOT m.is_in_statement
          AND EXISTS (SELECT FROM bank_statements b JOIN bank_files f ON f.id = b.file_id
                      WHERE b.account = s.account AND b.kind = 'camt.053'
                        AND b.day = m.booking_date AND f.state = 'COMPLETE'))
     END::int AS missing
   FROM bank_statements s
   CROSS JOIN LATERAL (SELECT s.kind = 'camt.053' AS is_of_day) AS d
   CROSS JOIN LATERAL (
     SELECT CASE WHEN s.sequence_number ~ '^[0-9]{1,15}$'
                 THEN s.sequence_number::bigint END AS number) AS n
   WHERE s.file_id = $1`,
);
