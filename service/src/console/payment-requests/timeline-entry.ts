import type { StoredEntry } from '#ledger/model/stored-entry.ts';
import type { StoredAuditEntry } from '#merchants/audit-log-store.ts';
import type { TimelineEntry } from '#payment-requests/timeline/read-timeline.ts';
import type { SentEvent } from '#webhooks/deliveries/sent-store.ts';

/** An entry of the one timeline that people read, with what the API's timeline leaves out. */
export type RequestEntry = { readonly at: Date } & (
  | { readonly kind: 'HISTORY'; readonly entry: TimelineEntry }
  | { readonly kind: 'EVENT'; readonly event: SentEvent; readonly urls: number }
  | { readonly kind: 'MOVEMENT'; readonly movement: StoredEntry }
  | { readonly kind: 'ACT'; readonly act: StoredAuditEntry }
);

/** In one millisecond a person's act comes first, then its effects, and the attempts last. */
const RANKS: Readonly<Record<RequestEntry['kind'], number>> = {
  ACT: 0,
  HISTORY: 1,
  MOVEMENT: 2,
  EVENT: 3,
};
const ATTEMPT_RANK = 4;

function rankOf(entry: RequestEntry): number {
  const isAttempt = entry.kind === 'HISTORY' && entry.entry.type === 'WEBHOOK_ATTEMPTED';
  return isAttempt ? ATTEMPT_RANK : RANKS[entry.kind];
}

/** Newest first: the question is nearly always about the end of the timeline. */
export function newestFirst(entries: readonly RequestEntry[]): readonly RequestEntry[] {
  return entries
    .map((entry, place) => ({ entry, place }))
    .sort((one, other) => {
      const byTime = other.entry.at.getTime() - one.entry.at.getTime();
      return byTime || rankOf(other.entry) - rankOf(one.entry) || other.place - one.place;
    })
    .map(({ entry }) => entry);
}
