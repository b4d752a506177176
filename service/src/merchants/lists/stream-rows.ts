import type { Executor } from '#database/database.ts';
import type { AllRows } from '#database/lists/list.ts';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import type { CsvForm } from '#lib/csv.ts';
import { newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import {
  giveBackStreamLease,
  renewStreamLease,
  type StreamLease,
  takeStreamLease,
} from './stream-lease-store.ts';

/** Some 250 KB of text and 20 ms of the database: too short to delay other calls. */
const STREAM_BATCH = 500;
/** A caller that needs longer for a batch has stopped reading: 3 KB/s is slower than any line. */
const LONGEST_BATCH_MS = 60_000;
/** Longer than the longest batch; after a killed process the merchant waits at most this long. */
const LEASE_MS = 90_000;
/** Streams take seconds to minutes. */
const RETRY_AFTER_SECONDS = '10';

/** The rows of a stream, and their form. */
export interface StreamedRows<Row> {
  /** Each merchant has one stream at a time; null: rows of the deployment. */
  readonly merchantId: string | null;
  /** The stream ends after the batch that reaches so many rows; left out: it has all rows. */
  readonly most?: number;
  readonly csv: CsvForm<Row>;
  readonly all: AllRows<Row>;
}

export interface StreamDeps {
  /** Holds the one stream that the merchant may have. */
  readonly db: Executor;
  readonly reads: OverviewReads;
}

export interface StreamCalls {
  readonly checkAgain: () => Promise<void>;
  readonly onTooSlow: () => void;
}

export interface CsvStream {
  /** CSV text, a batch a chunk; asking for a chunk reads its batch from the database. */
  readonly chunks: AsyncIterable<string>;
  /** Gives the lease back, for the merchant's next stream. Call `end` after every stream. */
  end(): Promise<void>;
}

/**
 * Streams rows of a merchant as CSV. The first batch is read before the function returns, so that
 * an early failure can be answered. Each batch is a statement of its own: no transaction and no
 * connection lasts longer.
 *
 * @param checkAgain runs before each further batch; an error ends the stream.
 * @param onTooSlow runs when the caller does not take a batch in time; it should end the stream.
 * @throws Problem RATE_LIMITED while the merchant has another stream.
 */
export async function streamRows<Row>(
  { db, reads }: StreamDeps,
  { merchantId, csv, all, most = Infinity }: StreamedRows<Row>,
  { checkAgain, onTooSlow }: StreamCalls,
): Promise<CsvStream> {
  const lease: StreamLease | null = merchantId === null ? null : { merchantId, token: newId() };
  if (lease && !(await takeStreamLease(db, lease, LEASE_MS))) throw tooManyStreams();
  let isOver = false;

  async function next(after: Row | null): Promise<readonly Row[]> {
    return (await reads.read((from) => all.next(from, after, STREAM_BATCH))).result;
  }

  async function* batches(first: readonly Row[]): AsyncGenerator<readonly Row[]> {
    let batch = first;
    let read = batch.length;
    for (let last = batch.at(-1); last; last = batch.at(-1)) {
      yield batch;
      if (read >= most) break;
      await checkAgain();
      if (lease && !(await renewStreamLease(db, lease, LEASE_MS))) throw new Error('lease lost');
      batch = await next(last);
      read += batch.length;
    }
    // Free the lease before the stream ends: its caller may start the next stream at once.
    await end().catch(() => {});
  }

  async function end(): Promise<void> {
    if (isOver || !lease) return;
    await giveBackStreamLease(db, lease);
    isOver = true;
  }

  try {
    const first = await next(null);
    return { chunks: chunks(csv, batches(first), onTooSlow), end };
  } catch (error) {
    // If this fails too, the lease expires.
    await end().catch(() => {});
    throw error;
  }
}

async function* chunks<Row>(
  { header, lineOf }: CsvForm<Row>,
  batches: AsyncIterable<readonly Row[]>,
  onTooSlow: () => void,
): AsyncGenerator<string> {
  let text = header;
  for await (const batch of batches) {
    for (const each of batch) text += lineOf(each);
    const overdue = setTimeout(onTooSlow, LONGEST_BATCH_MS);
    try {
      yield text;
    } finally {
      clearTimeout(overdue);
    }
    text = '';
  }
  if (text !== '') yield text;
}

function tooManyStreams(): Problem {
  return new Problem('RATE_LIMITED', {
    detail: 'A merchant has one CSV stream at a time; ask again when the other one has ended.',
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
