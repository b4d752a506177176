import { allRows, firstValue } from '#database/statements.ts';
import type { KnownStatement, StatementGap } from '../../network-statements.ts';

/**
 * The newest gaps between the bank's statements, and statements whose entries do not add up.
 *
 * Statements of the day's end by account, a repeated one once, each with the balance before it. A
 * bank that states no balance is not compared.
 */
export const findStatementGaps = allRows<StatementGap, [most: number]>(
  'doctor-find-statement-gaps',
  `WITH statements AS (
     SELECT DISTINCT ON (s.account, s.day, s.opening_cents, s.closing_cents, s.bank_id)
            s.account, s.day, s.opening_cents, s.closing_cents, s.entries_cents
     FROM bank_statements s JOIN bank_files f ON f.id = s.file_id
     WHERE s.kind = 'camt.053' AND s.day IS NOT NULL AND f.state IN ('STAGED', 'COMPLETE')
   ), ordered AS (
     SELECT *, lag(closing_cents) OVER (PARTITION BY account ORDER BY day) AS before_cents
     FROM statements
   )
   SELECT right(account, 4) AS "accountEnd", day::text AS day,
          opening_cents + entries_cents <> closing_cents AS "isUnbalanced"
   FROM ordered
   WHERE before_cents <> opening_cents OR opening_cents + entries_cents <> closing_cents
   ORDER BY day DESC LIMIT $1`,
);

/** Files of the last 30 days. */
export const countRefusedFiles = firstValue<number>(
  'doctor-count-refused-files',
  `SELECT count(*) AS refused FROM bank_files
   WHERE state = 'REFUSED' AND received_at > service_now() - interval '30 days'`,
  0,
);

/** Files of the last 30 days of which entries do not count; an archive’s are files of their own. */
export const findWithheldFiles = allRows<
  { id: string; withheld: readonly string[] },
  [most: number]
>(
  'doctor-find-withheld-files',
  `SELECT id::text, withheld FROM bank_files
   WHERE withheld IS NOT NULL AND kind <> 'archive'
     AND received_at > service_now() - interval '30 days'
   ORDER BY received_at DESC LIMIT $1`,
);

/** The last complete statement of each account. */
export const listStatements = allRows<KnownStatement>(
  'restore-check-statements',
  `SELECT right(a.key, 4) AS "accountEnd", max(s.day)::text AS "lastDay"
   FROM creditor_account_keys a LEFT JOIN bank_statements s ON s.account = a.key
     AND s.kind = 'camt.053'
     AND EXISTS (SELECT FROM bank_files f WHERE f.id = s.file_id AND f.state = 'COMPLETE')
   GROUP BY a.key ORDER BY a.key`,
);
