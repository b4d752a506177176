import { NAMED_NETWORKS } from '#compose/networks.ts';
import type { LoopStep } from '#e-transfer/network-description.ts';
import { isInProgress, isOpen, sqlListOf } from '#payment-requests/model/statuses.ts';
import { countsRows } from './found-store.ts';

/** All work that a loop does at its time. Webhooks are apart. */
const STEPS: readonly LoopStep[] = [
  {
    name: 'sandbox step of',
    id: 'payment_request_id',
    table: 'sandbox_steps',
    isLeft: 'done_at IS NULL',
    dueAt: 'due_at',
  },
  {
    name: 'advance of',
    id: 'payment_request_id',
    table: 'sandbox_advances',
    // A new one may wait for two others of its merchant: it is late where nothing is under way.
    isLeft: `(claimed_until IS NOT NULL
      OR NOT EXISTS (SELECT FROM sandbox_advances WHERE claimed_until > service_now()))`,
    dueAt: 'coalesce(claimed_until, created_at)',
  },
  { name: 'refund', id: 'id', table: 'refunds', dueAt: 'next_poll_at' },
  {
    name: 'approved act',
    id: 'id',
    table: 'proposals',
    isLeft: `status = 'APPROVED'`,
    dueAt: 'tried_at',
  },
  {
    name: 'erasure of',
    id: 'payment_request_id',
    table: 'payer_erasures',
    dueAt: 'next_look_at',
  },
  ...NAMED_NETWORKS.flatMap(([name, { steps }]) =>
    steps.map((step) => ({
      ...step,
      isLeft: `(SELECT network FROM deployment) = '${name}' AND ${step.isLeft ?? true}`,
    })),
  ),
];

/** Steps that were due more than so many seconds ago, and that no loop has done. */
export const findOverdueSteps = countsRows(
  'doctor-find-overdue-steps',
  STEPS.map(
    ({ name, id, table, isLeft = 'true', dueAt }) => `
   SELECT '${name} ' || ${id} AS step FROM ${table}
   WHERE ${isLeft} AND ${dueAt} < service_now() - make_interval(secs => $1)`,
  ).join(' UNION ALL '),
);

/**
 * Open payment requests whose payment in the simulated network's books is over, unnoticed. A
 * payment that has yet to be reported is not over; a request whose expiry has passed is not open.
 */
export const findUnpayable = countsRows(
  'doctor-find-unpayable',
  `SELECT p.id::text FROM payment_requests p
   JOIN network_requests n ON n.payment_request_id = p.id
   JOIN gateway_payments g ON g.payment_request_id = p.id
   WHERE p.status IN (${sqlListOf(isOpen)}) AND p.expires_at > service_now()
     AND n.payment_over_at IS NULL
     AND g.state IN ('CANCELLED', 'REFUSED', 'SETTLED') AND g.report_due_at IS NULL
   ORDER BY p.id`,
);

/** Payment requests whose state the network should be asked for, and that no loop looks at. */
export const findUnwatched = countsRows(
  'doctor-find-unwatched',
  `SELECT p.id::text FROM payment_requests p
   JOIN network_requests n ON n.payment_request_id = p.id
   WHERE (p.status IN (${sqlListOf(isInProgress)})
          OR p.status IN (${sqlListOf(isOpen)}) AND p.expires_at > service_now())
     AND (n.next_look_at IS NULL
          OR n.next_look_at < service_now() - make_interval(secs => $1))
   ORDER BY p.id`,
);
