import type { Executor } from '#database/database.ts';
import { lookUpTogether } from '#database/look-up-together.ts';
import { createAddressLimit } from '#http/address-limit.ts';
import type { Clock } from '#lib/clock.ts';
import type { DatabaseMetrics } from '#telemetry/database-metrics.ts';
import { findPaymentLinks, type PaymentLink } from './payment-link-store.ts';
import { isShortCode } from './short-code.ts';

const MINUTE_MS = 60_000;
/** A person mistypes a link a few times; more is somebody who tries codes. */
const MOST_MISSES = 20;
/** A whole office behind one address, with its QR codes and pages that follow. */
const MOST_OPENINGS = 1_200;

/** A second's worth at full speed; whoever comes behind that had better come back. */
const MOST_WAITING = 5_000;

export type OpenedLink =
  | { readonly outcome: 'FOUND'; readonly link: PaymentLink }
  | { readonly outcome: 'NOT_FOUND' }
  | { readonly outcome: 'TOO_MANY'; readonly retryAfterSeconds: number };

export interface FindOpenedLinkDeps {
  readonly db: Executor;
  readonly clock: Clock;
  readonly metrics: DatabaseMetrics;
}

/** Finds what a short code that somebody opened stands for. Throws DatabaseUnavailable. */
export type FindOpenedLink = (shortCode: string, address: string) => Promise<OpenedLink>;

/**
 * Finds links for addresses that keep within their limits a minute. Codes cannot be guessed (95
 * bits); the limits keep those who try from costing anybody anything. Those who come together share
 * a statement.
 */
export function findOpenedLinks({ db, clock, metrics }: FindOpenedLinkDeps): FindOpenedLink {
  const find = lookUpTogether({
    db,
    find: findPaymentLinks,
    mostWaiting: MOST_WAITING,
    onRun: (size) => metrics.gathered('link', size),
  });
  const misses = createAddressLimit({ clock, limit: MOST_MISSES, windowMs: MINUTE_MS });
  const openings = createAddressLimit({ clock, limit: MOST_OPENINGS, windowMs: MINUTE_MS });

  return async (shortCode, address) => {
    if (!openings.count(address) || !misses.isWithin(address)) {
      return { outcome: 'TOO_MANY', retryAfterSeconds: openings.retryAfterSeconds() };
    }
    const link = isShortCode(shortCode) ? await find(shortCode) : null;
    if (link) return { outcome: 'FOUND', link };
    misses.count(address);
    return { outcome: 'NOT_FOUND' };
  };
}
