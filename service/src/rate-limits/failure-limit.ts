import { networkOf } from '#http/overload/address-limit.ts';
import type { Clock } from '#lib/clock.ts';
import { createSecondWindow } from './second-window.ts';

/**
 * Addresses and usernames that a process counts in a second: about 1 MB. A process with more of
 * them is under a flood, and refuses the remaining failures of that second.
 */
const MOST_SOURCES = 10_000;
/** Usernames of this service are shorter; a longer text is counted by its beginning. */
const LONGEST_USERNAME = 64;

export interface FailureSource {
  /** The caller's address; an IPv6 address counts with its network of 64 bits. */
  readonly address: string;
  /** The requested username; undefined if none could be read. */
  readonly username: string | undefined;
}

export type FailureLimit = ReturnType<typeof createFailureLimit>;

/**
 * Counts failed token calls by source address and by username (contract §7), in this process alone.
 * A call with good credentials is never counted, so that no stranger can lock a merchant out.
 *
 * @param limit failed calls a second; 0: no limit
 */
export function createFailureLimit({
  clock,
  limit,
}: {
  readonly clock: Clock;
  readonly limit: number;
}) {
  const counts = createSecondWindow(clock, () => ({ failures: 0 }));

  function isWithin(key: string): boolean {
    const count = counts.get(key);
    count.failures += 1;
    return count.failures <= limit;
  }

  return {
    /**
     * Counts a failed token call; returns whether it is within the limits of its address and
     * username.
     */
    count({ address, username }: FailureSource) {
      if (limit === 0) return true;
      if (counts.size() >= MOST_SOURCES) return false;
      // Both are counted, even if the first is over its limit.
      const isAddressWithin = isWithin(`address ${networkOf(address)}`);
      if (username === undefined) return isAddressWithin;
      return isWithin(`username ${username.slice(0, LONGEST_USERNAME)}`) && isAddressWithin;
    },
  };
}
