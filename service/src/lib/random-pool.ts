import { randomFillSync } from 'node:crypto';

/** One call into the system's generator costs as much as a few hundred bytes of it. */
const POOL_BYTES = 4_096;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Bytes from the CSPRNG, none of them given twice, drawn in lots because an identifier needs few.
 *
 * @param count at most 4,096
 * @returns a copy, which is the caller's
 */
export function randomPoolBytes(count: number): Uint8Array {
  if (count > POOL_BYTES) throw new RangeError(`more than ${POOL_BYTES} bytes at once`);
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + count);
  // What was given is not kept: a later fault that shows memory shows no identifier to come.
  pool.fill(0, used, used + count);
  used += count;
  return bytes;
}
