import { randomFillSync } from 'node:crypto';

/** A call of the system's generator costs as much as a few hundred of its bytes. */
const POOL_BYTES = 4_096;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Bytes from the CSPRNG, each given only once. They are drawn in lots, because an identifier needs
 * few.
 *
 * @param count at most 4,096
 * @returns a copy, owned by the caller
 */
export function randomPoolBytes(count: number): Uint8Array {
  if (count > POOL_BYTES) throw new RangeError(`more than ${POOL_BYTES} bytes at once`);
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + count);
  // Given bytes are erased: a later fault that reveals memory reveals no identifier.
  pool.fill(0, used, used + count);
  used += count;
  return bytes;
}
