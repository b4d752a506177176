import type { Books } from '../books.ts';
import type { AnsweredLine, HistoryLine } from '../history-line.ts';

const M = 'merchant';
export const PAID = { id: 'p1', amountCents: 1_000, statuses: ['CREATED', 'PAID'] };

/** A payment request that was paid, partly refunded, and followed in feed and ledger. */
export const LINES: readonly HistoryLine[] = [
  { kind: 'start', seed: 1, startedAt: '2026-03-01T12:00:00.000Z' },
  sent(1, {
    name: 'create',
    key: 'k1',
    transactionId: 't1',
    amountCents: 1_000,
    payerName: 'depositSubmit:0',
  }),
  answered(1, { outcome: 'unknown', status: null, code: 'ECONNRESET' }),
  sent(2, {
    name: 'create',
    key: 'k1',
    transactionId: 't1',
    amountCents: 1_000,
    payerName: 'depositSubmit:0',
  }),
  answered(2, { told: { paymentRequest: { ...PAID, statuses: ['CREATED'] }, isReplay: true } }),
  received('e1', 1),
  { kind: 'fault', atMs: 1, fault: 'kill', detail: 'api 1' },
  received('e1', 1),
  acknowledged('e1'),
  sent(3, { name: 'read', id: 'p1' }),
  answered(3, { told: { paymentRequest: PAID } }),
  sent(4, { name: 'refund', id: 'p1', key: 'k4', merchantRefundId: 'r4', amountCents: 300 }),
  answered(4, { told: { refund: { id: 'r1', paymentRequestId: 'p1', amountCents: 300 } } }),
  sent(5, { name: 'read', id: 'p1' }),
  answered(5, { told: { paymentRequest: PAID } }),
  received('e2', 2),
  acknowledged('e2'),
  sent(6, { name: 'feed', after: null }),
  answered(6, { told: { ids: ['e1'], nextCursor: 'c1' } }),
  sent(7, { name: 'feed', after: 'c1' }),
  answered(7, { told: { ids: ['e2'], nextCursor: 'c2' } }),
  sent(8, { name: 'ledger', after: null }),
  answered(8, { told: { ids: ['l1', 'l2'], nextCursor: 'd1' } }),
];

export const BOOKS: Books = {
  paymentRequests: [
    {
      ...PAID,
      merchantId: M,
      transactionId: 't1',
      status: 'PAID',
      createdAtMs: Date.parse('2026-03-01T12:00:01.000Z'),
      receivedCents: 1_000,
      refundedCents: 300,
      refundingCents: 0,
    },
  ],
  events: [event('e1', 1, 'PAYMENT-COMPLETED'), event('e2', 2, 'REFUND-COMPLETED')],
  refunds: [
    {
      id: 'r1',
      merchantId: M,
      paymentRequestId: 'p1',
      merchantRefundId: 'r4',
      amountCents: 300,
      status: 'COMPLETED',
      statuses: ['CREATED', 'PROCESSING', 'COMPLETED'],
    },
  ],
  ledger: [entry('l1', 'PAYMENT', 1_000, null), entry('l2', 'REFUND', -300, 'r1')],
  audit: [],
  open: { deliveries: 0 },
};

type Sent = Extract<HistoryLine, { kind: 'sent' }>;

export function sent(call: number, asked: Sent['asked']): HistoryLine {
  return { kind: 'sent', call, atMs: call, merchantId: M, asked };
}

export function answered(call: number, given: Partial<AnsweredLine>): HistoryLine {
  return { kind: 'answered', call, atMs: call, outcome: 'ok', status: 200, code: null, ...given };
}

export function received(eventId: string, sequence: number) {
  const bodyHash = `hash of ${eventId}`;
  const of = { merchantId: M, paymentRequestId: 'p1', isGenuine: true };
  return { kind: 'received' as const, atMs: 1, eventId, sequence, bodyHash, ...of };
}

export function acknowledged(eventId: string): HistoryLine {
  return { kind: 'acknowledged', atMs: 1, eventId };
}

export function event(id: string, sequence: number, type: string) {
  const bodyHash = `hash of ${id}`;
  const of = { merchantId: M, paymentRequestId: 'p1', deliveries: ['SUCCEEDED'] };
  return { id, sequence, type, bodyHash, ...of };
}

export function entry(id: string, type: string, amountCents: number, refundId: string | null) {
  return { id, merchantId: M, type, amountCents, paymentRequestId: 'p1', refundId };
}

/** The good run without one line. */
export function without(left: HistoryLine | undefined): HistoryLine[] {
  return LINES.filter((line) => JSON.stringify(line) !== JSON.stringify(left));
}
