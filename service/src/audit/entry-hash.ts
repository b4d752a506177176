import { createHash } from 'node:crypto';

/** An entry of the audit log as its hash covers it: PostgreSQL's texts, unchanged. */
export interface ChainedEntry {
  readonly position: string;
  readonly id: string;
  /** Microseconds since 1970. */
  readonly occurredAtMicros: string;
  readonly actor: string;
  readonly action: string;
  readonly merchantId: string | null;
  readonly details: string;
}

/** The hash before the first entry. */
export const FIRST_HASH = Buffer.alloc(32);

/**
 * The bytes that an entry's hash covers, as the function audit_entry_content of the database makes
 * them: each value as its length in bytes, a colon and the text; an absent value as a hyphen.
 * Computed apart from the database, so that a replaced function there cannot vouch for a changed
 * entry.
 */
export function entryContent(entry: ChainedEntry): string {
  const { position, id, occurredAtMicros, actor, action, merchantId, details } = entry;
  return [position, id, occurredAtMicros, actor, action, merchantId, details]
    .map((value) => (value === null ? '-' : `${Buffer.byteLength(value)}:${value}`))
    .join(',');
}

/** SHA-256 of the hash before and the content. */
export function entryHash(previous: Uint8Array, entry: ChainedEntry): Buffer {
  return createHash('sha256').update(previous).update(entryContent(entry)).digest();
}
