import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { keyOf, type RotatingKey } from '#lib/secret-key.ts';

/** The first byte of every box, so that a later version can distinguish another key or cipher. */
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

/**
 * A stored secret cannot be opened: another `SECRETS_KEY`, the secret of another row, or damage.
 */
export class SecretUnreadable extends Error {
  constructor(context: string, cause?: unknown) {
    super(`The secret "${context}" cannot be read with this SECRETS_KEY.`, { cause });
    this.name = 'SecretUnreadable';
  }
}

/**
 * Encrypts secrets that must be read back later: listener passwords, signing secrets, signing keys
 * (contract §3). AES-256-GCM with a fresh IV; layout: version, IV, tag, ciphertext.
 *
 * @param key     `SECRETS_KEY`; its current key encrypts
 * @param context names the only place of the secret (`merchant:<id>:signing_secret`), so that a box
 * copied to another row does not open
 */
export function encryptSecret(key: RotatingKey, plain: string, context: string): Buffer {
  return encryptBytes(key, Buffer.from(plain, 'utf8'), context);
}

/** Encrypts bytes, as `encryptSecret` does for a text. */
export function encryptBytes(key: RotatingKey, plain: Uint8Array, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(key.current), iv, {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(additionalData(context));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
}

/**
 * Opens a box of `encryptSecret` in its context under the current or the previous key.
 *
 * @throws SecretUnreadable when neither key opens the box
 */
export function decryptSecret(key: RotatingKey, bytes: Uint8Array, context: string): string {
  return decryptBytes(key, bytes, context).toString('utf8');
}

/**
 * Opens a box of `encryptBytes`, as `decryptSecret` does for a text.
 *
 * @throws SecretUnreadable when neither key opens the box
 */
export function decryptBytes(key: RotatingKey, bytes: Uint8Array, context: string): Buffer {
  if (key.previous === null) return openBox(key.current, bytes, context);
  try {
    return openBox(key.current, bytes, context);
  } catch {
    return openBox(key.previous, bytes, context);
  }
}

/** Whether the current key alone opens the box. */
export function isUnderCurrentKey(key: RotatingKey, bytes: Uint8Array, context: string): boolean {
  try {
    openBox(key.current, bytes, context);
    return true;
  } catch {
    return false;
  }
}

function openBox(key: Buffer, bytes: Uint8Array, context: string): Buffer {
  const box = Buffer.from(bytes);
  if (box.length < HEADER_BYTES || box[0] !== VERSION) throw new SecretUnreadable(context);
  const iv = box.subarray(1, 1 + IV_BYTES);
  const tag = box.subarray(1 + IV_BYTES, HEADER_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(key), iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData(context));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(box.subarray(HEADER_BYTES)), decipher.final()]);
  } catch (error) {
    throw new SecretUnreadable(context, error);
  }
}

/**
 * The tag also covers the version, so that changing the byte cannot change the reading of a box.
 */
function additionalData(context: string): Buffer {
  return Buffer.from(`v${VERSION}:${context}`, 'utf8');
}
