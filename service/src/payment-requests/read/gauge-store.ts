import type { Statement } from '#database/database.ts';
import {
  canExpire,
  isInProgress,
  STATUS_FACTS,
  STATUSES,
  sqlListOf,
  type UnfinishedStatus,
} from '#payment-requests/model/statuses.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';
import { OPERATOR_CASES } from '#telemetry/metrics/network-metrics.ts';

/** Counted exactly up to here, in 2 ms; beyond it the partial index's estimate holds. */
const MOST_COUNTED = 10_000;
/** Payments under way take minutes; the oldest is among the first that were created. */
const MOST_PROCESSING = 1_000;

const IN_PROGRESS = sqlListOf(isInProgress);

/** Each part reads one partial index, in its order, so that no plan walks through the table. */
const OPEN_REQUESTS: Statement = {
  name: 'payment-request-gauges-open',
  text: `
    WITH created AS (
      SELECT count(*) AS number, min(expires_at) AS expires_at FROM (
        SELECT expires_at FROM payment_requests
        WHERE status IN (${sqlListOf(canExpire)}) ORDER BY expires_at LIMIT ${MOST_COUNTED}) first
    ), processing AS (
      SELECT count(*) AS number FROM (
        SELECT FROM payment_requests
        WHERE status IN (${IN_PROGRESS}) ORDER BY id LIMIT ${MOST_COUNTED}) first
    ), oldest AS (
      SELECT min(e.occurred_at) AS occurred_at FROM (
        SELECT id FROM payment_requests
        WHERE status IN (${IN_PROGRESS}) ORDER BY id LIMIT ${MOST_PROCESSING}) first
      JOIN payment_request_events e
        ON e.payment_request_id = first.id AND e.status IN (${IN_PROGRESS})
    )
    SELECT CASE WHEN created.number < ${MOST_COUNTED} THEN created.number
                ELSE greatest(created.number, estimate.number) END::float8 AS created,
           processing.number::float8 AS processing,
           coalesce(greatest(extract(epoch FROM service_now() - created.expires_at), 0), 0)::float8
             AS "overdueSeconds",
           coalesce(greatest(extract(epoch FROM service_now() - oldest.occurred_at), 0), 0)::float8
             AS "processingSeconds"
    FROM created CROSS JOIN processing CROSS JOIN oldest
    LEFT JOIN (SELECT reltuples AS number FROM pg_class
               WHERE oid = to_regclass('payment_requests_to_expire')) estimate ON true`,
};

const OPEN_CASES: Statement = {
  name: 'payment-request-gauges-cases',
  text: `
    SELECT kind, count(*)::float8 AS number,
           greatest(extract(epoch FROM service_now() - min(opened_at)), 0)::float8 AS seconds
    FROM (SELECT kind, opened_at FROM operator_cases WHERE closed_at IS NULL
          ORDER BY opened_at LIMIT ${MOST_COUNTED}) first
    GROUP BY kind`,
};

const UNFINISHED = STATUSES.filter((status) => !STATUS_FACTS[status].isOver);

const OPEN_REQUESTS_READING: DatabaseReading = {
  name: 'payment-requests',
  gauges: [
    {
      name: 'payment_requests_open',
      description: `Payment requests not over, by status; an estimate beyond ${MOST_COUNTED}.`,
      label: { name: 'status', values: UNFINISHED },
    },
    {
      name: 'payment_request_expiry_overdue_seconds',
      description: 'How long ago the expiry passed that should have been written first.',
    },
    {
      name: 'payment_request_processing_seconds',
      description: 'How long the oldest payment that is under way has been so.',
    },
  ],
  async read(executor) {
    type Row = Record<'created' | 'processing' | 'overdueSeconds' | 'processingSeconds', number>;
    const [row] = await executor.query<Row>(OPEN_REQUESTS);
    return {
      payment_requests_open: {
        CREATED: row?.created ?? Number.NaN,
        PROCESSING: row?.processing ?? Number.NaN,
      } satisfies Record<UnfinishedStatus, number>,
      payment_request_expiry_overdue_seconds: row?.overdueSeconds ?? Number.NaN,
      payment_request_processing_seconds: row?.processingSeconds ?? Number.NaN,
    };
  },
};

const OPEN_CASES_READING: DatabaseReading = {
  name: 'operator-cases',
  gauges: [
    {
      name: 'operator_cases_open',
      description: 'Cases that wait for a person at this moment, by kind.',
      label: { name: 'kind', values: OPERATOR_CASES },
    },
    {
      name: 'operator_case_oldest_open_seconds',
      description: 'How long the oldest open case has waited for a person, by kind.',
      label: { name: 'kind', values: OPERATOR_CASES },
    },
  ],
  async read(executor) {
    type Row = { kind: string; number: number; seconds: number };
    const rows = await executor.query<Row>(OPEN_CASES);
    return {
      operator_cases_open: Object.fromEntries(rows.map((row) => [row.kind, row.number])),
      operator_case_oldest_open_seconds: Object.fromEntries(
        rows.map((row) => [row.kind, row.seconds]),
      ),
    };
  },
};

/** How payment requests and operators' cases stand, as gauges. */
export const PAYMENT_REQUEST_READINGS: readonly DatabaseReading[] = [
  OPEN_REQUESTS_READING,
  OPEN_CASES_READING,
];
