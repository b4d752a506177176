import type { RotatingKey } from '#lib/secret-key.ts';
import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { isSignedByUs, signCheckpoint } from './checkpoint-signature.ts';
import {
  deleteEntriesUpTo,
  findLastOldEntry,
  listCheckpoints,
  saveCheckpoint,
} from './checkpoint-store.ts';
import { type ChainPlace, countAuditUpTo } from './read-store.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

/** The audit log is kept 7 years (contract §10). */
const KEPT_YEARS = 7;
/** A second's work; a prune that was interrupted goes on at its next run. */
const ENTRIES_AT_ONCE = 10_000;

export interface AuditWriteDeps extends AuditedDeps {
  readonly secretsKey: RotatingKey;
}

/** The entries that a prune would delete. */
export interface PrunePlan {
  readonly cutoff: Date;
  /** The last entry that goes; `null` when none is old enough. */
  readonly last: ChainPlace | null;
  readonly entries: number;
  /** An interrupted prune left the checkpoint already. */
  readonly isBegun: boolean;
}

/**
 * Plans to delete entries before 7 years ago, up to the first younger one. An interrupted prune is
 * finished first: before that, the log does not verify.
 */
export async function planPrune(deps: AuditWriteDeps): Promise<PrunePlan> {
  const { db, clock, secretsKey } = deps;
  const cutoff = new Date(clock.now());
  cutoff.setUTCFullYear(cutoff.getUTCFullYear() - KEPT_YEARS);
  const begun = (await listCheckpoints(db)).findLast(
    (one) => one.isStart && isSignedByUs(secretsKey, one),
  );
  const left = begun ? await countAuditUpTo(db, begun.position) : 0;
  if (begun && left > 0) return { cutoff, last: begun, entries: left, isBegun: true };
  const last = await findLastOldEntry(db, cutoff);
  const entries = last ? await countAuditUpTo(db, last.position) : 0;
  return { cutoff, last, entries, isBegun: false };
}

/**
 * Leaves a signed checkpoint at the last old entry, then deletes up to there in batches. Runs as
 * the owner of the tables: the service's own role may not.
 *
 * @throws OperatorFault when the log does not verify: a prune would destroy the evidence
 */
export async function pruneAuditLog(
  deps: AuditWriteDeps,
  { last, entries, isBegun }: PrunePlan,
): Promise<number> {
  if (!last) return 0;
  const { db, clock, secretsKey, actor } = deps;
  if (!isBegun) {
    await refuseFaultyLog(deps);
    await db.transaction(async (tx) => {
      const checkpoint = { ...last, isStart: true, createdAt: clock.now() };
      const signature = signCheckpoint(secretsKey.current, checkpoint);
      await saveCheckpoint(tx, { ...checkpoint, signature });
      await recordAct(tx, { clock, actor }, 'AUDIT_LOG_PRUNED', null, {
        upTo: `${last.position}`,
        entries,
      });
    });
  }
  let pruned = 0;
  for (;;) {
    const deleted = await db.transaction((tx) =>
      deleteEntriesUpTo(tx, last.position, ENTRIES_AT_ONCE),
    );
    pruned += deleted;
    if (deleted < ENTRIES_AT_ONCE) return pruned;
  }
}

/** Signs the end of the chain, after verifying all of it. @throws OperatorFault for a faulty log */
export async function addCheckpoint(deps: AuditWriteDeps): Promise<ChainPlace> {
  const { db, clock, secretsKey } = deps;
  const { head, start } = await refuseFaultyLog(deps);
  if (head.position === start.position) return head;
  await db.transaction(async (tx) => {
    const checkpoint = { ...head, isStart: false, createdAt: clock.now() };
    const signature = signCheckpoint(secretsKey.current, checkpoint);
    await saveCheckpoint(tx, { ...checkpoint, signature });
  });
  return head;
}

async function refuseFaultyLog({ db, secretsKey }: AuditWriteDeps) {
  const verification = await verifyAuditLog({ db, secretsKey });
  if (verification.faultCount > 0) {
    throw new OperatorFault(
      `The audit log has ${verification.faultCount} faults: see payreq audit verify. ` +
        'Nothing was changed.',
    );
  }
  return verification;
}
