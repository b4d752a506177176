import type { LoopWork } from '#lib/loop.ts';
import { pruneSeenAccounts } from '../entries/account-names-store.ts';
import { pruneEntries } from '../entries/prune-store.ts';
import { pruneFileParts } from './file-store.ts';
import { type ProcessFilesDeps, processFile, resumeProcessing } from './process-files.ts';
import { refuseLargeFile } from './refuse-large-file.ts';
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
