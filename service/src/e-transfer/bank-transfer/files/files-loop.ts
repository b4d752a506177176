import { createHash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pruneSeenAccounts } from '#e-transfer/bank-transfer/entries/account-names-store.ts';
import { pruneEntries } from '#e-transfer/bank-transfer/entries/prune-store.ts';
import { LARGEST_STATEMENT_BYTES } from '#e-transfer/bank-transfer/statements/read-statements.ts';
import type { LoopWork } from '#lib/loop.ts';
import { newId } from '#lib/new-id.ts';
import { pruneFileParts, storeRefusal } from './file-store.ts';
import { type ProcessFilesDeps, processFile, resumeProcessing } from './process-files.ts';
import { createFolderWatch } from './watch-folder.ts';

/** Money is seen within seconds of its file, and a look at an empty folder costs nothing. */
const INTERVAL_MS = 1_000;
/** Five files of 25 MB, each of 10 s. */
const LONGEST_RUN_MS = 90_000;

export interface FilesLoopDeps extends ProcessFilesDeps {
  /** BANK_FILES_DIR; null: connections and programs bring files. */
  readonly folder: string | null;
  /** BANK_FILES_KEEP */
  readonly keepDays: number;
}

/** Watches the folder of bank files, and finishes what an earlier process began. */
export function filesLoop(deps: FilesLoopDeps): LoopWork {
  const { folder } = deps;
  const look =
    folder &&
    createFolderWatch({
      folder,
      clock: deps.clock,
      take: async (bytes) => {
        await processFile(deps, bytes);
      },
      refuse: (path, reason) => refuseLargeFile(deps, path, reason),
      onUnreadable() {
        deps.metrics.bankAlert('FILE_REFUSED');
        deps.log.error(
          'bank file cannot be read: give the user of the service the right to read it',
        );
      },
    });
  return {
    name: 'bank-files',
    intervalMs: INTERVAL_MS,
    longestRunMs: LONGEST_RUN_MS,
    async run(signal) {
      const [resumed] = await Promise.allSettled([resumeProcessing(deps, signal)]);
      const isMore = look ? await look() : false;
      await pruneFileParts(deps.db, deps.keepDays);
      await pruneEntries(deps.db);
      await pruneSeenAccounts(deps.db);
      // An old file that fails holds up no new file.
      if (resumed.status === 'rejected') throw resumed.reason;
      return isMore;
    },
  };
}

/** The largest number of the column; the true size of such a file is of no use. */
const LARGEST_SIZE = 2 ** 31 - 1;

/**
 * Refuses a file above 25 MB: stores the refusal without the bytes, and sets the file aside under
 * a hidden name with the refusal's id. The watch takes no hidden file, so the alert comes once
 * (docs/decisions/0053).
 */
async function refuseLargeFile(
  { db, log, metrics }: FilesLoopDeps,
  path: string,
  reason: string,
): Promise<void> {
  const { sha256, size } = await fingerprintOf(path);
  const sizeBytes = Math.min(size, LARGEST_SIZE);
  const fileId = await storeRefusal(db, { id: newId(), sha256, sizeBytes, reason });
  await rename(path, join(dirname(path), `.refused-${fileId}`));
  metrics.bankAlert('FILE_REFUSED');
  log.error({ fileId, reason }, 'bank file refused');
}

/** The size and the first 25 MB: the rest of a file of any size is not read. */
async function fingerprintOf(path: string): Promise<{ sha256: Buffer; size: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Buffer.alloc(LARGEST_STATEMENT_BYTES);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    const hash = createHash('sha256').update(`${size}\n`).update(start.subarray(0, bytesRead));
    return { sha256: hash.digest(), size };
  } finally {
    await file.close();
  }
}
