import { isIPv6 } from 'node:net';
import type { Clock } from '#lib/clock.ts';

export interface AddressLimit {
  /** Counts one for the address; whether it is within the limit. */
  count(address: string): boolean;
  /** Whether one more would be within the limit of the address. */
  isWithin(address: string): boolean;
  /** Seconds until everybody's count starts anew. */
  retryAfterSeconds(): number;
}

export interface AddressLimitOptions {
  readonly clock: Clock;
  readonly limit: number;
  readonly windowMs: number;
}

/** About 20 MB of counts, and more than 3,000 payers a second in a window of a minute. A process
 *  that sees more is being flooded, and counts those that it does not know yet as one. */
const MOST_ADDRESSES = 200_000;
const ALL_OTHERS = 'all others';

/**
 * Counts by source address in windows of a fixed length, in this process alone. An address of IPv6
 * counts with its network of 64 bits: one household has all of those.
 */
export function createAddressLimit({ clock, limit, windowMs }: AddressLimitOptions): AddressLimit {
  let window = Number.NaN;
  let counts = new Map<string, number>();

  function countsOfNow(): Map<string, number> {
    const current = Math.floor(clock.now().getTime() / windowMs);
    if (current !== window) {
      window = current;
      counts = new Map();
    }
    return counts;
  }

  function keyOf(address: string): string {
    const key = networkOf(address);
    const isNew = !countsOfNow().has(key) && counts.size >= MOST_ADDRESSES;
    return isNew ? ALL_OTHERS : key;
  }

  return {
    count(address) {
      const key = keyOf(address);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count <= limit;
    },
    isWithin: (address) => (countsOfNow().get(keyOf(address)) ?? 0) < limit,
    retryAfterSeconds: () => Math.ceil((windowMs - (clock.now().getTime() % windowMs)) / 1_000),
  };
}

/** What one household or one machine has: an IPv4 address, or the first half of an IPv6 address. */
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
