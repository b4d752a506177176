import type { ClaimLimits } from './claim-store.ts';

/** At least 1,024 exchanges at once: listeners that hang for 15 s must not stop the others. */
const MOST_SENDING = 1_024;
/** A quarter stays free for first attempts, however many retries are due. */
const MOST_RETRIES = 768;
/** The most requests of a merchant to one origin at once (delivery §1, promise 8). */
export const MOST_PER_ORIGIN = 8;
/** One merchant's troubles leave three quarters to the others. */
const MOST_PER_MERCHANT = 256;
/**
 * Beyond two of an origin, only the first half of the merchant's slots and of all may be used:
 * many listeners that begin to hang at once, with eight each, must leave room for the others.
 */
const MOST_UNCROWDED = 2;
/** Bounds the bodies that one claim brings into memory, and how long its statement takes. */
const MOST_PER_CLAIM = 100;

export interface SlotUse {
  /** An endpoint, or an origin: one of them may be in trouble. */
  readonly destination: string;
  /** The merchant with the URL's origin, with or without an endpoint. */
  readonly origin: string;
  readonly merchantId: string;
  /** Whether this is not the delivery's first attempt. */
  readonly retry: boolean;
  /** Whether it is the only one that its destination may be sent at a time. */
  readonly isAlone: boolean;
}

/** Who uses the sender's slots at the moment, and so what may be claimed beside it. */
export interface DeliverySlots {
  /** What may be claimed now; null when everything is in use. */
  limits(): ClaimLimits | null;
  /** Takes a slot for each delivery that was claimed within `limits`. */
  take(limits: ClaimLimits, claimed: readonly SlotUse[]): void;
  /** @returns whether something that the last claim had to leave may have waited for this slot */
  free(use: SlotUse): boolean;
}

/**
 * Makes the slots of one process.
 * @param senders processes that share all limits: each has its part, so that a receiver is never
 *                opened more connections than one process would open
 */
export function createDeliverySlots(senders = 1): DeliverySlots {
  // Rounded up: "at least" is what is promised of all slots, "at most" of all the others.
  const mostSending = Math.ceil(MOST_SENDING / senders);
  const mostRetries = Math.floor(MOST_RETRIES / senders);
  const mostPerOrigin = Math.max(1, Math.floor(MOST_PER_ORIGIN / senders));
  const mostPerMerchant = Math.floor(MOST_PER_MERCHANT / senders);
  const mostUncrowded = Math.max(1, Math.floor(MOST_UNCROWDED / senders));
  const mostPerMerchantCrowding = Math.floor(mostPerMerchant / 2);
  const mostCrowding = Math.floor(mostSending / 2);
  let sending = 0;
  let retries = 0;
  const sendingTo = new Map<string, number>();
  const sendingAt = new Map<string, number>();
  const sendingFor = new Map<string, number>();
  // Where the last claim met a limit: only there, the end of an exchange asks for another claim.
  let isAllInUse = false;
  let isCrowded = false;
  let areRetriesLeft = false;
  let fullOrigins: ReadonlySet<string> = new Set();
  let fullMerchants: ReadonlySet<string> = new Set();

  function change({ destination, origin, merchantId, retry }: SlotUse, by: 1 | -1): void {
    sending += by;
    if (retry) retries += by;
    add(sendingTo, destination, by);
    add(sendingAt, origin, by);
    add(sendingFor, merchantId, by);
  }

  return {
    limits() {
      isAllInUse = sending >= mostSending;
      if (isAllInUse) return null;
      return {
        most: Math.min(mostSending - sending, MOST_PER_CLAIM),
        mostRetries: mostRetries - retries,
        mostPerOrigin,
        mostPerMerchant,
        mostUncrowded,
        mostPerMerchantCrowding,
        mostCrowding: Math.max(0, mostCrowding - sending),
        sendingTo: new Map(sendingTo),
        sendingAt: new Map(sendingAt),
        sendingFor: new Map(sendingFor),
      };
    },
    take(limits, claimed) {
      const at = new Map(limits.sendingAt);
      const of = new Map(limits.sendingFor);
      for (const use of claimed) {
        change(use, 1);
        add(at, use.origin, 1);
        add(of, use.merchantId, 1);
      }
      isCrowded = sending >= mostCrowding;
      areRetriesLeft = claimed.filter(({ retry }) => retry).length >= limits.mostRetries;
      fullOrigins = keysFrom(at, limits.mostPerOrigin);
      fullMerchants = keysFrom(of, limits.mostPerMerchantCrowding);
    },
    free(use) {
      change(use, -1);
      return (
        use.isAlone ||
        isAllInUse ||
        isCrowded ||
        (areRetriesLeft && use.retry) ||
        fullOrigins.has(use.origin) ||
        fullMerchants.has(use.merchantId)
      );
    },
  };
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function keysFrom(counts: ReadonlyMap<string, number>, least: number): ReadonlySet<string> {
  return new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key));
}
