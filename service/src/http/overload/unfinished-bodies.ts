import { networkOf } from './address-limit.ts';

/** The most bodies under way of callers with an API key: 64 KiB each are 64 MiB. */
const MOST_OF_MERCHANTS = 1_000;
/** The most of all others: 8 KiB each are 32 MiB. */
const MOST_OF_OTHERS = 4_000;
/**
 * The most from one address without an API key: an office, or all payers behind a proxy. A body
 * arrives within milliseconds; at 1,500 new connections a second the oldest has 0.6 s.
 */
const MOST_OF_AN_ADDRESS = 1_000;
/** A form is one packet; two lost packets are sent again within 3 s. */
export const FORM_TIMEOUT_MS = 5_000;

export type BodyEnd = 'late' | 'evicted';

export interface UnfinishedBody {
  readonly address: string;
  /** Whether the head had a valid API key. */
  readonly isOfMerchant: boolean;
  /** Called when the body is to be given up. */
  readonly onEnd: (how: BodyEnd) => void;
}

export type UnfinishedBodies = ReturnType<typeof createUnfinishedBodies>;

/**
 * Bounds the bodies that have not arrived whole. A body over a bound evicts the oldest one, because
 * honest bodies are young: a caller that holds connections open evicts only its own.
 */
export function createUnfinishedBodies() {
  const ofMerchants = new Set<UnfinishedBody>();
  const ofOthers = new Set<UnfinishedBody>();
  const ofAddress = new Map<string, Set<UnfinishedBody>>();

  function forget(body: UnfinishedBody, address: string): void {
    ofMerchants.delete(body);
    ofOthers.delete(body);
    const mates = ofAddress.get(address);
    mates?.delete(body);
    if (mates?.size === 0) ofAddress.delete(address);
  }

  function addToAddress(body: UnfinishedBody, address: string): void {
    const mates = ofAddress.get(address) ?? new Set();
    evictOldest(mates, MOST_OF_AN_ADDRESS);
    // The eviction may have emptied the set, and removed it.
    ofAddress.set(address, mates.add(body));
  }

  return {
    /** @returns ends the watch over the body; again: nothing happens. */
    add(body: UnfinishedBody) {
      const { isOfMerchant } = body;
      // An address of IPv6 counts with its network of 64 bits, which one caller has.
      const address = isOfMerchant ? '' : networkOf(body.address);
      const all = isOfMerchant ? ofMerchants : ofOthers;
      evictOldest(all, isOfMerchant ? MOST_OF_MERCHANTS : MOST_OF_OTHERS);
      if (!isOfMerchant) addToAddress(body, address);
      all.add(body);
      const late = isOfMerchant
        ? undefined
        : setTimeout(() => body.onEnd('late'), FORM_TIMEOUT_MS).unref();
      return () => {
        clearTimeout(late);
        forget(body, address);
      };
    },
    count: () => ofMerchants.size + ofOthers.size,
  };
}

/** Makes sure that one more stays within the bound. A set keeps the order of its additions. */
function evictOldest(bodies: ReadonlySet<UnfinishedBody>, most: number): void {
  if (bodies.size < most) return;
  const [oldest] = bodies;
  oldest?.onEnd('evicted');
}
