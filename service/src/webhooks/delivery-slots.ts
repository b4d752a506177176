import type { ClaimLimits } from './webhook-delivery-store.ts';

/** At least 1,024 exchanges at once: listeners that hang for 15 s must not stop the others. */
const MOST_SENDING = 1_024;
/** A quarter stays free for first attempts, however many retries are due. */
const MOST_RETRIES = 768;
/** What a receiver may cost us (webhook-delivery, promise 8). */
const MOST_PER_DESTINATION = 8;
/** One merchant's troubles leave three quarters to the others. */
const MOST_PER_MERCHANT = 256;
/** Bounds the bodies that one claim brings into memory, and how long its statement takes. */
const MOST_PER_CLAIM = 100;

export interface SlotUse {
  readonly destination: string;
  readonly merchantId: string;
  /** Whether this is not the delivery's first attempt. */
  readonly retry: boolean;
}

/** Who uses the sender's slots at the moment, and so what may be claimed beside it. */
export interface DeliverySlots {
  /** What may be claimed now; null when everything is in use. */
  limits(): ClaimLimits | null;
  take(use: SlotUse): void;
  /** @returns whether a limit was reached by this use: something may have waited for its end. */
  free(use: SlotUse): boolean;
}

export function createDeliverySlots(): DeliverySlots {
  let sending = 0;
  let retries = 0;
  const sendingTo = new Map<string, number>();
  const sendingFor = new Map<string, number>();

  return {
    limits() {
      if (sending >= MOST_SENDING) return null;
      return {
        most: Math.min(MOST_SENDING - sending, MOST_PER_CLAIM),
        mostRetries: MOST_RETRIES - retries,
        mostPerDestination: MOST_PER_DESTINATION,
        mostPerMerchant: MOST_PER_MERCHANT,
        sendingTo,
        sendingFor,
      };
    },
    take({ destination, merchantId, retry }) {
      sending += 1;
      if (retry) retries += 1;
      add(sendingTo, destination, 1);
      add(sendingFor, merchantId, 1);
    },
    free({ destination, merchantId, retry }) {
      const wasFull =
        sending >= MOST_SENDING ||
        (retry && retries >= MOST_RETRIES) ||
        (sendingTo.get(destination) ?? 0) >= MOST_PER_DESTINATION ||
        (sendingFor.get(merchantId) ?? 0) >= MOST_PER_MERCHANT;
      sending -= 1;
      if (retry) retries -= 1;
      add(sendingTo, destination, -1);
      add(sendingFor, merchantId, -1);
      return wasFull;
    },
  };
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
