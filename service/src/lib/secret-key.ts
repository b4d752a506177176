import { createSecretKey, type KeyObject } from 'node:crypto';

/**
 * A long-lived secret of 32 bytes, and during a rotation a second key. New data uses `current`;
 * data under either key can be read. Before the restart of a rotation, `previous` holds the coming
 * key.
 */
export interface RotatingKey {
  readonly current: Buffer;
  readonly previous: Buffer | null;
}

/** Creates a rotating key from base64 texts; an empty `previous` means no rotation. */
export function rotatingKey(current: string, previous = ''): RotatingKey {
  return {
    current: Buffer.from(current, 'base64'),
    previous: previous === '' ? null : Buffer.from(previous, 'base64'),
  };
}

const keys = new WeakMap<Buffer, KeyObject>();

/**
 * The key object for the bytes of a long-lived secret. It is created once: creation costs several
 * times as much as hashing or opening a short text with the key. The bytes must not change.
 */
export function keyOf(bytes: Buffer): KeyObject {
  let key = keys.get(bytes);
  if (!key) {
    key = createSecretKey(bytes);
    keys.set(bytes, key);
  }
  return key;
}
