import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OUTCOME_NAMES } from '#sandbox/outcomes.ts';
import { SIMULATED_OUTCOMES, SIMULATED_REFUND_OUTCOMES } from '#sandbox/simulation-schemas.ts';
import {
  type CallAnswer,
  type Subject,
  startRealSubject,
  startTestSubject,
} from '../support/sdk-testing/subjects.ts';

const PAYER = { name: 'Ada Lovelace', email: 'ada@example.com' };
const NEW = { amount: 25.5, type: 'ECOMM', payer: PAYER };
const STRICT = { prefer: 'handling=strict' };

/** Acts on a subject; its results of both subjects are equal. */
type Scenario = (subject: Subject) => Promise<unknown>;

let real: Subject;
let ours: Subject;

before(async () => {
  real = await startRealSubject();
  ours = await startTestSubject();
});
after(() => real?.stop());

/** Runs a scenario on the service and on the one of tests, and compares what it found. */
async function compare(scenario: Scenario): Promise<unknown> {
  const wanted = plain(await scenario(real));
  assert.deepEqual(plain(await scenario(ours)), wanted);
  return wanted;
}

describe('the service of tests answers as the service', () => {
  it('creates, reads and repeats a payment request', async () => {
    await compare(async ({ call }) => {
      const full = {
        ...NEW,
        merchantTransactionId: 'order-1',
        deliveryMode: 'NONE',
        delivery: { receipt: false, reminders: [24, 2] },
        payer: { ...PAYER, mobileNumber: '+1 514 555 0142', preferredLanguage: 'fr' },
        dueDate: '2026-03-20',
        displayMessage: 'Two chairs',
        invoiceNumber: 'INV-1',
        businessUnit: '',
        callbackUrl: 'https://8.8.8.8/hook',
        returnUrl: 'https://shop.example.com/orders/1',
        metadata: { orderId: '1042' },
      };
      const headers = { 'idempotency-key': 'key-1' };
      const created = await call('POST', '/payment-requests', full, headers);
      const { id } = created.json;
      const etag = created.headers.get('etag') ?? '';
      const answers = [
        created,
        await call('POST', '/payment-requests', full, headers),
        await call('POST', '/payment-requests', NEW, headers),
        await call('GET', `/payment-requests/${id}`),
        await call('GET', `/payment-requests/${id}`, undefined, { 'if-none-match': etag }),
        ...(await Promise.all(HOSTILE_PATHS.map((path) => call('GET', path)))),
        await call('POST', '/payment-requests', { ...NEW, expiryDateTime: '2026-03-02T09:00:00Z' }),
      ];
      return answers.map(shown);
    });
  });

  it('refuses creations with the same codes at the same fields', async () => {
    const codes = await compare(async ({ call }) => {
      const found: unknown[] = [];
      for (const body of WRONG_BODIES) {
        found.push([body, refusalOf(await call('POST', '/payment-requests', body, STRICT))]);
      }
      return found;
    });
    assert.ok(JSON.stringify(codes).match(/TOO_MANY_DECIMALS.*REQUIRED_ONE_OF/));
  });

  it('changes a payment request, and refuses changes alike', async () => {
    await compare(async ({ call }) => {
      const { json } = await call('POST', '/payment-requests', { ...NEW, invoiceNumber: 'INV-1' });
      const at = `/payment-requests/${json.id}`;
      const found: unknown[] = [];
      for (const patch of PATCHES) found.push([patch, shown(await call('PATCH', at, patch))]);
      const stale = await call('PATCH', at, { dueDate: null }, { 'if-match': '"1"' });
      await call('POST', `${at}/cancellation`, { reason: 'DUPLICATE' });
      return [...found, shown(stale), shown(await call('PATCH', at, { dueDate: null }))];
    });
  });

  it('gives each outcome in each status, or refuses it', async () => {
    const ways = [[], ['PROCESSING'], ['PAID'], ['FAILED'], ['EXPIRED'], ['cancel']];
    await compare(async (subject) => {
      const found: unknown[] = [];
      for (const way of ways) {
        for (const outcome of [...SIMULATED_OUTCOMES, 'cancel', 'refund', 'WRONG']) {
          const { json } = await subject.call('POST', '/payment-requests', NEW);
          for (const step of way) await act(subject, json.id, step);
          const answer = await act(subject, json.id, outcome);
          const read = await subject.call('GET', `/payment-requests/${json.id}`);
          found.push([way, outcome, shown(answer), shown(read)]);
        }
      }
      return found;
    });
  });

  it('plays the names of payers', async () => {
    const names = OUTCOME_NAMES.flatMap((name) => [name, `${name}:0`, `${name}:x`]);
    const more = ['depositFail:SUSPECTED_FRAUD:0', 'depositFail:LINK_EXPIRED', 'createError:409'];
    await compare(async (subject) => {
      const ids: string[] = [];
      const created: unknown[] = [];
      for (const name of [...names, ...more]) {
        const body = { ...NEW, payer: { ...PAYER, name } };
        const answer = await subject.call('POST', '/payment-requests', body);
        created.push([name, answer.status, answer.json.code, faultsOf(answer)]);
        if (answer.status === 201) ids.push(answer.json.id);
      }
      const statusesOf = async () => {
        const read = ids.map((id) => subject.call('GET', `/payment-requests/${id}`));
        return (await Promise.all(read)).map(({ json }) =>
          json.events.map(({ status }: { status: string }) => status),
        );
      };
      const found: unknown[] = [];
      for (const seconds of [1, 5, 5, 10]) {
        await subject.advance(seconds);
        found.push(await settled(subject, statusesOf));
      }
      return [created, found];
    });
  });

  it('refunds by the same rules', async () => {
    await compare(async (subject) => {
      const { call } = subject;
      const { json } = await call('POST', '/payment-requests', NEW);
      const at = `/payment-requests/${json.id}`;
      await act(subject, json.id, 'PAID');
      const found: unknown[] = [];
      for (const [body, headers] of REFUNDS) {
        found.push([body, shown(await call('POST', `${at}/refunds`, body, headers))]);
      }
      const reads = async () => [
        shown(await call('GET', at)),
        shown(await call('GET', `${at}/refunds`)),
        shown(await call('GET', '/refunds?merchantRefundId=slow')),
      ];
      // The service counts the next step of a refund from the step before it.
      for (const seconds of [3, 9, 11, 11]) {
        await subject.advance(seconds);
        await settled(subject, reads);
        await subject.advance(1);
        found.push(await settled(subject, reads));
      }
      return found;
    });
  });

  it('simulates refunds in each status', async () => {
    await compare(async (subject) => {
      const { call } = subject;
      const found: unknown[] = [];
      for (const way of [[], ['COMPLETED'], ['FAILED'], ['RETURNED']]) {
        for (const outcome of [...SIMULATED_REFUND_OUTCOMES, 'WRONG']) {
          const { json } = await call('POST', '/payment-requests', NEW);
          await act(subject, json.id, 'PAID');
          const body = { amount: 5, merchantRefundId: `${way}-${outcome}` };
          const made = await call('POST', `/payment-requests/${json.id}/refunds`, body);
          const simulate = (each: string) =>
            call('POST', `/sandbox/refunds/${made.json.id}/simulations`, { outcome: each });
          for (const step of way) await simulate(step);
          const answer = await simulate(outcome);
          const read = await call('GET', `/payment-requests/${json.id}`);
          found.push([way, outcome, shown(answer), shown(read)]);
        }
      }
      return found;
    });
  });

  it('lists by filters, in pages', async () => {
    await compare(async (subject) => {
      const { call } = subject;
      await subject.advance(3_600);
      const from = '2026-03-01T12:59:00Z';
      for (const number of [1, 2, 3, 4, 5]) {
        const body = { ...NEW, amount: number, invoiceNumber: `L-${number % 2}` };
        const { json } = await call('POST', '/payment-requests', body);
        if (number > 3) await act(subject, json.id, 'PAID');
      }
      const queries = [
        ...['', '&status=PAID', '&status=PAID,CREATED&limit=2', '&invoiceNumber=L-1'],
        ...['&amountMin=2&amountMax=4.00', '&payerEmail=ADA@example.com', '&status=WRONG'],
        ...['&limit=0', '&cursor=x', '&page=2', '&amountMin=x', '&createdTo=2026'],
      ];
      const found: unknown[] = [];
      for (const query of queries) {
        const answer = await call('GET', `/payment-requests?createdFrom=${from}${query}`);
        found.push([query, amountsOf(answer), refusalOf(answer)]);
      }
      const first = await call('GET', `/payment-requests?createdFrom=${from}&limit=3`);
      const after = `limit=3&cursor=${first.json.nextCursor}`;
      const second = await call('GET', `/payment-requests?createdFrom=${from}&${after}`);
      return [...found, [first, second].map(amountsOf), second.json.hasMore];
    });
  });

  it('tells of the same events, in the same order', async () => {
    const told = await compare(async (subject) => {
      const { call } = subject;
      const ids: string[] = [];
      for (const steps of EVENTFUL) {
        const { json } = await call('POST', '/payment-requests', NEW);
        ids.push(json.id);
        for (const step of steps) await act(subject, json.id, step);
      }
      const events = await subject.events();
      const about = (id: string) =>
        events.filter(({ resource }) => resource.id === id || resource.links[1]?.href.endsWith(id));
      return ids.map(about);
    });
    const types = JSON.stringify(told).match(/"eventType":"[\w-]+"/g) ?? [];
    assert.deepEqual([types.length, new Set(types).size], [EVENT_COUNT, 4]);
  });

  it('sends webhooks again after a failure, and misbehaves as names ask', async () => {
    const trace = await compare(async (subject) => {
      const own: string[] = [];
      const came = () => subject.received.filter(({ resourceId }) => own.includes(resourceId));
      const count = (wanted: number) => subject.until(() => came().length === wanted);
      const create = async (name: string) => {
        const body = { ...NEW, payer: { ...PAYER, name } };
        const { json } = await subject.call('POST', '/payment-requests', body);
        own.push(json.id);
        await act(subject, json.id, 'PAID');
      };
      // Webhooks of earlier cases take no answer of these.
      await subject.until(() => subject.isQuiet());
      subject.answerNext(500, 503, 204);
      await create('Ada');
      await count(1);
      await subject.advance(6);
      await count(2);
      await subject.advance(40);
      const early = came().length;
      await subject.advance(40);
      await count(3);
      await create('depositDuplicate');
      await count(5);
      await create('depositBadSignature');
      await count(6);
      await create('depositNoWebhook');
      return [early, came().map(({ eventType, isSigned }) => [eventType, isSigned])];
    });
    assert.match(JSON.stringify(trace), /\[2,\[.*false/);
  });
});

/** Simulates an outcome, cancels, or refunds a part. */
function act({ call }: Subject, id: string, step: string): Promise<CallAnswer> {
  const at = `/payment-requests/${id}`;
  if (step === 'cancel') return call('POST', `${at}/cancellation`, {});
  if (step === 'refund') {
    const body = { amount: 5, merchantRefundId: `refund-${id}` };
    return call('POST', `${at}/refunds`, body);
  }
  return call('POST', `/sandbox${at}/simulations`, { outcome: step });
}

/** Reads until nothing changes any more: the service works on what is due beside the calls. */
async function settled(subject: Subject, read: () => Promise<unknown>): Promise<unknown> {
  let latest = await read();
  await subject.until(async () => {
    const before = JSON.stringify(latest);
    await new Promise((resolve) => setTimeout(resolve, subject === real ? 300 : 0));
    latest = await read();
    return JSON.stringify(latest) === before;
  });
  return latest;
}

function shown(answer: CallAnswer) {
  const { status, json, headers } = answer;
  const replayed = headers.get('idempotency-replayed');
  if (status >= 400) return [status, json.code, faultsOf(answer)];
  return [status, replayed, headers.get('etag'), json];
}

function refusalOf(answer: CallAnswer) {
  return answer.status < 400 ? answer.status : [answer.json.code, faultsOf(answer)];
}

function faultsOf({ json }: CallAnswer): string[] {
  const faults: { field: string; code: string; pointer: string }[] = json.errors ?? [];
  return faults.map(({ field, code, pointer }) => `${field} ${code} ${pointer}`).sort();
}

function amountsOf({ json }: CallAnswer): number[] | undefined {
  return json.data?.map(({ amount }: { amount: number }) => amount);
}

/** Names, addresses and instants differ between two services. */
function plain(value: unknown): unknown {
  const names = new Map<string, string>();
  const nameOf = (id: string) => {
    if (!names.has(id)) names.set(id, `id-${names.size}`);
    return names.get(id) ?? '';
  };
  const text = JSON.stringify(value)
    .replace(/https?:\/\/(127\.0\.0\.1|localhost|pay\.test)[:\d]*/g, '')
    .replace(/"shortCode":"\w+"/g, '"shortCode":""')
    .replace(/\/pay\/(qr\/)?\w+/g, '/pay/$1')
    .replace(/SIM-(R|B)?[0-9A-F]{12}(-\d+)?/g, 'SIM-$1')
    .replace(/"(dateTime|completedDateTime|createdDateTime)":"[^"]+"/g, '"$1":""')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|mer_\w+/g, nameOf);
  return JSON.parse(text);
}

const HOSTILE_PATHS = [
  ...[
    'unknown',
    'a',
    'payment-requests',
    '$&',
    '%2e%2e',
    '__proto__',
    'constructor',
    '%00',
  ].flatMap((id) => [`/payment-requests/${id}`, `/refunds/${id}`]),
  ...['/payment-requests//', '/refunds/a/b', '/constructor', '/sandbox/payment-requests/a'],
];

const REFUNDS: readonly (readonly [body: object, headers?: object])[] = [
  [{ amount: 5 }],
  [{ amount: 5, currency: 'EUR', merchantRefundId: 'a' }],
  [{ amount: 99, merchantRefundId: 'a' }],
  [{ amount: 5.001, merchantRefundId: 'a' }],
  [{ amount: 0, merchantRefundId: 'a' }],
  [{ amount: 5, merchantRefundId: 'a', expectedAmountAvailable: 20 }],
  [{ amount: 5, merchantRefundId: 'a', message: 'refundFail:FOO' }],
  [{ amount: 5, merchantRefundId: 'a', reason: 'BORED', webhookUrl: 'http://shop.test' }],
  [{ amount: 5, merchantRefundId: 'a', expectedAmountAvailable: 25.5, message: 'Sorry' }],
  [{ amount: 5, merchantRefundId: 'a', expectedAmountAvailable: 25.5, message: 'Sorry' }],
  [{ amount: 6, merchantRefundId: 'a' }],
  [{ amount: 1.25, message: 'refundFail:ACCOUNT_RESTRICTED' }, { 'idempotency-key': 'refund-b' }],
  [{ amount: 2, merchantRefundId: 'slow', message: 'refundSlow:20' }],
  [{ amount: 3, merchantRefundId: 'back', message: 'refundReturned' }],
  [{ amount: 1, merchantRefundId: 'odd', message: 'constructor:1' }],
  ...[null, true, [], '5', 'x'].map((amount): readonly [object] => [{ amount }]),
  ...[null, false, '0'].map((expectedAmountAvailable): readonly [object] => [
    { amount: 1, expectedAmountAvailable },
  ]),
  [{ merchantRefundId: 'rest', message: 'refundSlow:0' }],
  [{ merchantRefundId: 'nothing' }],
];

/** One to three of each, by hand. */
const EVENT_COUNT = 10;

const EVENTFUL = [
  ['PAID', 'refund', 'RETURNED'],
  ['PART_PAYMENT', 'PART_PAYMENT', 'PAID', 'SECOND_PAYMENT', 'refund'],
  ['PROCESSING', 'FAILED', 'PAID'],
  ['PART_PAYMENT', 'cancel', 'RETURNED'],
  ['EXPIRED', 'PAID', 'RETURNED', 'refund'],
];

const long = (length: number) => 'x'.repeat(length);
const payer = (members: object) => ({ ...NEW, payer: { ...PAYER, ...members } });

const WRONG_BODIES: readonly unknown[] = [
  ...['', '{', '[]', 'null', '"text"', {}, { amount: '1', type: 'X', payer: 'Ada' }],
  ...[0, -1, 1.001, 10_000.01, 1e9, 0.01, 10.1].map((amount) => ({ ...NEW, amount })),
  ...[null, true, [], [5], {}, '', '5', ' 5', '0x5', 'x'].map((amount) => ({ ...NEW, amount })),
  ...[8.145, 1.1 + 2.2, 9_999.995, 1e21].map((amount) => ({ ...NEW, amount })),
  ...['EUR', 5, ''].map((currency) => ({ ...NEW, currency })),
  ...[{ name: '' }, { name: ' ' }, { name: long(101) }, { name: 'a\nb' }].map(payer),
  ...[{ email: 'ada' }, { email: null }, { email: 5 }, { email: `${long(250)}@b.c` }].map(payer),
  ...[{ mobileNumber: '123' }, { mobileNumber: '+1 (514) 555-0142' }].map(payer),
  ...[{ preferredLanguage: 'french' }, { preferredLanguage: 'fr-CA' }, { other: 1 }].map(payer),
  ...['2026-02-30', 'tomorrow', '2026-03-20', ''].map((dueDate) => ({ ...NEW, dueDate })),
  ...['2026-03-01T12:04:59Z', '2027-03-02T00:00:00Z', '2026-03-05', '2026-03-05T12:00:00+0100'].map(
    (expiryDateTime) => ({ ...NEW, expiryDateTime }),
  ),
  ...['http://shop.test/hook', 'shop.test', 'https://u:p@8.8.8.8/', long(2_100)].map(
    (webhookUrl) => ({ ...NEW, webhookUrl }),
  ),
  { ...NEW, webhookUrl: 'https://8.8.8.8/a', callbackUrl: 'https://8.8.8.8/b' },
  { ...NEW, returnUrl: 'shop.example.com' },
  { ...NEW, deliveryMode: 'POST' },
  { ...NEW, deliveryMode: 'EMAIL', payer: { name: 'Ada', mobileNumber: '+15145550142' } },
  { ...NEW, deliveryMode: 'SMS' },
  { ...NEW, delivery: { reminders: [0, 1, 1, 2], receipt: 'yes', other: 1 } },
  { ...NEW, delivery: { reminders: [1, 1] } },
  { ...NEW, merchant: { id: 'another' } },
  { ...NEW, metadata: { a: 1, [long(41)]: 'x' } },
  { ...NEW, metadata: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 'v'])) },
  { ...NEW, displaymessage: 'x', displayMessage: long(251), invoiceNumber: long(51) },
  { ...NEW, merchantTransactionId: 'é' },
  ...['constructor', '__proto__', 'toString:1', 'createError:constructor'].map((name) =>
    payer({ name }),
  ),
  '{"amount":5,"type":"ECOMM","__proto__":{"amount":1},"constructor":1}',
  `{"payer":{"amount":1,"name":"Ada","email":"a@b.c"},"amount":25.001,"type":"ECOMM"}`,
  `{"amount":1e-7,"type":"ECOMM","payer":{"name":"Ada","email":"a@b.c"}}`,
  `{"amount":1.5e1,"type":"ECOMM","payer":{"name":"Ada","email":"a@b.c"},"metadata":{"__proto__":"x"}}`,
  { ...NEW, merchantTransactionId: long(65) },
];

const PATCHES: readonly unknown[] = [
  ...[{}, { displayMessage: 'Row 7' }, { displayMessage: 'Row 7' }, { displayMessage: '' }],
  ...[{ amount: 5 }, { payer: { name: 'Bob' } }, { payer: { email: null } }, [], 'x'],
  ...[{ payer: { mobileNumber: '514 555 0142' } }, { payer: { email: 'bob@example.com' } }],
  ...[{ metadata: { a: '1', b: '2' } }, { metadata: { a: null } }, { metadata: { c: 5 } }],
  ...[{ metadata: null }, { expiryDateTime: '2026-03-04T00:00:00Z' }, { expiryDateTime: null }],
  ...[{ expiryDateTime: '2026-01-01T00:00:00Z' }, { dueDate: '2026-03-09' }, { dueDate: null }],
  ...[{ webhookUrl: 'https://8.8.8.8/a' }, { callbackUrl: 'https://8.8.8.8/b' }],
  ...[{ webhookUrl: null }, { callbackUrl: null }, { webhookUrl: 'ftp://8.8.8.8' }],
  ...[{ delivery: { receipt: true } }, { delivery: null }, { invoiceNumber: long(51) }],
  ...['{"metadata":{"__proto__":"x"}}', '{"__proto__":{"amount":1}}'],
  { returnUrl: 'https://shop.example.com/2', businessUnit: 'Web', invoiceNumber: null },
];
