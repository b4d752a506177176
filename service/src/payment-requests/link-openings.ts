import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { insertLinkOpenings, type LinkOpening } from './timeline-store.ts';

/** Of each payment request: enough to see that a payer came, and how often they came back. */
const MOST_KEPT = 20;
/** One statement's rows; a few milliseconds. */
const MOST_AT_ONCE = 100;
/** What waits while one statement runs; beyond it openings are forgotten. */
const MOST_WAITING = 1_000;

export interface LinkOpenings {
  /** Notes that a link was opened; it is written soon. Never waits, never throws. */
  note(paymentRequestId: string): void;
  /** Resolves when what was noted is written or given up. */
  settle(): Promise<void>;
}

/**
 * Writes openings of links into the timeline, beside the pages and never in their way: one
 * statement at a time, for all that were noted meanwhile. What cannot be written is given up: an
 * opening changes no status, and a page must not fail for it.
 */
export function createLinkOpenings({
  db,
  clock,
}: {
  readonly db: Executor;
  readonly clock: Clock;
}): LinkOpenings {
  let waiting: LinkOpening[] = [];
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      await insertLinkOpenings(db, batch, MOST_KEPT).catch(() => {
        waiting = [];
      });
    }
    writing = null;
  }

  return {
    note(paymentRequestId) {
      if (waiting.length >= MOST_WAITING) return;
      waiting.push({ paymentRequestId, openedAt: clock.now() });
      writing ??= writeAll();
    },
    async settle() {
      await writing;
    },
  };
}
