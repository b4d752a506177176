import type { Executor } from '#database/database.ts';
import type { PayerStep } from '#e-transfer/e-transfer-network.ts';
import { currentCall } from '#lib/call-context.ts';
import type { Clock } from '#lib/clock.ts';
import { insertTimelineNotes, type TimelineNote } from './timeline-store.ts';

/** Of each kind and payment request: enough to see that a payer came, and how often. */
const MOST_KEPT = 20;
/** One statement's rows; a few milliseconds. */
const MOST_AT_ONCE = 100;
/** What waits while one statement runs or the database is away; beyond it notes are forgotten. */
const MOST_WAITING = 1_000;

/** Notes for the timeline, written soon. They never wait and never throw. */
export interface TimelineNotes {
  /** The payment link was opened. */
  noteOpening(paymentRequestId: string): void;
  /** The payer did something at the network. */
  noteStep(paymentRequestId: string, step: PayerStep): void;
  /** Resolves when what was noted is written or given up. */
  settle(): Promise<void>;
}

/**
 * Writes what payers do into the timeline, beside the pages and never in their way: one statement
 * at a time, for all that was noted meanwhile. What cannot be written is given up: it changes no
 * status, and a page must not fail for it.
 */
export function createTimelineNotes({
  db,
  clock,
}: {
  readonly db: Executor;
  readonly clock: Clock;
}): TimelineNotes {
  let waiting: TimelineNote[] = [];
  let writing: Promise<void> | null = null;

  function note(entry: Omit<TimelineNote, 'occurredAt' | 'requestId'>): void {
    if (waiting.length >= MOST_WAITING) return;
    const requestId = currentCall()?.requestId ?? null;
    waiting.push({ ...entry, occurredAt: clock.now(), requestId });
    writing ??= writeAll();
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      await insertTimelineNotes(db, batch, MOST_KEPT).catch(() => {
        waiting = [];
      });
    }
    writing = null;
  }

  return {
    noteOpening: (paymentRequestId) => note({ paymentRequestId, type: 'LINK_OPENED', details: {} }),
    noteStep: (paymentRequestId, step) =>
      note({ paymentRequestId, type: 'PAYER_STEP', details: { step } }),
    async settle() {
      await writing;
    },
  };
}
