import type { Executor, Statement } from '#database/database.ts';

/** A single process at a time works on the takeover. */
const LOCK_PROGRESS: Statement = {
  name: 'ledger-takeover-lock',
  text: `SELECT reached_id AS "reachedId", ended_at IS NOT NULL AS "hasEnded"
         FROM ledger_takeover FOR UPDATE SKIP LOCKED`,
};

const SAVE_PROGRESS: Statement = {
  name: 'ledger-takeover-save',
  text: `UPDATE ledger_takeover SET reached_id = coalesce($1, reached_id),
           ended_at = CASE WHEN $2 THEN service_now() END`,
};

/** Pages of the primary key: no index of the payments without an entry is needed. */
const NEXT_IDS: Statement = {
  name: 'ledger-takeover-next-ids',
  text: `SELECT id FROM payment_requests
         WHERE id > coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid)
         ORDER BY id LIMIT $2`,
};

const NOTED_IDS: Statement = {
  name: 'ledger-takeover-noted-ids',
  text: `SELECT payment_request_id AS id FROM unbooked_payments
         ORDER BY payment_request_id LIMIT $1`,
};

const FORGET_NOTED: Statement = {
  name: 'ledger-takeover-forget-noted',
  text: 'DELETE FROM unbooked_payments WHERE payment_request_id = ANY ($1::uuid[])',
};

const LOCK_UNBOOKED: Statement = {
  name: 'ledger-takeover-lock-unbooked',
  text: `SELECT id FROM payment_requests
         WHERE id = ANY ($1::uuid[]) AND status = 'PAID' AND received_cents IS NULL
         ORDER BY id FOR UPDATE`,
};

/** The version stays: answers show equal amounts before and after it. */
const SAVE_RECEIVED: Statement = {
  name: 'ledger-takeover-save-received',
  text: 'UPDATE payment_requests SET received_cents = amount_cents WHERE id = ANY ($1::uuid[])',
};

export interface TakeoverProgress {
  readonly reachedId: string | null;
  readonly hasEnded: boolean;
}

/** @returns null: another process works on it. */
export async function lockProgress(tx: Executor): Promise<TakeoverProgress | null> {
  const [row] = await tx.query<TakeoverProgress>(LOCK_PROGRESS);
  return row ?? null;
}

export async function saveProgress(
  tx: Executor,
  reachedId: string | null,
  hasEnded: boolean,
): Promise<void> {
  await tx.query(SAVE_PROGRESS, [reachedId, hasEnded]);
}

/** The next payment requests of any status, in the order of their ids. */
export function findNextIds(tx: Executor, after: string | null, most: number): Promise<string[]> {
  return idsOf(tx, NEXT_IDS, [after, most]);
}

/** Payment requests that a process of the previous version has made PAID. */
export function findNotedIds(tx: Executor, most: number): Promise<string[]> {
  return idsOf(tx, NOTED_IDS, [most]);
}

export async function forgetNoted(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx.query(FORGET_NOTED, [ids]);
}

/** Locks those of the payment requests whose payment has no entry. */
export function lockUnbooked(tx: Executor, ids: readonly string[]): Promise<string[]> {
  return idsOf(tx, LOCK_UNBOOKED, [ids]);
}

export async function saveReceived(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx.query(SAVE_RECEIVED, [ids]);
}

async function idsOf(
  tx: Executor,
  statement: Statement,
  values: readonly unknown[],
): Promise<string[]> {
  return (await tx.query<{ id: string }>(statement, values)).map(({ id }) => id);
}
