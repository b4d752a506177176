import type { ConsoleDeps } from '#console/console-deps.ts';
import type { Foundation } from './foundation.ts';

/** The needs of the console. */
export function consoleDepsOf({ config, db, reads, clock }: Foundation): ConsoleDeps {
  const { environment, cell, timeZone, currency, publicApiUrl } = config;
  const { origin } = new URL(publicApiUrl);
  return { db, reads, clock, environment, cell, origin, timeZone, currency, settings: config };
}
