import { createBatcher } from '#database/batcher.ts';
import type { DatabaseDeps } from '#database/database.ts';
import type { PayerStep } from '#e-transfer/e-transfer-network.ts';
import { currentCall } from '#lib/call-context.ts';
import { type BoundedNote, insertTimelineNotes, type TimelineNote } from './timeline-store.ts';

/** Notes kept by kind and payment request: enough to see that a payer came, and how often. */
const MAX_KEPT = 20;
/** The rows of one statement, which takes a few milliseconds. */
const MAX_BATCH = 100;
/** Notes that wait while a statement runs; further notes are dropped. */
const MAX_QUEUE = 1_000;

/** Notes for the timeline, written soon. They never wait and never throw. */
export type TimelineNotes = ReturnType<typeof createTimelineNotes>;

/**
 * Writes the steps of payers into the timeline, in batches beside the pages: no page waits or fails
 * for a note. A note that cannot be written is dropped, because it changes no status. When the
 * database is unavailable all notes that wait are dropped, so that a stop waits for one statement.
 */
export function createTimelineNotes({ db, clock }: DatabaseDeps) {
  const pending = new Set<Promise<void>>();
  const write = createBatcher<BoundedNote, void>({
    async run(notes) {
      await insertTimelineNotes(db, notes);
      return [];
    },
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    isSerial: true,
    rejectsQueue: true,
  });

  function note(entry: Omit<TimelineNote, 'occurredAt' | 'requestId'>, most = MAX_KEPT): void {
    const requestId = currentCall()?.requestId ?? null;
    const written: Promise<void> = write({ ...entry, occurredAt: clock.now(), requestId, most })
      .catch(() => {})
      .finally(() => pending.delete(written));
    pending.add(written);
  }

  return {
    /** The payment link was opened. */
    noteOpening: (paymentRequestId: string) =>
      note({ paymentRequestId, type: 'LINK_OPENED', details: {} }),
    /** The payer did something at the network. */
    noteStep(paymentRequestId: string, step: PayerStep) {
      // A browser without `Sec-Fetch-Mode` opens the link unnoticed; its step proves the opening.
      note({ paymentRequestId, type: 'LINK_OPENED', details: {} }, 1);
      note({ paymentRequestId, type: 'PAYER_STEP', details: { step } });
    },
    /** Resolves when every note is written or dropped. */
    async settle() {
      await Promise.all(pending);
    },
  };
}
