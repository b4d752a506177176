import type { Books, StoredAct } from '../books.ts';
import type { HistoryLine } from '../history-line.ts';
import { answeredAs, CONSOLE_BOOKS, CONSOLE_LINES, refused, step } from './console-run.ts';
import { received } from './good-run.ts';
import type { PlantedFault } from './planted-faults.ts';

const person = 'Ada';
const { audit, paymentRequests, refunds } = CONSOLE_BOOKS;

const SESSIONS: readonly PlantedFault[] = [
  [
    'a link that signs in twice',
    'unexpected',
    /call 21 used the link of Ada again/,
    { lines: answeredAs({ 21: { outcome: 'ok', status: 303, code: null } }) },
  ],
  [
    'a link that a refusal used up',
    'lost',
    /call 20 found the link of Ada used, by nobody/,
    { lines: answeredAs({ 20: refused('HTTP 403') }) },
  ],
  [
    'a session that a fault ended',
    'lost',
    /call 22, a console-page of Ada, found no session/,
    { lines: answeredAs({ 22: refused('SIGNED_OUT') }) },
  ],
  [
    'a session that outlives its sign-out',
    'unexpected',
    /call 30, a console-page of Ada, was answered after the sign-out/,
    { lines: answeredAs({ 30: { outcome: 'ok', status: 200, code: null } }) },
  ],
  [
    'a sign-in without an entry in the audit log',
    'lost',
    /0 times: CONSOLE_SIGNED_IN console \(Ada, by link\) merchant, owed 1/,
    { books: { audit: audit.slice(1) } },
  ],
  [
    'a sign-out that the audit log has twice',
    'unexpected',
    /2 times: CONSOLE_SIGNED_OUT/,
    again('CONSOLE_SIGNED_OUT'),
  ],
];

const PAGES: readonly PlantedFault[] = [
  [
    'a page that shows an id of another merchant',
    'unexpected',
    /call 22, the request page of merchant merchant, shows p9 of merchant other/,
    {
      lines: answeredAs({ 22: { told: { page: { ids: ['p9'], status: 'PAID' } } } }),
      books: { paymentRequests: [...paymentRequests, otherPayment()] },
    },
  ],
  [
    'a page of another merchant',
    'unexpected',
    /call 23, the stranger page .* was shown to a person of another merchant/,
    { lines: answeredAs({ 23: { outcome: 'ok', status: 200, code: null } }) },
  ],
  [
    'a page with an older status than an earlier answer',
    'disordered',
    /call 22, a console-page, shows CREATED of payment request p1, and an earlier call has shown 2/,
    { lines: answeredAs({ 22: { told: { page: { ids: [], status: 'CREATED' } } } }) },
  ],
  [
    'a page that is older than an accepted form',
    'disordered',
    /call 40, a console-page, shows CREATED of payment request p2/,
    {
      lines: CONSOLE_LINES.flatMap((line) =>
        line.kind === 'answered' && line.call === 26
          ? [line, ...step(40, pageOf('p2'), { told: { page: { ids: [], status: 'CREATED' } } })]
          : [line],
      ),
    },
  ],
  [
    'a page with a status that is not stored',
    'lost',
    /call 22, a console-page, shows EXPIRED of payment request p1, and stored is CREATED, PAID/,
    { lines: answeredAs({ 22: { told: { page: { ids: [], status: 'EXPIRED' } } } }) },
  ],
  [
    'a page that is not found',
    'lost',
    /call 22, a console-page, was answered 404/,
    { lines: answeredAs({ 22: refused('HTTP 404') }) },
  ],
  [
    'a refusal of a form that no state explains',
    'unexpected',
    /call 28, a console-redeliver, was answered 403/,
    { lines: answeredAs({ 28: refused('HTTP 403') }) },
  ],
];

const ACTS: readonly PlantedFault[] = [
  [
    'two payment requests of one form',
    'unexpected',
    /key f1 made two rows, payment requests p2 and p3/,
    { books: { paymentRequests: [...paymentRequests, { ...last(paymentRequests), id: 'p3' }] } },
  ],
  [
    'a payment request of a form whose page said that nothing was changed',
    'unexpected',
    /p2 is stored, and its call was refused/,
    { lines: answeredAs({ 24: refused('UNAVAILABLE'), 25: refused('UNAVAILABLE') }) },
  ],
  [
    'a creation that the audit log lacks',
    'lost',
    /0 times: PAYMENT_REQUEST_CREATED p2/,
    without('PAYMENT_REQUEST_CREATED'),
  ],
  [
    'an act under another name',
    'unexpected',
    /1 times: REFUND_CREATED r2 console \(Bob, by link\) merchant, at most 0/,
    { books: { audit: audit.map((each) => ofBob(each, 'REFUND_CREATED')) } },
  ],
  [
    'an accepted cancellation that is missing',
    'lost',
    /call 26 cancelled p2, which is not CANCELLED/,
    { books: { paymentRequests: open() } },
  ],
  [
    'an entry of a cancellation that is not in the books',
    'unexpected',
    /the audit log has 1 cancellations of payment request p2/,
    { books: { paymentRequests: open() } },
  ],
  [
    'a cancellation that was refused and is done',
    'unexpected',
    /p2 is CANCELLED, and every call was refused/,
    { lines: answeredAs({ 26: refused('HTTP 409') }) },
  ],
  [
    'a cancellation that the audit log lacks',
    'lost',
    /the audit log has 0 cancellations of payment request p2/,
    without('PAYMENT_REQUEST_CANCELLED'),
  ],
  [
    'a cancellation that the audit log has twice',
    'unexpected',
    /the audit log has 2 cancellations of payment request p2/,
    again('PAYMENT_REQUEST_CANCELLED'),
  ],
  [
    'a refund by a form that is missing',
    'lost',
    /refund r2 for the key r2, and it is not stored/,
    { books: { refunds: refunds.slice(0, 1) } },
  ],
  [
    'a refund by a form that was refused',
    'unexpected',
    /refund r2 is stored, and its call was refused/,
    { lines: answeredAs({ 27: refused('HTTP 422') }) },
  ],
  [
    'a refund that the audit log has twice',
    'unexpected',
    /2 times: REFUND_CREATED r2/,
    again('REFUND_CREATED'),
  ],
  [
    'a redelivery that the audit log lacks',
    'lost',
    /0 times: WEBHOOK_REDELIVERED d1/,
    without('WEBHOOK_REDELIVERED'),
  ],
  [
    'a redelivery that was refused and is done',
    'unexpected',
    /1 times: WEBHOOK_REDELIVERED d1 .* at most 0 times/,
    { lines: answeredAs({ 28: refused('UNAVAILABLE') }) },
  ],
  [
    'a redelivery that never arrives',
    'lost',
    /call 28 sent event e1 again, which did not arrive/,
    { lines: withoutLast(received('e1', 1)) },
  ],
];

export const CONSOLE_FAULTS: readonly PlantedFault[] = [...SESSIONS, ...PAGES, ...ACTS];

function again(action: string): { readonly books: Partial<Books> } {
  return {
    books: { audit: audit.flatMap((each) => (each.action === action ? [each, each] : [each])) },
  };
}

function without(action: string): { readonly books: Partial<Books> } {
  return { books: { audit: audit.filter((each) => each.action !== action) } };
}

function ofBob(entry: StoredAct, action: string): StoredAct {
  return entry.action === action ? { ...entry, actor: 'console (Bob, by link)' } : entry;
}

function pageOf(id: string) {
  return { name: 'console-page', person, page: 'request', id } as const;
}

function last<Item>(items: readonly Item[]): Item {
  return items[items.length - 1] as Item;
}

function otherPayment() {
  return { ...last(paymentRequests), id: 'p9', transactionId: 't9', merchantId: 'other' };
}

/** The payment request of the form, as if nobody had cancelled it. */
function open() {
  return paymentRequests.map((each) =>
    each.id === 'p2' ? { ...each, status: 'CREATED', statuses: ['CREATED'] } : each,
  );
}

function withoutLast(left: HistoryLine): HistoryLine[] {
  const at = CONSOLE_LINES.map((line) => JSON.stringify(line)).lastIndexOf(JSON.stringify(left));
  return CONSOLE_LINES.filter((_, index) => index !== at);
}
