import type { Books } from '../books.ts';
import type { FindingKind } from '../checks/findings.ts';
import type { AnsweredLine, HistoryLine } from '../history-line.ts';
import {
  acknowledged,
  answered,
  BOOKS,
  entry,
  event,
  LINES,
  PAID,
  received,
  sent,
  without,
} from './good-run.ts';

/** A title, the kind and the sentence that must name the fault, and the run with the fault. */
export type PlantedFault = readonly [string, FindingKind, RegExp, Planted];

/** The changes of the good run. */
interface Planted {
  readonly lines?: readonly HistoryLine[];
  readonly books?: Partial<Books>;
}

const [payment, refund] = [first(BOOKS.paymentRequests), first(BOOKS.refunds)];
const { events, ledger } = BOOKS;
const [paid, refunded] = [first(events), first(events.slice(1))];
const CANCEL: readonly HistoryLine[] = [
  sent(9, { name: 'cancel', id: 'p1', key: 'k9' }),
  answered(9, { told: { paymentRequest: { ...PAID, statuses: ['CREATED', 'CANCELLED'] } } }),
];

const CALLS: readonly PlantedFault[] = [
  [
    'an acknowledged create that is missing',
    'lost',
    /p1 for the key k1, and it is not stored/,
    { books: { paymentRequests: [] } },
  ],
  [
    'two rows for one idempotency key',
    'unexpected',
    /key k1 made two rows/,
    { books: { paymentRequests: [payment, { ...payment, id: 'p2' }] } },
  ],
  [
    'a second identifier for one idempotency key',
    'unexpected',
    /call 2 was told of payment request p9 .* stored is p1/,
    call(2, { told: { paymentRequest: { ...PAID, id: 'p9' }, isReplay: true } }),
  ],
  [
    'a stored payment request that nobody created',
    'unexpected',
    /p2 is stored, and nobody created it/,
    {
      books: {
        paymentRequests: [payment, { ...payment, id: 'p2', transactionId: 'other' }],
      },
    },
  ],
  [
    'a row of a create that was refused',
    'unexpected',
    /p1 is stored, and its call was refused/,
    {
      lines: LINES.map((line) =>
        line.kind === 'answered' && line.call <= 2
          ? { ...line, ...problem(429, 'RATE_LIMITED') }
          : line,
      ),
    },
  ],
  [
    'another amount',
    'unexpected',
    /has 999 cents, not 1000/,
    { books: payments({ amountCents: 999 }) },
  ],
  ['an answer 500', 'unexpected', /call 3, a read, was answered 500/, call(3, { status: 500 })],
  [
    'a refusal that no state explains',
    'unexpected',
    /call 7, a feed, was answered 400/,
    call(7, problem(400, 'VALIDATION_ERROR')),
  ],
  [
    'a payment request that a later read does not find',
    'lost',
    /call 3, a read, was answered 404/,
    call(3, problem(404, 'PAYMENT_REQUEST_NOT_FOUND')),
  ],
  [
    'a status that was shown and is not stored',
    'lost',
    /shows CREATED, PAID of payment request p1, and stored is CREATED/,
    { books: payments({ status: 'CREATED', statuses: ['CREATED'] }) },
  ],
  [
    'a read that shows an earlier state than the read before',
    'disordered',
    /an earlier call has shown 2/,
    call(5, { told: { paymentRequest: { ...PAID, statuses: ['CREATED'] } } }),
  ],
  [
    'a row with the time of a wrong clock',
    'unexpected',
    /p1 bears the time 2026-03-01T14:00:01.000Z, outside of the run/,
    { books: payments({ createdAtMs: Date.parse('2026-03-01T14:00:01.000Z') }) },
  ],
  [
    'an acknowledged cancellation that is missing',
    'lost',
    /which is not CANCELLED/,
    { lines: [...LINES, ...CANCEL] },
  ],
  [
    'a CANCELLED payment request that nobody cancelled',
    'unexpected',
    /p1 is CANCELLED, and nobody cancelled it/,
    { books: payments({ statuses: ['CREATED', 'CANCELLED', 'PAID'] }) },
  ],
];

const EVENTS: readonly PlantedFault[] = [
  [
    'a PAID payment request without an event',
    'lost',
    /p1 has no event for its PAYMENT-COMPLETED/,
    { books: { events: [refunded] } },
  ],
  [
    'an event without a status',
    'unexpected',
    /event PAYMENT-COMPLETED without a status/,
    { books: { events: [...events, event('e3', 3, 'PAYMENT-COMPLETED')] } },
  ],
  [
    'an event that was never received',
    'lost',
    /e1, PAYMENT-COMPLETED, was never acknowledged/,
    { lines: without(acknowledged('e1')) },
  ],
  [
    'an event that waits for its delivery',
    'backlog',
    /e1, PAYMENT-COMPLETED, was never acknowledged: PENDING/,
    {
      lines: without(acknowledged('e1')),
      books: { events: [{ ...paid, deliveries: ['PENDING'] }, refunded] },
    },
  ],
  [
    'an event that was received and never committed',
    'unexpected',
    /event e9 was received, and is not stored/,
    { lines: [...LINES, received('e9', 3)] },
  ],
  [
    'an event that came with another body',
    'unexpected',
    /e1 was received with another body/,
    { books: { events: [{ ...paid, bodyHash: 'other' }, refunded] } },
  ],
  [
    'a webhook that does not pass the verification',
    'unexpected',
    /e1 does not pass the verification/,
    { lines: [...LINES, { ...received('e1', 1), isGenuine: false }] },
  ],
  [
    'events of one payment request out of order',
    'disordered',
    /event 2 of payment request p1 came before event 1/,
    { lines: [received('e2', 2), ...LINES] },
  ],
  [
    'a feed that misses an event under its cursor',
    'lost',
    /feed of merchant merchant never gave e2/,
    call(7, { told: { ids: [], nextCursor: 'c2' } }),
  ],
  [
    'a feed that repeats an event under its cursor',
    'unexpected',
    /gave e1 again under its cursor/,
    call(7, { told: { ids: ['e1', 'e2'], nextCursor: 'c2' } }),
  ],
  [
    'a feed in a wrong order',
    'disordered',
    /feed of merchant merchant gave e2 out of its order/,
    {
      lines: without(LINES[17]).map((line) =>
        line.kind === 'answered' && line.call === 7
          ? { ...line, told: { ids: ['e2', 'e1'], nextCursor: 'c2' } }
          : line,
      ),
    },
  ],
  [
    'a ledger that misses an entry under its cursor',
    'lost',
    /ledger of merchant merchant never gave l2/,
    call(8, { told: { ids: ['l1'], nextCursor: 'd1' } }),
  ],
];

const MONEY: readonly PlantedFault[] = [
  [
    'a payment that is missing in the ledger',
    'lost',
    /the ledger has 0 of 1000 cents received by p1/,
    { books: { ledger: ledger.slice(1) } },
  ],
  [
    'a payment that is twice in the ledger',
    'unexpected',
    /2 entries with 2000 cents received by p1/,
    { books: { ledger: [...ledger, entry('l3', 'PAYMENT', 1_000, null)] } },
  ],
  [
    'a sum of received money that is off',
    'unexpected',
    /p1 has received 999 cents, in the ledger 1000/,
    { books: payments({ receivedCents: 999 }) },
  ],
  [
    'a sum of refunds that is off',
    'unexpected',
    /299 cents refunded and 0 open, its refunds 300/,
    { books: payments({ refundedCents: 299 }) },
  ],
  [
    'a refund twice',
    'unexpected',
    /key k4 made two rows, refunds r1 and r2/,
    { books: { refunds: [refund, { ...refund, id: 'r2' }] } },
  ],
  [
    'a refund that is twice in the ledger',
    'unexpected',
    /the ledger has refund r1 2 times/,
    { books: { ledger: [...ledger, entry('l3', 'REFUND', -300, 'r1')] } },
  ],
  [
    'an acknowledged refund that is missing',
    'lost',
    /refund r1 for the key k4, and it is not stored/,
    { books: { refunds: [] } },
  ],
  [
    'a payment request that should be decided and is open',
    'backlog',
    /p1 of depositSubmit:0 is CREATED/,
    { books: payments({ status: 'CREATED' }) },
  ],
  ['leases that are left', 'backlog', /2 leases are left/, { books: { open: { leases: 2 } } }],
];

export const PLANTED_FAULTS: readonly PlantedFault[] = [...CALLS, ...EVENTS, ...MONEY];

function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('The good run is incomplete.');
  return item;
}

function payments(changes: object): Partial<Books> {
  return { paymentRequests: [{ ...payment, ...changes }] };
}

function call(number: number, changes: Partial<AnsweredLine>): Planted {
  const lines = LINES.map((line) =>
    line.kind === 'answered' && line.call === number ? { ...line, ...changes } : line,
  );
  return { lines };
}

function problem(status: number, code: string) {
  return { outcome: 'refused' as const, status, code, told: {} };
}
