import type { Executor, Statement } from '#database/database.ts';

/**
 * Statements of the day's end by account, a repeated one once, each with the balance before it. A
 * bank that states no balance is not compared.
 */
const FIND_GAPS: Statement = {
  name: 'doctor-find-statement-gaps',
  text: `
    WITH statements AS (
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
};

const FIND_STATE: Statement = {
  name: 'doctor-find-statement-state',
  text: `SELECT d.network, (SELECT count(*) FROM bank_files WHERE state = 'REFUSED'
              AND received_at > service_now() - interval '30 days') AS refused
         FROM deployment d`,
};

export interface StatementGap {
  /** The last four characters of the IBAN. */
  readonly accountEnd: string;
  readonly day: string;
  /** The entries do not lead from the opening to the closing balance. */
  readonly isUnbalanced: boolean;
}

export interface StatementState {
  readonly network: string | null;
  /** Files of the last 30 days. */
  readonly refused: number;
}

/** The newest gaps between the bank's statements, and statements whose entries do not add up. */
export function findStatementGaps(db: Executor, most: number): Promise<StatementGap[]> {
  return db.query(FIND_GAPS, [most]);
}

export async function findStatementState(db: Executor): Promise<StatementState> {
  const [row] = await db.query<StatementState>(FIND_STATE);
  return row ?? { network: null, refused: 0 };
}
