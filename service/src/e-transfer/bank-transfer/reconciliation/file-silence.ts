const DAY_MS = 86_400_000;
/** A statement comes each working day; a holiday in the middle of the week makes it two. */
export const LONGEST_SILENCE_DAYS = 2;
const [SUNDAY, SATURDAY] = [0, 6];

/**
 * The whole working days between two instants, in UTC. Banks book nothing on a Saturday or Sunday;
 * holidays differ from country to country, and count as working days.
 */
export function workingDaysBetween(since: Date, now: Date): number {
  const first = Math.floor(since.getTime() / DAY_MS) + 1;
  const last = Math.floor(now.getTime() / DAY_MS);
  // A year bounds the loop: longer silences make no difference.
  const days = Math.min(Math.max(0, last - first), 366);
  let working = 0;
  for (let day = first; day < first + days; day += 1) {
    const weekday = new Date(day * DAY_MS).getUTCDay();
    if (weekday !== SATURDAY && weekday !== SUNDAY) working += 1;
  }
  return working;
}

/** Whether no file came for longer than two working days. */
export function isSilent(since: Date | null, now: Date): boolean {
  return since !== null && workingDaysBetween(since, now) > LONGEST_SILENCE_DAYS - 1;
}
