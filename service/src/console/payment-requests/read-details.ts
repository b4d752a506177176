import { readOpenRefund } from '#approvals/read-open-proposal.ts';
import { readOpenCaseAbout } from '#cases/read/read-open-cases.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { Visit } from '#console/shell/visit.ts';
import { readEntriesOfRequest } from '#ledger/entries/read-entries.ts';
import { findAuditEntriesAbout } from '#merchants/audit-log-store.ts';
import { MESSAGE_LIST } from '#messages/calls/message-list.ts';
import { findWaitingErasure } from '#payment-requests/erasure/carry-out.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { readWaitingCents } from '#payment-requests/network/money/read-waiting.ts';
import {
  readTimelineVersions,
  timelinePageId,
} from '#payment-requests/timeline/follow-timelines.ts';
import { readTimeline, type TimelineEntry } from '#payment-requests/timeline/read-timeline.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { refundList } from '#refunds/read/refund-list.ts';
import { warnOfName } from '#sandbox/create-sandbox-creation-hooks.ts';
import { DELIVERY_LIST } from '#webhooks/deliveries/delivery-list.ts';
import { readSentEvents } from '#webhooks/deliveries/read-sent-events.ts';
import { newestFirst } from './timeline-entry.ts';

/** A page of each list: the largest that the use cases give. */
const PAGE = 100;
/** A payment request with several listeners that fail for days has some hundred entries. */
const MOST_HISTORY = 500;

export type RequestDetailsDeps = Pick<ConsoleDeps, 'db' | 'clock' | 'environment' | 'currency'>;

/** Everything about one payment request. */
export type RequestDetails = Awaited<ReturnType<typeof readRequestDetails>>;

/**
 * Reads a merchant's payment request with everything that happened to it, by the use cases of the
 * API: each statement reads an index by the payment request.
 *
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, also for another merchant's
 */
export async function readRequestDetails(
  deps: RequestDetailsDeps,
  { merchantId, now }: Pick<Visit, 'merchantId' | 'now'>,
  asked: string,
) {
  const { db } = deps;
  const pageId = timelinePageId(merchantId, asked);
  // The version is read before the rest, so that no change is missed.
  const version = (await readTimelineVersions(db, [pageId])).get(pageId) ?? 0;
  const paymentRequest = paymentRequestAt(await findOwnPaymentRequest(db, merchantId, asked), now);
  const { id } = paymentRequest;
  const history = await readHistory(deps, merchantId, id);
  const sent = await readSentEvents(db, merchantId, id);
  const ofRequest = { paymentRequestId: id, limit: PAGE };
  const { data: deliveries } = await DELIVERY_LIST.readPage(db, merchantId, ofRequest, []);
  const { data: refunds } = await refundList(deps).readPage(db, merchantId, ofRequest, []);
  const { data: messages } = await MESSAGE_LIST.readPage(db, id, { limit: PAGE }, []);
  const movements = await readEntriesOfRequest({ db }, merchantId, id);
  const acts = await findAuditEntriesAbout(db, membersAbout(id, refunds), PAGE);
  const erasure = await findWaitingErasure(db, id);
  const urlsOf = (eventId: string) => deliveries.filter((each) => each.eventId === eventId).length;
  return {
    paymentRequest,
    version,
    refunds,
    /** Money that waits for an operator's decision. */
    waitingCents: await readWaitingCents(db, id),
    /** The proposal of a refund that waits for another person; null: none does. */
    openRefund: paymentRequest.payment && (await readOpenRefund(deps, merchantId, id)),
    openCase: await readOpenCaseAbout(db, merchantId, id),
    messages,
    deliveries,
    erasure,
    events: new Map(sent.map((event) => [event.id, event])),
    /** The history has more than the page shows: its latest entries are missing. */
    isCut: history.length >= MOST_HISTORY,
    entries: newestFirst([
      ...history.map((entry) => ({ kind: 'HISTORY', at: entry.occurredAt, entry }) as const),
      ...sent.toReversed().map((event) => {
        return { kind: 'EVENT', at: event.createdAt, event, urls: urlsOf(event.id) } as const;
      }),
      ...movements.map((movement) => {
        return { kind: 'MOVEMENT', at: movement.createdAt, movement } as const;
      }),
      ...acts.toReversed().map((act) => ({ kind: 'ACT', at: act.occurredAt, act }) as const),
    ]),
  };
}

async function readHistory(
  { db, clock, environment }: RequestDetailsDeps,
  merchantId: string,
  id: string,
): Promise<readonly TimelineEntry[]> {
  const deps = { db, clock, ...(environment === 'sandbox' && { warningOf: warnOfName }) };
  const entries: TimelineEntry[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: PAGE, ...(cursor !== null && { cursor }) };
    const page: Awaited<ReturnType<typeof readTimeline>> = await readTimeline(
      deps,
      merchantId,
      id,
      query,
      [],
    );
    entries.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null && entries.length < MOST_HISTORY);
  return entries;
}

/** The members of an audit entry's details that make it an act on this payment request. */
function membersAbout(paymentRequestId: string, refunds: readonly Refund[]) {
  return [
    { paymentRequestId },
    { paymentRequestIds: [paymentRequestId] },
    ...refunds.map(({ id }) => ({ refundId: id })),
  ];
}
