import { NAMED_NETWORKS } from '#compose/networks.ts';
import type { LoopStep } from '#e-transfer/network-description.ts';
import { countsRows } from '../found-store.ts';

/** All work that a loop does at its time. Webhooks are apart. */
const STEPS: readonly LoopStep[] = [
  {
    name: 'sandbox step of',
    id: 'payment_request_id',
    table: 'sandbox_steps',
    isLeft: 'done_at IS NULL',
    dueAt: 'due_at',
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
