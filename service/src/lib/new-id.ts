import { v7 } from 'uuid';
import { systemClock } from './clock.ts';
import { randomPoolBytes } from './random-pool.ts';

/** Where a millisecond's count starts is random, and leaves room for 2³¹ more of it. */
const HIGHEST_START = 0x7fff_ffff;

let latestMs = 0;
let sequence = 0;

/**
 * A new identifier: a UUID of version 7, whose order in time keeps indexes compact. Those of one
 * process rise, also within a millisecond and when the clock goes back (RFC 9562, §6.2).
 */
export function newId(): string {
  const random = randomPoolBytes(16);
  const nowMs = systemClock.now().getTime();
  if (nowMs > latestMs) {
    latestMs = nowMs;
    sequence = new DataView(random.buffer).getUint32(0) & HIGHEST_START;
  } else {
    sequence += 1;
  }
  // The library takes the last 6 of the 16 bytes, so that the sequence's own are not used twice.
  return v7({ msecs: latestMs, seq: sequence, random });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the shape of an identifier; anything else needs no look into the database. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
