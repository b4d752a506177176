import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { CURSOR_FAULTS, cutPage, type Page } from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { planExpiry } from '#payment-requests/model/plan-change.ts';
import { findWebhookAttempts, type WebhookAttempt } from '#webhooks/deliveries/attempt-store.ts';
import {
  comparePositions,
  decodeTimelineCursor,
  encodeTimelineCursor,
  type TimelinePosition,
} from './position.ts';
import { DEFAULT_TIMELINE_LIMIT, type TimelineQuery } from './schemas.ts';
import { findTimelineEntries, type StoredTimelineEntry } from './timeline-store.ts';

/** Last in its millisecond: an attempt follows the change that it reports. */
const ATTEMPT_RANK = 3;
const STATUS_RANK = 2;

/** After the creation, in its millisecond; a stored entry's key is greater. */
const NOTE = { rank: 1, key: '0'.padStart(20, '0'), requestId: null };

export interface TimelineDeps {
  readonly db: Executor;
  readonly clock: Clock;
  /** In the sandbox: a warning of a payer's name, for the integrator; null: none. */
  readonly warningOf?: (payerName: string) => string | null;
}

export type TimelineEntry =
  | StoredTimelineEntry
  | (TimelinePosition & {
      readonly type: 'SANDBOX_NOTE';
      readonly requestId: null;
      readonly details: { readonly message: string };
    })
  | (TimelinePosition & { readonly type: 'WEBHOOK_ATTEMPTED'; readonly details: WebhookAttempt });

/**
 * The history of a payment request, oldest first (contract §4, Timeline): from the beginning, or
 * from where a page ended.
 *
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, VALIDATION_ERROR with the faults of the parameters.
 */
export async function readTimeline(
  { db, clock, warningOf }: TimelineDeps,
  merchantId: string,
  id: string,
  query: Partial<TimelineQuery>,
  faults: readonly FieldFault[],
): Promise<Page<TimelineEntry>> {
  const { limit, after } = readQuery(query, faults);
  const found = await findOwnPaymentRequest(db, merchantId, id);
  // An entry beyond the limit shows that there is a next page.
  const most = limit + 1;
  const entries = await findTimelineEntries(db, found.id, after, most);
  const attempts = await findWebhookAttempts(db, {
    paymentRequestId: found.id,
    rank: ATTEMPT_RANK,
    after,
    limit: most,
  });
  const message = warningOf?.(found.payer.name) ?? null;
  const all = [
    ...entries,
    ...(message === null ? [] : [sandboxNote(found, message)]),
    ...dueExpiry(found, clock.now()),
    ...attempts.map(asEntry),
  ]
    .filter((entry) => after === null || comparePositions(entry, after) > 0)
    .sort(comparePositions)
    // The timer may have written the expiry between the two looks.
    .filter((entry, index, sorted) => {
      const before = sorted[index - 1];
      return before === undefined || comparePositions(before, entry) !== 0;
    });
  return cutPage(all, limit, encodeTimelineCursor);
}

/** @throws Problem VALIDATION_ERROR */
function readQuery(
  { limit = DEFAULT_TIMELINE_LIMIT, cursor }: Partial<TimelineQuery>,
  schemaFaults: readonly FieldFault[],
) {
  const after = typeof cursor === 'string' ? decodeTimelineCursor(cursor) : null;
  const isBad = cursor !== undefined && after === null;
  throwFaults([...schemaFaults, isBad ? CURSOR_FAULTS.NOT_A_CURSOR : null]);
  return { limit, after };
}

function sandboxNote({ createdAt: occurredAt }: PaymentRequest, message: string): TimelineEntry {
  return { type: 'SANDBOX_NOTE', occurredAt, ...NOTE, details: { message } };
}

/** An expiry that has passed and is not written yet, as it will be written. */
function dueExpiry(found: PaymentRequest, now: Date): TimelineEntry[] {
  const planned = planExpiry(found, now);
  const event = planned?.after.events.at(-1);
  if (!planned || !event) return [];
  const { after, cause } = planned;
  return [
    {
      type: 'STATUS_CHANGED',
      occurredAt: event.occurredAt,
      rank: STATUS_RANK,
      requestId: null,
      key: String(after.events.length).padStart(20, '0'),
      details: {
        status: event.status,
        cause: cause.name,
        reasonCode: after.statusReason?.code ?? null,
      },
    },
  ];
}

function asEntry(attempt: WebhookAttempt): TimelineEntry {
  const { startedAt: occurredAt, key } = attempt;
  return { type: 'WEBHOOK_ATTEMPTED', occurredAt, rank: ATTEMPT_RANK, key, details: attempt };
}
