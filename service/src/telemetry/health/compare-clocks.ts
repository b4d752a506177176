import type { Executor } from '#database/database.ts';
import type { DatabaseClock } from '#lib/clock.ts';
import { readDatabaseNowMs } from './clock-store.ts';

/** The first sample may open a connection; the second sample measures only the round trip. */
const SAMPLES = 2;
/** The error is at most half of the round trip: a slower round trip is too inexact. */
const LONGEST_ROUND_TRIP_MS = 2_000;

/**
 * Compares this host's clock with the database's, and lets the clock follow the database's. The
 * database read its time in the middle of the round trip, within half of it.
 *
 * @returns the milliseconds by which the host's clock is ahead
 * @throws DatabaseUnavailable, or an Error when the database answers too slowly for a comparison
 */
export async function compareClocks(db: Executor, clock: DatabaseClock): Promise<number> {
  let best: { databaseMs: number; atSteadyMs: number; roundTripMs: number } | null = null;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const sentMs = clock.steadyMs();
    const databaseMs = await readDatabaseNowMs(db);
    const roundTripMs = clock.steadyMs() - sentMs;
    if (best && best.roundTripMs <= roundTripMs) continue;
    best = { databaseMs, atSteadyMs: sentMs + roundTripMs / 2, roundTripMs };
  }
  if (!best || best.roundTripMs > LONGEST_ROUND_TRIP_MS) {
    throw new Error('The database answers too slowly to compare the clocks.');
  }
  clock.follow(best.databaseMs, best.atSteadyMs);
  return clock.hostNow().getTime() - clock.now().getTime();
}
