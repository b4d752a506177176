import { isIPv6 } from 'node:net';
import type { Clock } from '#lib/clock.ts';

export type AddressLimit = ReturnType<typeof createAddressLimit>;

export interface AddressLimitOptions {
  readonly clock: Clock;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Two tables of this size take about 20 MB, for more than 1,600 new payers a second in a window of
 * a minute. When one is full the older one is dropped: those who flood from many addresses lose
 * their own counts, and no address ever counts for another.
 */
const MOST_COUNTS = 100_000;

/**
 * Counts by source address in windows of a fixed length, in this process alone. An address of IPv6
 * counts with its network of 64 bits: one household has all of those.
 */
export function createAddressLimit({ clock, limit, windowMs }: AddressLimitOptions) {
  let window = Number.NaN;
  let counts = new Map<string, number>();
  let older = new Map<string, number>();

  function beginWindow(): void {
    const current = Math.floor(clock.now().getTime() / windowMs);
    if (current === window) return;
    window = current;
    counts = new Map();
    older = new Map();
  }

  return {
    /**
     * Counts one call of the address; whether the count is within the limit.
     * @param of one more key: the address counts apart for each
     */
    count(address: string, of = '') {
      beginWindow();
      const key = `${networkOf(address)} ${of}`;
      const count = (counts.get(key) ?? older.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (counts.size >= MOST_COUNTS) {
        older = counts;
        counts = new Map();
      }
      return count <= limit;
    },
    /** Whether a further call would be beyond the limit; counts nothing. */
    isSpent(address: string, of = '') {
      beginWindow();
      const key = `${networkOf(address)} ${of}`;
      return (counts.get(key) ?? older.get(key) ?? 0) >= limit;
    },
    /** Seconds until every count starts again at 0. */
    retryAfterSeconds: () => Math.ceil((windowMs - (clock.now().getTime() % windowMs)) / 1_000),
  };
}

/**
 * The network of one household or one machine: an IPv4 address, or the first half of an IPv6
 * address.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`;
}
