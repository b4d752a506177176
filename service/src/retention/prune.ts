import type { DatabaseDeps, Executor } from '#database/database.ts';
import { runOrRehearse } from '#database/rehearse.ts';
import {
  countEntriesWithoutRequest,
  pruneEntriesOf,
  pruneEntriesWithoutRequest,
} from '#ledger/retention/prune-entries-store.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { lockTexts } from '#payment-requests/search-texts/index-texts.ts';
import { keepRefundIds } from '#refunds/spent-ids/spent-ids.ts';
import { AGED_TABLES, countAgedRows, deleteAgedRows } from './aged-store.ts';
import { deleteRequests, findNextMerchant, findOver, lockOldRequests } from './request-store.ts';
import {
  claimRun,
  type Deleted,
  findHorizon,
  findRun,
  type RetentionRun,
  saveRun,
  startRun,
} from './run-store.ts';

export interface RetentionDeps extends DatabaseDeps {
  readonly secretsKey: RotatingKey;
  /** `TIME_ZONE`: the days of the sums that outlive entries. */
  readonly timeZone: string;
}

/** Some 100 ms of a busy server. The locked rows are years old, so that no call waits for them. */
const REQUESTS_AT_ONCE = 100;
/** Rows of one table; no row of another table goes with them. */
const ROWS_AT_ONCE = 1_000;

/** The phases of a run: payment requests, entries without one, then each table of aged rows. */
const LEDGER_PHASE = 1;
const PHASES = LEDGER_PHASE + 1 + AGED_TABLES.length;

const BEFORE_ALL = {
  ...{ merchantId: '', reachedAt: '-infinity', phase: 0, deleted: {}, kept: 0, actor: '' },
  reachedId: '00000000-0000-0000-0000-000000000000',
} as const;

export type PruneResult = Pick<RetentionRun, 'horizon' | 'deleted' | 'kept'>;

/**
 * Starts the daily run of the service itself where it is due, and deletes the next batch of the run
 * that is under way, whoever started it.
 *
 * @returns whether more may be left
 */
export async function pruneDaily(deps: RetentionDeps, years: number): Promise<boolean> {
  await startRun(deps.db, await findHorizon(deps.db, years), 'payreq serve', false);
  const run = await pruneBatch(deps);
  return run !== null && run.phase < PHASES;
}

/** Finishes the run that is under way, then starts a run and takes it to its end. */
export async function pruneNow(
  deps: RetentionDeps,
  horizon: Date,
  actor: string,
): Promise<PruneResult> {
  while (!(await startRun(deps.db, horizon, actor, true))) await pruneBatch(deps);
  let run: RetentionRun | null;
  do run = await pruneBatch(deps);
  while (run !== null && run.phase < PHASES);
  // null: another process has taken the last batch.
  return run ?? (await findRun(deps.db)) ?? { ...BEFORE_ALL, horizon };
}

/**
 * Counts the rows that a run would delete, and changes nothing. Rows that only the run itself makes
 * free, such as the money of a deleted payment request, count with the payment request.
 */
export async function rehearsePrune(deps: RetentionDeps, horizon: Date): Promise<PruneResult> {
  const { db } = deps;
  let run: RetentionRun = { ...BEFORE_ALL, horizon };
  while (run.phase === 0) {
    const from = run;
    run = await runOrRehearse(db, 'REHEARSE', (tx) => pruneRequests(tx, deps, from));
  }
  const entries = await countEntriesWithoutRequest(db, horizon);
  let deleted = sumOf(run.deleted, { ledger_entries: entries });
  for (const table of AGED_TABLES) {
    deleted = sumOf(deleted, { [table]: await countAgedRows(db, table, horizon) });
  }
  return { ...run, deleted };
}

/**
 * Deletes the next batch of the run that is under way, in a transaction that holds the run: two
 * processes take turns. The last batch writes the audit entry of a run that deleted something.
 *
 * @returns the run with its progress; null: none is under way
 */
function pruneBatch(deps: RetentionDeps): Promise<RetentionRun | null> {
  return deps.db.transaction(async (tx) => {
    const run = await claimRun(tx);
    if (!run) return null;
    const next =
      run.phase === 0 ? await pruneRequests(tx, deps, run) : await pruneRows(tx, deps, run);
    const isEnded = next.phase >= PHASES;
    await saveRun(tx, next, isEnded);
    if (isEnded && Object.keys(next.deleted).length > 0) {
      await recordAct(tx, { clock: deps.clock, actor: next.actor }, 'RETENTION_PRUNED', null, {
        horizon: next.horizon,
        deleted: next.deleted,
        kept: next.kept,
      });
    }
    return next;
  });
}

async function pruneRequests(
  tx: Executor,
  { secretsKey, timeZone }: RetentionDeps,
  run: RetentionRun,
): Promise<RetentionRun> {
  const { horizon, merchantId } = run;
  const page = await lockOldRequests(tx, run, horizon, REQUESTS_AT_ONCE);
  const last = page.at(-1);
  if (!last) {
    const next = await findNextMerchant(tx, merchantId, horizon);
    if (next === null) return { ...run, phase: LEDGER_PHASE };
    const { reachedAt, reachedId } = BEFORE_ALL;
    return { ...run, merchantId: next, reachedAt, reachedId };
  }
  const looked = page.map(({ id }) => id);
  const ids = await findOver(tx, looked, horizon);
  const place = { ...run, reachedAt: last.reachedAt, reachedId: last.id };
  const kept = run.kept + looked.length - ids.length;
  if (ids.length === 0) return { ...place, kept };
  await keepRefundIds(tx, secretsKey, ids);
  const entries = await pruneEntriesOf(tx, ids, timeZone);
  await lockTexts(tx);
  const counts = await deleteRequests(tx, ids);
  return { ...place, kept, deleted: sumOf(run.deleted, counts, { ledger_entries: entries }) };
}

async function pruneRows(
  tx: Executor,
  { timeZone }: RetentionDeps,
  run: RetentionRun,
): Promise<RetentionRun> {
  const { horizon, phase } = run;
  const table = AGED_TABLES[phase - LEDGER_PHASE - 1];
  const count = table
    ? await deleteAgedRows(tx, table, horizon, ROWS_AT_ONCE)
    : await pruneEntriesWithoutRequest(tx, horizon, timeZone, ROWS_AT_ONCE);
  const deleted = sumOf(run.deleted, { [table ?? 'ledger_entries']: count });
  return { ...run, deleted, phase: count < ROWS_AT_ONCE ? phase + 1 : phase };
}

/** Sums by table, without tables of which nothing was deleted. */
function sumOf(...parts: readonly Deleted[]): Deleted {
  const sums = new Map<string, number>();
  for (const [table, count] of parts.flatMap((part) => Object.entries(part))) {
    if (count > 0) sums.set(table, (sums.get(table) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}
