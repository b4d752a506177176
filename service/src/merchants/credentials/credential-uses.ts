import { createBatcher } from '#database/batcher.ts';
import type { DatabaseDeps } from '#database/database.ts';
import { saveCredentialUses } from './credential-use-store.ts';

/** A person asks whether a credential is still in use, not for the second of its use. */
const NOTED_EVERY_MS = 3_600_000;
/** The credentials that an access cache holds, too: at most 1 MB of ids. */
const MOST_REMEMBERED = 10_000;
/** The rows of one statement, which takes a few milliseconds. */
const MAX_BATCH = 100;
/** Uses that wait while a statement runs; further uses are noted at their next call. */
const MAX_QUEUE = 1_000;

/** Uses of passwords and API keys. */
export type CredentialUses = ReturnType<typeof createCredentialUses>;

/**
 * Writes when credentials were last used, beside the calls. A use that cannot be written is noted
 * at the credential's next call.
 */
export function createCredentialUses({ db, clock }: DatabaseDeps) {
  const notedAtMs = new Map<string, number>();
  const write = createBatcher<string, void>({
    async run(ids) {
      await saveCredentialUses(db, ids, clock.now());
      return [];
    },
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    isSerial: true,
    rejectsQueue: true,
  });

  return {
    /** Notes a use soon, at most once an hour a credential. Never waits and never throws. */
    note(credentialId: string) {
      const nowMs = clock.now().getTime();
      const last = notedAtMs.get(credentialId);
      if (last !== undefined && nowMs - last < NOTED_EVERY_MS) return;
      notedAtMs.delete(credentialId);
      notedAtMs.set(credentialId, nowMs);
      if (notedAtMs.size > MOST_REMEMBERED) forgetOldest(notedAtMs);
      void write(credentialId).catch(() => notedAtMs.delete(credentialId));
    },
  };
}

/** A map iterates in the order of insertion. */
function forgetOldest(map: Map<string, number>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
