import { firstRowOr, valuesOf } from '#database/statements.ts';

/** More waits in a disaster alone, and a person then works through the list, not by its number. */
const MOST_COUNTED = 1_000;

/** The work of each kind that waits; 0 where the person may not see it. */
export interface CountedWork {
  readonly approvals: number;
  readonly failingEndpoints: number;
  readonly cases: number;
  readonly allCases: number;
  readonly unmatched: number;
  /** Payment files that wait for a release, or for the bank's word. */
  readonly paymentFiles: number;
  /** Files of a bank whose entries count in part. */
  readonly bankFiles: number;
}

export interface WorkQuery {
  /** The merchants whose proposals the person may see; null: all. */
  readonly approvalsOf: readonly string[] | null;
  /** null: no merchant's endpoints are shown. */
  readonly endpointsOf: string | null;
  readonly casesOf: string | null;
  /** Whether the cases of all merchants are shown. */
  readonly hasAllCases: boolean;
  readonly now: Date;
}

/**
 * Counts what waits for a person, up to 1,000 of each kind.
 *
 * Each part reads a partial index of open rows, or the endpoints of one merchant: 50 at most.
 */
export const countWork = firstRowOr<CountedWork, [asked: WorkQuery]>(
  'console-work-count',
  `SELECT
    (SELECT count(*)::int FROM (
       SELECT FROM proposals WHERE status = 'WAITING' AND expires_at > $5
         AND ($1::text[] IS NULL OR (kind = 'REFUND' AND merchant_id = ANY ($1)))
       LIMIT ${MOST_COUNTED}) waiting) AS approvals,
    (SELECT count(*)::int FROM webhook_endpoints e
       JOIN webhook_destinations w ON w.destination = e.id::text AND w.opened_at IS NOT NULL
     WHERE e.merchant_id = $2 AND e.deleted_at IS NULL AND e.status = 'ACTIVE')
      AS "failingEndpoints",
    (SELECT count(*)::int FROM (
       SELECT FROM operator_cases WHERE closed_at IS NULL AND merchant_id = $3
       LIMIT ${MOST_COUNTED}) own) AS cases,
    (SELECT count(*)::int FROM (
       SELECT FROM bank_payment_files
       WHERE $4::boolean AND written_at IS NULL AND connection IS NOT NULL
         AND (released_at IS NULL OR unclear_at IS NOT NULL)
       LIMIT ${MOST_COUNTED}) held) AS "paymentFiles",
    (SELECT count(*)::int FROM (
       SELECT FROM bank_files
       WHERE $4::boolean AND withheld IS NOT NULL AND kind <> 'archive'
         AND received_at > $5::timestamptz - interval '30 days'
       LIMIT ${MOST_COUNTED}) part) AS "bankFiles",
    every.cases AS "allCases", every.unmatched
  FROM (
    SELECT count(*)::int AS cases, (count(*) FILTER (
      WHERE kind <> 'REFUNDED_OUTSIDE'
        AND coalesce(details ->> 'arrivedCents', details ->> 'receivedCents')::bigint > 0
      ))::int AS unmatched
    FROM (SELECT kind, details FROM operator_cases WHERE $4::boolean AND closed_at IS NULL
          LIMIT ${MOST_COUNTED}) open) every`,
  {
    ...{ approvals: 0, failingEndpoints: 0, cases: 0, allCases: 0, unmatched: 0 },
    ...{ paymentFiles: 0, bankFiles: 0 },
  },
  valuesOf('approvalsOf', 'endpointsOf', 'casesOf', 'hasAllCases', 'now'),
);
