import type { Books, StoredEvent } from '../books.ts';
import type { HistoryLine } from '../history-line.ts';
import type { Findings } from './findings.ts';
import { groupBy } from './group-by.ts';

const TYPE_OF_STATUS: Readonly<Record<string, string>> = {
  PAID: 'PAYMENT-COMPLETED',
  FAILED: 'PAYMENT-FAILED',
  EXPIRED: 'PAYMENT-FAILED',
  CANCELLED: 'PAYMENT-FAILED',
};
const TYPE_OF_REFUND_STATUS: Readonly<Record<string, string>> = {
  COMPLETED: 'REFUND-COMPLETED',
  FAILED: 'REFUND-FAILED',
};

/** Every status that owes an event has one, and the events of a payment request are numbered. */
export function checkOutbox(books: Books, findings: Findings): void {
  const events = groupBy(books.events, ({ paymentRequestId }) => paymentRequestId);
  const refunds = groupBy(books.refunds, ({ paymentRequestId }) => paymentRequestId);
  const known = new Set(books.paymentRequests.map(({ id }) => id));
  for (const { id, statuses } of books.paymentRequests) {
    const owed = [
      ...statuses.map((status) => TYPE_OF_STATUS[status]),
      ...(refunds.get(id) ?? []).flatMap((refund) =>
        refund.statuses.map((status) => TYPE_OF_REFUND_STATUS[status]),
      ),
    ].filter((type) => type !== undefined);
    const stored = events.get(id) ?? [];
    const surplus = stored.map(({ type }) => type);
    for (const type of owed) {
      const at = surplus.indexOf(type);
      if (at >= 0) surplus.splice(at, 1);
      else findings.add('lost', `payment request ${id} has no event for its ${type}`);
    }
    for (const type of surplus) {
      findings.add('unexpected', `payment request ${id} has an event ${type} without a status`);
    }
    const sequences = stored.map(({ sequence }) => sequence);
    if (sequences.some((sequence, index) => sequence !== index + 1)) {
      findings.add('disordered', `the feed has the events of ${id} as ${sequences.join(', ')}`);
    }
  }
  for (const [id, [event]] of events) {
    if (known.has(id)) continue;
    findings.add('unexpected', `event ${event?.id} is of a payment request that is not stored`);
  }
}

/** Every stored event has arrived, unchanged; nothing else has; the numbers arrive in order. */
export function checkReceived(
  lines: readonly HistoryLine[],
  books: Books,
  findings: Findings,
): void {
  const stored = new Map(books.events.map((event) => [event.id, event]));
  const siblings = groupBy(books.events, ({ paymentRequestId }) => paymentRequestId);
  const acknowledged = new Set<string>();
  for (const line of lines) {
    if (line.kind === 'acknowledged') acknowledged.add(line.eventId);
    if (line.kind !== 'received') continue;
    const { eventId, bodyHash, isGenuine } = line;
    const event = stored.get(eventId);
    if (!isGenuine) {
      findings.add('unexpected', `a webhook of event ${eventId} does not pass the verification`);
    }
    if (!event) {
      findings.add('unexpected', `event ${eventId} was received, and is not stored`);
      continue;
    }
    if (event.bodyHash !== bodyHash) {
      findings.add('unexpected', `event ${eventId} was received with another body than its own`);
    }
    // A repeat of what was acknowledged may come at any time: delivery is at least once.
    if (acknowledged.has(eventId)) continue;
    const missing = (siblings.get(event.paymentRequestId) ?? []).filter(
      ({ id, sequence }) => sequence < event.sequence && !acknowledged.has(id),
    );
    for (const { sequence } of missing) {
      const text = `event ${event.sequence} of payment request ${event.paymentRequestId}`;
      findings.add('disordered', `${text} came before event ${sequence} was acknowledged`);
    }
  }
  for (const event of books.events) {
    if (!acknowledged.has(event.id)) addMissing(event, findings);
  }
}

function addMissing({ id, type, deliveries }: StoredEvent, findings: Findings): void {
  const states = deliveries.join(', ') || 'without a delivery';
  const kind = deliveries.includes('PENDING') ? 'backlog' : 'lost';
  findings.add(kind, `event ${id}, ${type}, was never acknowledged: ${states}`);
}
