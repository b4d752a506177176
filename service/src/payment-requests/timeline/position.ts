/** Where an entry stands in the timeline: by its instant, then by rank, then by key. */
export interface TimelinePosition {
  /** To the millisecond. */
  readonly occurredAt: Date;
  /** 0: the creation; 1: what somebody did; 2: another status; 3: a webhook attempt. */
  readonly rank: number;
  /** Digits, small letters and hyphens: no two entries of one rank have the same. */
  readonly key: string;
}

/** Below 0 where `one` comes first; 0 for the same entry. */
export function comparePositions(one: TimelinePosition, other: TimelinePosition): number {
  const byTime = one.occurredAt.getTime() - other.occurredAt.getTime();
  if (byTime !== 0) return byTime;
  if (one.rank !== other.rank) return one.rank - other.rank;
  if (one.key === other.key) return 0;
  return one.key < other.key ? -1 : 1;
}

/** Milliseconds of 14 digits last until the year 5138. */
const CURSOR = /^(\d{1,14})\.([0-3])\.([0-9a-f-]{1,60})$/;

/** A cursor that begins a page after a position; opaque to callers. */
export function encodeTimelineCursor({ occurredAt, rank, key }: TimelinePosition): string {
  return Buffer.from(`${occurredAt.getTime()}.${rank}.${key}`).toString('base64url');
}

/** The position in a cursor; null for what is not one of ours. */
export function decodeTimelineCursor(cursor: string): TimelinePosition | null {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, instant = '', rank = '', key = ''] = CURSOR.exec(text) ?? [];
  const position = { occurredAt: new Date(Number(instant)), rank: Number(rank), key };
  // Only the one spelling that we would give counts, of an instant that there is.
  const isOurs = key !== '' && encodeTimelineCursor(position) === cursor;
  return isOurs ? position : null;
}
