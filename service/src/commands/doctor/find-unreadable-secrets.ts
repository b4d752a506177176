import {
  ENCRYPTED_TABLES,
  type EncryptedRow,
  readPage,
} from '#commands/secrets/encrypted-store.ts';
import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptBytes, SecretUnreadable } from '#lib/secrets/secret-box.ts';

/** Opens every secret that must be read back, and names those that do not open. */
export async function findUnreadableSecrets(
  db: Executor,
  secretsKey: RotatingKey,
): Promise<{ readonly checked: number; readonly unreadable: readonly string[] }> {
  let checked = 0;
  const unreadable: string[] = [];
  const check = (box: Buffer, context: string): void => {
    checked += 1;
    try {
      decryptBytes(secretsKey, box, context);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      unreadable.push(context);
    }
  };
  for (const table of ENCRYPTED_TABLES) {
    let page: EncryptedRow[];
    let after = table.firstId;
    do {
      page = await readPage(db, table, after);
      for (const { id, place, boxes } of page) {
        const contexts = table.contexts(place);
        for (const [index, box] of boxes.entries()) if (box) check(box, contexts[index] ?? '');
        after = id;
      }
    } while (page.length === table.rowsAtOnce);
  }
  return { checked, unreadable };
}
