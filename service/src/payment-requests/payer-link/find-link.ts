import { batchLookups } from '#database/batch-lookups.ts';
import type { Executor } from '#database/database.ts';
import { createAddressLimit } from '#http/overload/address-limit.ts';
import type { Clock } from '#lib/clock.ts';
import { isShortCode } from '#payment-requests/model/short-code.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import { findPaymentLinks, type PaymentLink } from './link-store.ts';

const MINUTE_MS = 60_000;
/** A person mistypes a link a few times; a program that tries codes sends more. */
export const MOST_MISSES = 20;
/** Five a second of one link from one address: no payer does that, with QR code and all devices. */
const MOST_OPENINGS = 300;

/** A second's worth at full speed; later callers are refused and try again. */
const MAX_QUEUE = 5_000;

export type OpenedLink =
  | { readonly outcome: 'FOUND'; readonly link: PaymentLink }
  | { readonly outcome: 'NOT_FOUND' }
  | { readonly outcome: 'TOO_MANY'; readonly retryAfterSeconds: number };

export interface FindOpenedLinkDeps {
  readonly db: Executor;
  readonly clock: Clock;
  readonly metrics: DatabaseMetrics;
}

/** Finds the link of a short code. Throws DatabaseUnavailable. */
export type FindOpenedLink = (shortCode: string, address: string) => Promise<OpenedLink>;

/**
 * Finds payment links. The limits by address harm no other payer behind the address:
 * - Short codes that do not exist. The look-up comes first, so that a link that exists is never
 *   refused for other people's guesses. A guess cannot succeed (95 bits): the limit is for the log.
 * - Openings of one and the same link. All payers may share one address (an office, a carrier, a
 *   proxy that is not trusted): a limit on all links of an address would be everybody's limit.
 * Look-ups that come at the same moment are batched into one statement.
 */
export function findOpenedLinks({ db, clock, metrics }: FindOpenedLinkDeps): FindOpenedLink {
  const find = batchLookups({
    db,
    find: findPaymentLinks,
    maxQueue: MAX_QUEUE,
    onBatch: (size) => metrics.batched('link', size),
  });
  const misses = createAddressLimit({ clock, limit: MOST_MISSES, windowMs: MINUTE_MS });
  const openings = createAddressLimit({ clock, limit: MOST_OPENINGS, windowMs: MINUTE_MS });

  return async (shortCode, address) => {
    const link = isShortCode(shortCode) ? await find(shortCode) : null;
    const limit = link ? openings : misses;
    const isWithin = limit.count(address, link ? shortCode : '');
    if (!isWithin) return { outcome: 'TOO_MANY', retryAfterSeconds: limit.retryAfterSeconds() };
    return link ? { outcome: 'FOUND', link } : { outcome: 'NOT_FOUND' };
  };
}
