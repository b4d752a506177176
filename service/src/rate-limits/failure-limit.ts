import { networkOf } from '#http/overload/address-limit.ts';
import type { Clock } from '#lib/clock.ts';
import { createSecondWindow } from './second-window.ts';

/** Addresses and usernames that one process counts in a second: about 1 MB. A process that refuses
 *  more is being flooded, and refuses the rest of that second as one too many. */
const MOST_SOURCES = 10_000;
/** Ours are shorter; what is longer is nobody's, and its beginning is enough to count it by. */
const LONGEST_USERNAME = 64;

export interface FailureSource {
  /** Where the call came from; one of IPv6 counts with its network of 64 bits. */
  readonly address: string;
  /** As asked; undefined where none could be read. */
  readonly username: string | undefined;
}

export interface FailureLimit {
  /** Counts a failed token call; whether it is within the limit of its address and username. */
  count(source: FailureSource): boolean;
}

/**
 * Counts failed token calls by source address and by username (contract §7), in this process alone:
 * whoever has good credentials is never asked for it, so that nobody can lock a merchant out.
 *
 * @param limit failed calls a second; 0: no limit
 */
export function createFailureLimit({
  clock,
  limit,
}: {
  readonly clock: Clock;
  readonly limit: number;
}): FailureLimit {
  const counts = createSecondWindow(clock, () => ({ failures: 0 }));

  function isWithin(key: string): boolean {
    const count = counts.get(key);
    count.failures += 1;
    return count.failures <= limit;
  }

  return {
    count({ address, username }) {
      if (limit === 0) return true;
      if (counts.size() >= MOST_SOURCES) return false;
      // Both are counted, also where the first is over its limit.
      const isAddressWithin = isWithin(`address ${networkOf(address)}`);
      if (username === undefined) return isAddressWithin;
      return isWithin(`username ${username.slice(0, LONGEST_USERNAME)}`) && isAddressWithin;
    },
  };
}
