import { createSecretKey, type KeyObject } from 'node:crypto';

const keys = new WeakMap<Buffer, KeyObject>();

/**
 * The key that the bytes of a long-lived secret stand for. Made once: making it costs several times
 * what hashing or opening a short text with it does. The bytes must not change.
 */
export function keyOf(bytes: Buffer): KeyObject {
  let key = keys.get(bytes);
  if (!key) {
    key = createSecretKey(bytes);
    keys.set(bytes, key);
  }
  return key;
}
