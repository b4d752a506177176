/**
 * The waits after failed attempts, in seconds; the last one repeats. Servers that put strangers off
 * accept after minutes (greylisting); a server that is away is asked every hour.
 */
const WAITS_SECONDS = [30, 60, 300, 900, 1_800, 3_600] as const;

/** A message that is late by a day tells nothing new (messages §3). */
const LONGEST_MS = 86_400_000;

/**
 * The wait before the next attempt, in seconds; null: the message is out of time.
 * @param triedSince the first attempt: a message that waited by a rule has its whole day
 */
export function waitAfter(attempts: number, triedSince: Date, now: Date): number | null {
  const seconds = WAITS_SECONDS[Math.min(attempts, WAITS_SECONDS.length) - 1] ?? WAITS_SECONDS[0];
  return now.getTime() + seconds * 1_000 > triedSince.getTime() + LONGEST_MS ? null : seconds;
}
