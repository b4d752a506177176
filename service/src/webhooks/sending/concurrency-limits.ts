import { KeyCounter } from '#lib/key-counter.ts';

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
export interface ClaimLimits {
  readonly most: number;
  readonly mostRetries: number;
  /** Counts one merchant; its endpoints and webhook URLs together. */
  readonly mostPerOrigin: number;
  readonly mostPerMerchant: number;
  /** The fair share: the next two limits hold for an origin's deliveries over the share. */
  readonly fairPerOrigin: number;
  readonly mostPerMerchantOverShare: number;
  readonly mostOverShare: number;
  /** How many of each the sender has under way. */
  readonly sendingTo: ReadonlyMap<string, number>;
  readonly sendingAt: ReadonlyMap<string, number>;
  readonly sendingFor: ReadonlyMap<string, number>;
}

export interface SlotUse {
  /** An endpoint, or an origin: either may have a circuit breaker. */
  readonly destination: string;
  /** The merchant with the URL's origin, with or without an endpoint. */
  readonly origin: string;
  readonly merchantId: string;
  /** Whether this is not the delivery's first attempt. */
  readonly retry: boolean;
  /** Whether its destination is sent one delivery at a time. */
  readonly isSerialised: boolean;
}

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
    const { slots, retries, perOrigin, perMerchant, fairPerOrigin } = this.#bounds;
    this.#isAllInUse = this.#sending >= slots;
    if (this.#isAllInUse) return null;
    return {
      most: Math.min(slots - this.#sending, MAX_PER_CLAIM),
      mostRetries: retries - this.#retries,
      mostPerOrigin: perOrigin,
      mostPerMerchant: perMerchant,
      fairPerOrigin,
      mostPerMerchantOverShare: this.#bounds.perMerchantOverShare,
      mostOverShare: Math.max(0, this.#bounds.overShare - this.#sending),
      sendingTo: this.#sendingTo.snapshot(),
      sendingAt: this.#sendingAt.snapshot(),
      sendingFor: this.#sendingFor.snapshot(),
    };
  }

  /**
   * How much a claim may take that knows only the limit of an origin, because so many deliveries
   * more cannot meet another one; null: the last claim met a limit, or they could.
   */
  limitsOfFew(): ClaimLimits | null {
    const free = this.#bounds.perMerchantOverShare - this.#sending;
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
    this.#isFairShareUsed = this.#sending >= this.#bounds.overShare;
    this.#areRetriesLeft = claimed.filter(({ retry }) => retry).length >= limits.mostRetries;
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
      use.isSerialised ||
      this.#isAllInUse ||
      this.#isFairShareUsed ||
      (this.#areRetriesLeft && use.retry) ||
      this.#fullOrigins.has(use.origin) ||
      this.#fullMerchants.has(use.merchantId)
    );
  }

  #change({ destination, origin, merchantId, retry }: SlotUse, by: 1 | -1): void {
    this.#sending += by;
    if (retry) this.#retries += by;
    const count = by === 1 ? 'add' : 'remove';
    this.#sendingTo[count](destination);
    this.#sendingAt[count](origin);
    this.#sendingFor[count](merchantId);
  }
}

interface Bounds {
  readonly slots: number;
  readonly retries: number;
  readonly perOrigin: number;
  readonly perMerchant: number;
  readonly fairPerOrigin: number;
  readonly perMerchantOverShare: number;
  readonly overShare: number;
}

/**
 * Each of several processes has its part of all limits, so that a receiver is never opened more
 * connections than by one process. All slots are a guaranteed minimum and round up; the other
 * limits are maxima and round down.
 */
function boundsOf(senders: number): Bounds {
  const slots = Math.ceil(SLOTS / senders);
  const perMerchant = Math.floor(MAX_PER_MERCHANT / senders);
  return {
    slots,
    retries: Math.floor(MAX_RETRIES / senders),
    perOrigin: Math.max(1, Math.floor(MAX_PER_ORIGIN / senders)),
    perMerchant,
    fairPerOrigin: Math.max(1, Math.floor(FAIR_PER_ORIGIN / senders)),
    perMerchantOverShare: Math.floor(perMerchant / 2),
    overShare: Math.floor(slots / 2),
  };
}
