import { type Loop, startLoop } from '#lib/loop.ts';
import { pruneEntries } from '../entries/prune-store.ts';
import { pruneFileParts } from './file-store.ts';
import { type ProcessFilesDeps, processFile, resumeProcessing } from './process-files.ts';
import { createFolderWatch } from './watch-folder.ts';

/** Money is seen within seconds of its file, and a look at an empty folder costs nothing. */
const INTERVAL_MS = 1_000;
/** Five files of 25 MB, each of 10 s. */
const LONGEST_RUN_MS = 90_000;

export interface StartFilesDeps extends ProcessFilesDeps {
  /** BANK_FILES_DIR */
  readonly folder: string;
  /** BANK_FILES_KEEP */
  readonly keepDays: number;
  readonly onError: (loop: string, error: unknown) => void;
}

/** Watches the folder of bank files, and finishes what an earlier process began. */
export function startFiles(deps: StartFilesDeps): Loop {
  const name = 'bank-files';
  const look = createFolderWatch({
    folder: deps.folder,
    clock: deps.clock,
    log: deps.log,
    take: async (bytes) => {
      await processFile(deps, bytes);
    },
    onTooLarge() {
      deps.metrics.bankAlert('FILE_REFUSED');
      deps.log.error('bank file above 25 MB: it stays in the folder under a name with .payreq-');
    },
  });
  return startLoop({
    name,
    intervalMs: INTERVAL_MS,
    longestRunMs: LONGEST_RUN_MS,
    async run(signal) {
      await resumeProcessing(deps, signal);
      const isMore = await look();
      await pruneFileParts(deps.db, deps.keepDays);
      await pruneEntries(deps.db);
      return isMore;
    },
    onError: (error) => deps.onError(name, error),
  });
}
