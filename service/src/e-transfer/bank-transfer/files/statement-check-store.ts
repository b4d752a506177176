import type { Executor } from '#database/database.ts';

export interface StatementFaults {
  readonly statementId: string;
  /** Opening balance and entries are not the closing balance. */
  readonly isUnbalanced: boolean;
  /** An earlier number of the account is there, and the one before this is not. */
  readonly hasGap: boolean;
  /** Movements of the statement's day that only other messages have told of. */
  readonly missing: number;
}

/** A number with other characters than digits, or one that begins anew in a year, is no gap. */
const FIND_FAULTS = {
  name: 'bank-statements-find-faults',
  text: `SELECT s.id AS "statementId",
           coalesce(s.opening_cents + s.entries_cents <> s.closing_cents, false)
             AS "isUnbalanced",
           coalesce(n.number > 1
             AND EXISTS (SELECT FROM bank_statements b
                         WHERE b.account = s.account AND b.kind = s.kind AND b.day < s.day)
             AND NOT EXISTS (SELECT FROM bank_statements b
                             WHERE b.account = s.account AND b.kind = s.kind
                               AND b.day > s.day - 370
                               AND ltrim(b.sequence_number, '0') = (n.number - 1)::text), false)
             AS "hasGap",
           (SELECT count(*) FROM bank_movements m
            WHERE m.account = s.account AND m.booking_date = s.day AND NOT m.is_in_statement)::int
             AS missing
         FROM bank_statements s
         CROSS JOIN LATERAL (
           SELECT CASE WHEN s.sequence_number ~ '^[0-9]{1,15}$'
                       THEN s.sequence_number::bigint END AS number) AS n
         WHERE s.file_id = $1 AND s.kind = 'camt.053'`,
};

/** Finds the faults in the camt.053 statements of a file. */
export function findStatementFaults(db: Executor, fileId: string): Promise<StatementFaults[]> {
  return db.query<StatementFaults>(FIND_FAULTS, [fileId]);
}
