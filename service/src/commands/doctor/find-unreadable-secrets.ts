import { signingKeyContext } from '#access/signing-keys/create.ts';
import { listSigningKeys } from '#access/signing-keys/key-store.ts';
import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret, SecretUnreadable } from '#lib/secrets/secret-box.ts';
import {
  listEndpointSecrets,
  listMerchantSecrets,
  type StoredSecrets,
} from './secret-list-store.ts';

/** A page is one round trip and small in memory. */
const PAGE_SIZE = 500;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

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
      decryptSecret(secretsKey, box, context);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      unreadable.push(context);
    }
  };
  for (const { keyId, privateKeyEncrypted } of await listSigningKeys(db)) {
    check(privateKeyEncrypted, signingKeyContext(keyId));
  }
  const owners = [
    { kind: 'merchant', list: listMerchantSecrets, first: '' },
    { kind: 'endpoint', list: listEndpointSecrets, first: BEFORE_ALL_IDS },
  ];
  for (const { kind, list, first } of owners) {
    let page: StoredSecrets[];
    let after = first;
    do {
      page = await list(db, after, PAGE_SIZE);
      for (const { id, listenerPassword, signingSecrets } of page) {
        check(listenerPassword, `${kind}:${id}:listener_password`);
        for (const box of signingSecrets) check(box, `${kind}:${id}:signing_secret`);
        after = id;
      }
    } while (page.length === PAGE_SIZE);
  }
  return { checked, unreadable };
}
