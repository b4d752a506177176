import type { DatabaseDeps } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import {
  findVerification,
  type StoredVerification,
  saveVerification,
} from './verification-store.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

/** About a second's work: a browser's request ends soon, and the next step goes on. */
const ENTRIES_OF_STEP = 50_000;

/** A name that is longer is cut. */
const LONGEST_ACTOR = 200;

export interface VerifyStepDeps extends DatabaseDeps {
  readonly secretsKey: RotatingKey;
}

/**
 * Verifies the next part of the audit log, and stores how far the verification came. Two persons at
 * the same time may verify a part twice; neither skips a part.
 *
 * @param options.anew begins again at the start of the log
 */
export async function verifyNextStep(
  { db, clock, secretsKey }: VerifyStepDeps,
  {
    actor,
    anew,
    mostEntries = ENTRIES_OF_STEP,
  }: {
    readonly actor: string;
    readonly anew: boolean;
    readonly mostEntries?: number;
  },
): Promise<StoredVerification> {
  const stored = anew ? null : await findVerification(db);
  const earlier = stored === null || stored.isComplete ? null : stored;
  const startedAt = earlier?.startedAt ?? clock.now();
  const step = await verifyAuditLog({ db, secretsKey, earlier, mostEntries });
  const run = { ...step, actor: actor.slice(0, LONGEST_ACTOR), startedAt, updatedAt: clock.now() };
  await saveVerification(db, run);
  return run;
}

/** The last verification on the console; null: there was none. */
export function readVerification({
  db,
}: Pick<VerifyStepDeps, 'db'>): Promise<StoredVerification | null> {
  return findVerification(db);
}
