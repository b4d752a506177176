/**
 * Facts on which an act rests, by name: sums, statuses and versions, no data of payers. A name that
 * ends in `Cents` is a sum.
 */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** The names of the facts that differ. */
export function changedFacts(before: Facts, now: Facts): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => (before[name] ?? null) !== (now[name] ?? null));
}

/** A sentence for each fact that has changed since the proposal. */
export function formatChanges(before: Facts, now: Facts): string {
  return changedFacts(before, now)
    .map((name) => `${name} was ${before[name] ?? 'none'} and is ${now[name] ?? 'none'}`)
    .join('; ');
}
