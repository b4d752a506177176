import { NAMED_NETWORKS } from '#compose/networks.ts';
import type { Executor, Statement } from '#database/database.ts';
import type { LoopStep } from '#e-transfer/network-description.ts';
import { type Found, MOST_COUNTED } from './delivery-store.ts';

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

const FIND_OVERDUE_STEPS: Statement = {
  name: 'doctor-find-overdue-steps',
  text: `
    SELECT count(*) AS count, (array_agg(step))[1:5] AS examples FROM (
      ${STEPS.map(
        ({ name, id, table, isLeft = 'true', dueAt }) => `
      SELECT '${name} ' || ${id} AS step FROM ${table}
      WHERE ${isLeft} AND ${dueAt} < service_now() - make_interval(secs => $1)`,
      ).join(' UNION ALL ')}
      LIMIT ${MOST_COUNTED}) overdue`,
};

/** Steps that were due more than `seconds` ago, and that no loop has done. */
export async function findOverdueSteps(db: Executor, seconds: number): Promise<Found> {
  const [row] = await db.query<Found>(FIND_OVERDUE_STEPS, [seconds]);
  return row ?? { count: 0, examples: null };
}
