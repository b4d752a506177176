import { readCursor, writeCursor } from '#lib/cursor.ts';

/** The place of an entry in the timeline: by its instant, then by rank, then by key. */
export interface TimelinePosition {
  /** To the millisecond. */
  readonly occurredAt: Date;
  /** 0: the creation; 1: an act of a payer or merchant; 2: another status; 3: a webhook attempt. */
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

/** The cursor of a position; a page begins after it. */
export function encodeTimelineCursor({ occurredAt, rank, key }: TimelinePosition): string {
  return writeCursor(Buffer.from(`${occurredAt.getTime()}.${rank}.${key}`));
}

/** The position in a cursor; null for a text that `encodeTimelineCursor` never makes. */
export function decodeTimelineCursor(cursor: string): TimelinePosition | null {
  const text = readCursor(cursor)?.toString('latin1') ?? '';
  const [, instant = '', rank = '', key = ''] = CURSOR.exec(text) ?? [];
  const position = { occurredAt: new Date(Number(instant)), rank: Number(rank), key };
  // Only the spelling of an instant that exists counts: no leading zeros, no year 275761.
  const isOurs = key !== '' && encodeTimelineCursor(position) === cursor;
  return isOurs ? position : null;
}
