import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MerchantAccess } from './merchant-access.ts';

/** The place at which a follower of a feed ended, so that the next one continues there. */
export interface ListenCursor {
  /** null where nobody has followed this feed from here before. */
  read(): Promise<string | null>;
  /** Never throws: without a place to keep it, the next one begins at the end. */
  keep(cursor: string): Promise<void>;
}

/** Keeps the cursor of one merchant's feed in a file of the folder for local state. */
export function createListenCursor(
  localDir: string,
  { apiUrl, username }: Pick<MerchantAccess, 'apiUrl' | 'username'>,
): ListenCursor {
  const name = createHash('sha256').update(`${apiUrl} ${username}`).digest('hex').slice(0, 16);
  const path = join(localDir, 'listen', `${name}.cursor`);
  return {
    async read() {
      try {
        return (await readFile(path, 'utf8')).trim() || null;
      } catch {
        return null;
      }
    },
    async keep(cursor) {
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(path, `${cursor}\n`, { mode: 0o600 });
      } catch {
        // Said above.
      }
    },
  };
}
