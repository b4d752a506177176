import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptBytes, encryptBytes } from '#lib/secrets/secret-box.ts';
import { plainDomain } from '#messages/mail/mail-address.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import { findAddressKey, insertAddressKey } from './key-store.ts';

/** The key is random and outlives rotations of SECRETS_KEY, which encrypts it (messages §5). */
const KEY_BYTES = 32;
const CONTEXT = 'message-key:addresses';
/** 128 bits cannot be guessed; a link stays on one line of a mail. */
const PROOF_DIGITS = 32;
const TOKEN = /^([0-9a-f]{32})([0-9a-f]{32})$/;

/** The deployment's key of addresses, and of the links by which a recipient acts. */
export type MessageKey = ReturnType<typeof createMessageKey>;

/** The key is read once a process. */
export function createMessageKey(secretsKey: RotatingKey) {
  let key: Buffer | null = null;
  const mac = async (db: Executor, text: string) => {
    key ??= await readKey(db, secretsKey);
    return createHmac('sha256', key).update(text).digest();
  };
  const proofOf = async (db: Executor, digits: string) =>
    (await mac(db, `link\n${digits}`)).toString('hex').slice(0, PROOF_DIGITS);
  return {
    hashAddress: (db: Executor, channel: Channel, address: string) =>
      mac(db, `${channel}\n${normalised(channel, address)}`),
    /** Names a message in the links of its mail, and proves that the service wrote it. */
    async tokenOf(db: Executor, messageId: string) {
      const digits = messageId.replaceAll('-', '');
      return digits + (await proofOf(db, digits));
    },
    /** The message of a token; null: the service wrote no such token. */
    async messageOf(db: Executor, token: string) {
      const [, digits, proof] = TOKEN.exec(token) ?? [];
      if (digits === undefined || proof === undefined) return null;
      const expected = await proofOf(db, digits);
      if (!timingSafeEqual(Buffer.from(expected), Buffer.from(proof))) return null;
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
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
  return plainDomain(address).toLowerCase();
}
