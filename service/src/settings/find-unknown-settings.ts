/** A name that looks like a setting but is unknown. */
export interface UnknownSetting {
  readonly name: string;
  /** The setting with a similar name; null: none. */
  readonly suggestion: string | null;
}

/** Two typing mistakes. Short names would be similar to every name. */
const MOST_SLIPS = 2;
const SHORTEST_COMPARED = 7;
/** Prefixes that other programs' variables share. */
const SHARED_BEGINNINGS = ['DATABASE_', 'LOG_', 'MAX_', 'START_'];
/** Variables of systemd's own whose beginnings are ours: see systemd.exec(5). */
const OF_SYSTEMD = ['CREDENTIALS_DIRECTORY', 'RUNTIME_DIRECTORY'];
/** Names that a settings file may hold for Node, libpq and the system. */
const FOREIGN = /^(NODE_|OTEL_|PG|LC_|SSL_CERT_|UV_)|^(TZ|LANG|PATH|HOME|TMPDIR|NO_COLOR)$/;

/**
 * Finds names of an environment that look like settings of this service and are unknown. Variables
 * of other programs are not reported.
 */
export function findUnknownSettings(
  names: readonly string[],
  known: readonly string[],
): readonly UnknownSetting[] {
  const beginnings = beginningsOf(known);
  return names
    .filter((name) => !known.includes(name) && !OF_SYSTEMD.includes(name))
    .map((name) => ({ name, suggestion: nearest(name, known) }))
    .filter(
      ({ name, suggestion }) =>
        suggestion !== null || beginnings.some((beginning) => name.startsWith(beginning)),
    );
}

/** Finds every name of a settings file that neither this service nor its platform reads. */
export function findUnknownInFile(
  names: readonly string[],
  known: readonly string[],
): readonly UnknownSetting[] {
  return names
    .filter((name) => !known.includes(name) && !FOREIGN.test(name))
    .map((name) => ({ name, suggestion: nearest(name, known) }));
}

/** Names the unknown setting, and the similar name that was perhaps meant. */
export function describeUnknown({ name, suggestion }: UnknownSetting): string {
  return suggestion === null
    ? `${name} is no setting`
    : `${name} is no setting: did you mean ${suggestion}?`;
}

function beginningsOf(known: readonly string[]): string[] {
  const beginnings = known.map((name) => name.slice(0, name.lastIndexOf('_') + 1));
  return beginnings.filter((each) => each !== '' && !SHARED_BEGINNINGS.includes(each));
}

function nearest(name: string, known: readonly string[]): string | null {
  if (name.length < SHORTEST_COMPARED) return null;
  const near = known
    .filter((each) => each.length >= SHORTEST_COMPARED)
    .map((each) => ({ each, slips: slipsBetween(name.toUpperCase(), each) }))
    .sort((left, right) => left.slips - right.slips)[0];
  return near && near.slips <= MOST_SLIPS ? near.each : null;
}

/** Levenshtein's distance; the exact value above `MOST_SLIPS` does not matter. */
function slipsBetween(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > MOST_SLIPS) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + Number(left[i - 1] !== right[j - 1]);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? Number.POSITIVE_INFINITY;
}
