import { isAscii } from 'node:buffer';

/** So much of an answer's body is kept for people to look at. */
const KEPT_BYTES = 4 * 1024;

/**
 * The beginning of an answer as text that a database can hold: at most 4 KiB of UTF-8, cut between
 * characters, what is not UTF-8 (and NUL, which PostgreSQL refuses) replaced. Pure.
 *
 * @returns null when there is nothing, or when it is compressed: it is never unpacked
 */
export function excerptOf(body: Uint8Array, contentEncoding: unknown): string | null {
  const plain = contentEncoding === undefined || contentEncoding === 'identity';
  if (body.length === 0 || !plain) return null;
  // Nearly every answer is short and ASCII; a decoder costs ten times as much.
  if (body.length <= KEPT_BYTES && isAscii(body) && !body.includes(0)) {
    return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  }
  const text = decode(body.subarray(0, KEPT_BYTES)).replaceAll('\0', '\uFFFD');
  // A replacement is longer than what it replaces.
  return decode(Buffer.from(text, 'utf8').subarray(0, KEPT_BYTES));
}

/** So much of the kept text is shown to a merchant (the guard, point 6). */
const SHOWN_BYTES = 1024;

/** The beginning of a kept excerpt, as a merchant may see it: at most 1 KiB of UTF-8. Pure. */
export function shownExcerpt(kept: string): string {
  return decode(Buffer.from(kept, 'utf8').subarray(0, SHOWN_BYTES));
}

function decode(bytes: Uint8Array): string {
  // The decoder expects more of a stream: a character cut at the end is left out, not replaced.
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}
