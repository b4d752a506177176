import { v7 } from 'uuid';
import { systemClock } from './clock.ts';
import { randomPoolBytes } from './random-pool.ts';

/** The count of a millisecond starts at a random number, with space for 2³¹ more. */
const HIGHEST_START = 0x7fff_ffff;

let latestMs = 0;
let sequence = 0;

/**
 * A new identifier: a UUID of version 7, whose order in time keeps indexes compact. Identifiers of
 * one process rise, also within a millisecond and after a step back of the clock (RFC 9562, §6.2).
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
  // The library uses the last 6 of the 16 bytes, so that the sequence's own bytes are not used
  // twice.
  return v7({ msecs: latestMs, seq: sequence, random });
}

/** A UUID as text. */
export const ID_LENGTH = 36;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the shape of an identifier; any other text needs no statement. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
