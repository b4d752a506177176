import { KeyCounter } from '#lib/key-counter.ts';
import type { ClaimedDelivery } from './lease-store.ts';

/** At least 1,024 exchanges at once: listeners that hang for 15 s must not stop the others. */
const SLOTS = 1_024;
/** A quarter stays free for first attempts, however many retries are due. */
const MAX_RETRIES = 768;
/** The bound of requests of a merchant to one origin at once (delivery §1, promise 8). */
export const MAX_PER_ORIGIN = 8;
/** A merchant's failing listeners leave three quarters to the others. */
const MAX_PER_MERCHANT = 256;
/**
 * The fair share of an origin. Deliveries over the share may use only half of the merchant's slots
 * and half of all: many listeners that begin to hang at once, with eight requests each, must leave
 * slots for the others.
 */
const FAIR_PER_ORIGIN = 2;
/** Bounds the bodies that one claim brings into memory, and how long its statement takes. */
const MAX_PER_CLAIM = 100;

/** The sender's free slots. */
export interface ClaimLimits extends Omit<Bounds, 'slots'> {
  readonly most: number;
  /** How many of each the sender has under way. */
  readonly sendingTo: ReadonlyMap<string, number>;
  readonly sendingAt: ReadonlyMap<string, number>;
  readonly sendingFor: ReadonlyMap<string, number>;
}

type SlotUse = Pick<
  ClaimedDelivery,
  'destination' | 'origin' | 'merchantId' | 'attempts' | 'serialisedAt'
>;

/** Whether a delivery is not a first attempt that is due. */
const isRetry = ({ attempts, serialisedAt }: SlotUse) => attempts > 0 || serialisedAt !== null;

/**
 * The slots of one process: who uses them at the moment, and so what may be claimed.
 *
 * The last claim remembers the limits that it met: only there does the end of an exchange ask for
 * another claim.
 */
export class DeliverySlots {
  readonly #bounds: Bounds;
  #sending = 0;
  #retries = 0;
  readonly #sendingTo = new KeyCounter();
  readonly #sendingAt = new KeyCounter();
  readonly #sendingFor = new KeyCounter();
  #isAllInUse = false;
  #isFairShareUsed = false;
  #areRetriesLeft = false;
  #fullOrigins: ReadonlySet<string> = new Set();
  #fullMerchants: ReadonlySet<string> = new Set();

  /** @param senders processes that share all limits, each with its part */
  constructor(senders = 1) {
    this.#bounds = boundsOf(senders);
  }

  /** How much may be claimed now; null when every slot is in use. */
  limits(): ClaimLimits | null {
    const { slots, ...bounds } = this.#bounds;
    this.#isAllInUse = this.#sending >= slots;
    if (this.#isAllInUse) return null;
    return {
      ...bounds,
      most: Math.min(slots - this.#sending, MAX_PER_CLAIM),
      mostRetries: bounds.mostRetries - this.#retries,
      mostOverShare: Math.max(0, bounds.mostOverShare - this.#sending),
      sendingTo: this.#sendingTo.snapshot(),
      sendingAt: this.#sendingAt.snapshot(),
      sendingFor: this.#sendingFor.snapshot(),
    };
  }

  /**
   * How much a claim may take that knows only the limit of an origin, because so many deliveries
   * more cannot meet another one; null: the last claim met a limit, or they could.
   */
  limitsForNamed(): ClaimLimits | null {
    const free = this.#bounds.mostPerMerchantOverShare - this.#sending;
    const limits = this.isAnyLimitMet || free <= 0 ? null : this.limits();
    return limits && { ...limits, most: Math.min(free, limits.most) };
  }

  /** Takes a slot for each delivery that was claimed within `limits`. */
  take(limits: ClaimLimits, claimed: readonly SlotUse[]): void {
    const at = new KeyCounter(limits.sendingAt);
    const of = new KeyCounter(limits.sendingFor);
    for (const use of claimed) {
      this.#change(use, 1);
      at.add(use.origin);
      of.add(use.merchantId);
    }
    this.#isFairShareUsed = this.#sending >= this.#bounds.mostOverShare;
    this.#areRetriesLeft = claimed.filter(isRetry).length >= limits.mostRetries;
    this.#fullOrigins = at.keysFrom(limits.mostPerOrigin);
    this.#fullMerchants = of.keysFrom(limits.mostPerMerchantOverShare);
  }

  /** Whether the last claim met a limit: a process with free slots may send what was left. */
  get isAnyLimitMet(): boolean {
    return (
      this.#isAllInUse ||
      this.#isFairShareUsed ||
      this.#areRetriesLeft ||
      this.#fullOrigins.size > 0 ||
      this.#fullMerchants.size > 0
    );
  }

  /** @returns whether a delivery that the last claim had to leave may have waited for this slot */
  free(use: SlotUse): boolean {
    this.#change(use, -1);
    return (
      use.serialisedAt !== null ||
      this.#isAllInUse ||
      this.#isFairShareUsed ||
      (this.#areRetriesLeft && isRetry(use)) ||
      this.#fullOrigins.has(use.origin) ||
      this.#fullMerchants.has(use.merchantId)
    );
  }

  #change(use: SlotUse, by: 1 | -1): void {
    const { destination, origin, merchantId } = use;
    this.#sending += by;
    if (isRetry(use)) this.#retries += by;
    const count = by === 1 ? 'add' : 'remove';
    this.#sendingTo[count](destination);
    this.#sendingAt[count](origin);
    this.#sendingFor[count](merchantId);
  }
}

/**
 * Each of several processes has its part of all limits, so that a receiver is never opened more
 * connections than by one process. All slots are a guaranteed minimum and round up; the other
 * limits are maxima and round down.
 */
function boundsOf(senders: number) {
  const slots = Math.ceil(SLOTS / senders);
  const mostPerMerchant = Math.floor(MAX_PER_MERCHANT / senders);
  return {
    slots,
    mostRetries: Math.floor(MAX_RETRIES / senders),
    /** Counts one merchant; its endpoints and webhook URLs together. */
    mostPerOrigin: Math.max(1, Math.floor(MAX_PER_ORIGIN / senders)),
    mostPerMerchant,
    /** The fair share: the next two limits hold for an origin's deliveries over the share. */
    fairPerOrigin: Math.max(1, Math.floor(FAIR_PER_ORIGIN / senders)),
    mostPerMerchantOverShare: Math.floor(mostPerMerchant / 2),
    mostOverShare: Math.floor(slots / 2),
  };
}

type Bounds = Readonly<ReturnType<typeof boundsOf>>;
