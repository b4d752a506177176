import type { Books, StoredAct } from '../books.ts';
import type { ConsoleAsked, HistoryLine } from '../history-line.ts';
import { answered, BOOKS, entry, event, LINES, received, sent } from './good-run.ts';

export const ADA = 'console (Ada, by link)';
const person = 'Ada';
const REQUEST = { name: 'console-page', person, page: 'request', id: 'p1' } as const;
const CREATE: ConsoleAsked = {
  name: 'console-create',
  person,
  key: 'f1',
  transactionId: 't2',
  amountCents: 500,
  payerName: 'Ada Lovelace',
};
const CREATED = { id: 'p2', amountCents: 500, statuses: ['CREATED'] };
const REFUND = {
  name: 'console-refund',
  person,
  id: 'p1',
  refundId: 'r2',
  amountCents: 100,
} as const;
const SEND = {
  name: 'console-redeliver',
  person,
  id: 'p1',
  deliveryId: 'd1',
  isEnded: true,
} as const;
const FORM = { status: 303 } as const;

/** The good run, with a person who works in the console after it. */
export const CONSOLE_LINES: readonly HistoryLine[] = [
  ...LINES,
  ...step(20, { name: 'console-sign-in', person }, FORM),
  ...step(21, { name: 'console-sign-in', person }, refused('HTTP 403')),
  ...step(22, REQUEST, { told: { page: { ids: ['merchant', 'p1', 'e1', 'r1'], status: 'PAID' } } }),
  ...step(23, { name: 'console-page', person, page: 'stranger' }, refused('HTTP 404')),
  ...step(24, CREATE, { outcome: 'unknown', status: null, code: 'ECONNRESET' }),
  ...step(25, CREATE, { ...FORM, told: { paymentRequest: CREATED, isReplay: true } }),
  ...step(26, { name: 'console-cancel', person, id: 'p2' }, FORM),
  ...step(27, REFUND, {
    ...FORM,
    told: { refund: { id: 'r2', paymentRequestId: 'p1', amountCents: 100 } },
  }),
  ...step(28, SEND, FORM),
  received('e1', 1),
  received('e3', 1),
  { kind: 'acknowledged', atMs: 1, eventId: 'e3' },
  received('e4', 3),
  { kind: 'acknowledged', atMs: 1, eventId: 'e4' },
  ...step(29, { name: 'console-sign-out', person }, FORM),
  ...step(30, { name: 'console-page', person, page: 'overview' }, refused('SIGNED_OUT')),
  sent(31, { name: 'feed', after: 'c2' }),
  answered(31, { told: { ids: ['e3', 'e4'], nextCursor: 'c3' } }),
  sent(32, { name: 'ledger', after: 'd1' }),
  answered(32, { told: { ids: ['l3'], nextCursor: 'd2' } }),
];

const [payment, refund] = [BOOKS.paymentRequests[0], BOOKS.refunds[0]];
if (!payment || !refund) throw new Error('The good run is incomplete.');

export const CONSOLE_BOOKS: Books = {
  ...BOOKS,
  paymentRequests: [
    { ...payment, refundedCents: 400 },
    {
      ...{ ...payment, ...CREATED, transactionId: 't2', status: 'CANCELLED' },
      ...{ statuses: ['CREATED', 'CANCELLED'], receivedCents: 0, refundedCents: 0 },
    },
  ],
  events: [
    ...BOOKS.events,
    { ...event('e3', 1, 'PAYMENT-FAILED'), paymentRequestId: 'p2' },
    event('e4', 3, 'REFUND-COMPLETED'),
  ],
  refunds: [...BOOKS.refunds, { ...refund, id: 'r2', merchantRefundId: null, amountCents: 100 }],
  ledger: [...BOOKS.ledger, entry('l3', 'REFUND', -100, 'r2')],
  audit: [
    act('CONSOLE_SIGNED_IN', {}),
    act('PAYMENT_REQUEST_CREATED', { paymentRequestId: 'p2' }),
    act('PAYMENT_REQUEST_CANCELLED', { paymentRequestId: 'p2' }),
    act('REFUND_CREATED', { refundId: 'r2' }),
    act('WEBHOOK_REDELIVERED', { deliveryId: 'd1', eventId: 'e1' }),
    { ...act('CONSOLE_SIGNED_OUT', {}), merchantId: null },
  ],
};

export function act(action: string, details: StoredAct['details']): StoredAct {
  return { actor: ADA, action, merchantId: 'merchant', details };
}

/** A step with its answer. */
export function step(
  call: number,
  asked: ConsoleAsked,
  answer: Parameters<typeof answered>[1],
): HistoryLine[] {
  return [sent(call, asked), answered(call, answer)];
}

export function refused(code: string) {
  const status = code === 'SIGNED_OUT' ? 303 : Number(code.replace('HTTP ', '')) || 503;
  return { outcome: 'refused', status, code } as const;
}

/** The good run with other answers of some calls. */
export function answeredAs(
  changes: Readonly<Record<number, Parameters<typeof answered>[1]>>,
): HistoryLine[] {
  return CONSOLE_LINES.map((line) => {
    const change = line.kind === 'answered' ? changes[line.call] : undefined;
    return change ? ({ ...line, told: {}, ...change } as HistoryLine) : line;
  });
}
