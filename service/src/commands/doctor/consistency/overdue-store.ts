import type { Executor, Statement } from '#database/database.ts';
import { IS_RESTORE_OPEN } from '#database/restores/restore-store.ts';
import { type Found, MOST_COUNTED } from './delivery-store.ts';

const IS_NETWORK = (name: string) => `(SELECT network FROM deployment) = '${name}'`;
const IS_SIMULATED = IS_NETWORK('simulated');
const IS_BANK = IS_NETWORK('bank-transfer');

interface Step {
  /** Names the work, before its id. */
  readonly name: string;
  readonly id: string;
  readonly table: string;
  /** Each condition has a partial index, so that a look costs by the steps that are left. */
  readonly isLeft: string;
  readonly dueAt: string;
}

/** All work that a loop does at its time; a claim puts the time off. Webhooks are apart. */
const STEPS: readonly Step[] = [
  {
    name: 'sandbox step of',
    id: 'payment_request_id',
    table: 'sandbox_steps',
    isLeft: 'done_at IS NULL',
    dueAt: 'due_at',
  },
  { name: 'refund', id: 'id', table: 'refunds', isLeft: 'true', dueAt: 'next_poll_at' },
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
    isLeft: 'true',
    dueAt: 'next_look_at',
  },
  {
    name: 'report of',
    id: 'payment_request_id',
    table: 'gateway_payments',
    isLeft: IS_SIMULATED,
    dueAt: 'report_due_at',
  },
  {
    name: 'settlement of',
    id: 'payment_request_id',
    table: 'gateway_payments',
    isLeft: `${IS_SIMULATED} AND state = 'ACCEPTED'`,
    dueAt: 'settles_at',
  },
  {
    name: 'return of',
    id: 'payment_request_id',
    table: 'gateway_payments',
    isLeft: IS_SIMULATED,
    dueAt: 'returns_at',
  },
  {
    name: 'refund at the network',
    id: 'refund_id',
    table: 'gateway_refunds',
    isLeft: IS_SIMULATED,
    dueAt: 'due_at',
  },
  {
    name: 'bank file',
    id: 'id',
    table: 'bank_files',
    isLeft: `${IS_BANK} AND state IN ('RECEIVED', 'STAGED')`,
    dueAt: 'received_at',
  },
  {
    name: 'report of the movement',
    id: 'id',
    table: 'bank_movements',
    isLeft: `${IS_BANK} AND reported_at IS NULL AND outcome <> 'WAITING'`,
    dueAt: 'created_at',
  },
  {
    name: 'payment file',
    id: 'message_id',
    table: 'bank_payment_files',
    // A restore holds the files until an operator releases it.
    isLeft: `${IS_BANK} AND written_at IS NULL AND NOT ${IS_RESTORE_OPEN}`,
    dueAt: 'created_at',
  },
];

const FIND_OVERDUE_STEPS: Statement = {
  name: 'doctor-find-overdue-steps',
  text: `
    SELECT count(*) AS count, (array_agg(step))[1:5] AS examples FROM (
      ${STEPS.map(
        ({ name, id, table, isLeft, dueAt }) => `
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
