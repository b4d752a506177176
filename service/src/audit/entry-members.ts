import { formatInstant } from '#lib/instant.ts';
import type { StoredEntry } from './read-store.ts';

/** An entry as commands and files show it. */
export type EntryMembers = ReturnType<typeof entryMembers>;

export function entryMembers(entry: StoredEntry) {
  return {
    position: Number(entry.position),
    occurredAt: instantOf(entry),
    actor: entry.actor,
    action: entry.action,
    merchantId: entry.merchantId,
    details: JSON.parse(entry.details) as Readonly<Record<string, unknown>>,
    hash: entry.hash.toString('hex'),
  };
}

/** PostgreSQL's text for an instant that no Date holds. */
function instantOf({ occurredAt, occurredAtMicros }: StoredEntry): string {
  const instant = new Date(occurredAt);
  return Number.isNaN(instant.getTime()) ? occurredAtMicros : formatInstant(instant);
}
