import { createHmac, randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptBytes, encryptBytes } from '#lib/secrets/secret-box.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import { findAddressKey, insertAddressKey } from './key-store.ts';

/** The key is random and outlives rotations of SECRETS_KEY, which encrypts it (messages §5). */
const KEY_BYTES = 32;
const CONTEXT = 'message-key:addresses';

export type HashAddress = (db: Executor, channel: Channel, address: string) => Promise<Buffer>;

/** Makes the function that hashes addresses; it reads the deployment's key once. */
export function createAddressHash(secretsKey: RotatingKey): HashAddress {
  let key: Buffer | null = null;
  return async (db, channel, address) => {
    key ??= await readKey(db, secretsKey);
    return createHmac('sha256', key)
      .update(`${channel}\n${normalised(channel, address)}`)
      .digest();
  };
}

async function readKey(db: Executor, secretsKey: RotatingKey): Promise<Buffer> {
  if ((await findAddressKey(db)) === null) {
    await insertAddressKey(db, encryptBytes(secretsKey, randomBytes(KEY_BYTES), CONTEXT));
  }
  const stored = await findAddressKey(db);
  if (!stored) throw new Error('The key of addresses is missing.');
  return decryptBytes(secretsKey, stored, CONTEXT);
}

/** Two spellings of one address have one hash: the domain in lower-case A-form. */
function normalised(channel: Channel, address: string): string {
  if (channel === 'SMS') return `+${address.replace(/\D/g, '')}`;
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at).toLowerCase()}@${domainToASCII(domain) || domain.toLowerCase()}`;
}
