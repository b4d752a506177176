import type { Database } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/new-id.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { type PaymentRequest, paymentRequestAt } from '#payment-requests/model/payment-request.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { CSV_HEADER, paymentRequestLine } from './csv-columns.ts';
import type { PaymentRequestFilters } from './filters.ts';
import { readListQuery } from './list-payment-requests.ts';
import { findPaymentRequestPage } from './list-store.ts';
import type { ListQuery } from './schemas.ts';
import {
  giveBackStreamLease,
  renewStreamLease,
  type StreamLease,
  takeStreamLease,
} from './stream-lease-store.ts';

export interface StreamDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: PublicSettings;
}

export interface StreamCalls {
  readonly checkAgain: () => Promise<void>;
  readonly onTooSlow: () => void;
}

export interface PaymentRequestStream {
  /** CSV text, a batch a chunk; asking for a chunk reads its batch from the database. */
  readonly chunks: AsyncIterable<string>;
  /** Gives the lease back, for the merchant's next stream. Call `end` after every stream. */
  end(): Promise<void>;
}

/** Some 250 KB of text and 20 ms of the database: too short to delay other calls. */
const BATCH = 500;
/** With fewer matches than this, the index of amounts is used instead of further batches. */
const ENOUGH = 100;
/** A caller that needs longer for a batch has stopped reading: 3 KB/s is slower than any line. */
const LONGEST_BATCH_MS = 60_000;
/** Longer than the longest batch; after a killed process the merchant waits at most this long. */
const LEASE_MS = 90_000;
/** Streams take seconds to minutes. */
const RETRY_AFTER_SECONDS = '10';

/** @throws Problem VALIDATION_ERROR with all faults of a stream's parameters at once. */
export function readStreamQuery(
  merchantId: string,
  query: Partial<ListQuery>,
  faults: readonly FieldFault[],
): PaymentRequestFilters {
  return readListQuery(merchantId, query, [...pagingFaults(query), ...faults]).filters;
}

/**
 * Streams a merchant's matching payment requests, newest first, as CSV (contract §4, List). The
 * first batch is read before the function returns, so that an early failure can be answered. Each
 * batch is a statement of its own: no transaction and no connection lasts longer.
 *
 * @param checkAgain runs before each further batch; an error ends the stream.
 * @param onTooSlow runs when the caller does not take a batch in time; it should end the stream.
 * @throws Problem RATE_LIMITED while the merchant has another stream.
 */
export async function streamPaymentRequests(
  deps: StreamDeps,
  merchantId: string,
  filters: PaymentRequestFilters,
  { checkAgain, onTooSlow }: StreamCalls,
): Promise<PaymentRequestStream> {
  const lease: StreamLease = { merchantId, token: newId() };
  if (!(await takeStreamLease(deps.db, lease, LEASE_MS))) throw tooManyStreams();
  let isOver = false;

  async function next(after: PaymentRequest | null): Promise<PaymentRequest[]> {
    const { db, clock } = deps;
    const now = clock.now();
    const asked = { merchantId, filters, now, after, limit: BATCH, enough: ENOUGH };
    return (await findPaymentRequestPage(db, asked)).map((each) => paymentRequestAt(each, now));
  }

  async function* batches(first: PaymentRequest[]): AsyncGenerator<PaymentRequest[]> {
    let batch = first;
    for (let last = batch.at(-1); last; last = batch.at(-1)) {
      yield batch;
      await checkAgain();
      if (!(await renewStreamLease(deps.db, lease, LEASE_MS))) throw new Error('lease lost');
      batch = await next(last);
    }
    // Free the lease before the stream ends: its caller may start the next stream at once.
    await end().catch(() => {});
  }

  async function end(): Promise<void> {
    if (isOver) return;
    await giveBackStreamLease(deps.db, lease);
    isOver = true;
  }

  try {
    const first = await next(null);
    return { chunks: chunks(deps.settings, batches(first), onTooSlow), end };
  } catch (error) {
    // If this fails too, the lease expires.
    await end().catch(() => {});
    throw error;
  }
}

async function* chunks(
  settings: PublicSettings,
  batches: AsyncIterable<PaymentRequest[]>,
  onTooSlow: () => void,
): AsyncGenerator<string> {
  let text = CSV_HEADER;
  for await (const batch of batches) {
    for (const each of batch) text += paymentRequestLine(each, settings);
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

/** A stream has no pages, so the parameters of a page are refused. */
function pagingFaults(query: Partial<ListQuery>): FieldFault[] {
  return (['limit', 'cursor'] as const)
    .filter((field) => query[field] !== undefined)
    .map((field) => ({
      field,
      code: 'INVALID_VALUE',
      message: `Leave ${field} out: text/csv gives all that match.`,
    }));
}

function tooManyStreams(): Problem {
  return new Problem('RATE_LIMITED', {
    detail: 'A merchant has one CSV stream at a time; ask again when the other one has ended.',
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
