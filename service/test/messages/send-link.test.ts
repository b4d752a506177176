import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import { eventually as eventuallyWithin } from '../support/eventually.ts';
import { linkBecomes } from '../support/messages/link-becomes.ts';
import {
  faultsOf,
  type PaymentRequestCalls,
  paymentRequestCalls,
  SMALLEST_BODY,
} from '../support/payment-requests/payment-requests.ts';
import {
  type Answer,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  service = await startTestService();
});
// A token of its own: the tests move the clock by hours.
beforeEach(async () => {
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
});
after(() => service.stop());

/** Each look moves the clock by a second: what does not come in 60 of them does not come. */
const eventually = <Result>(check: () => Promise<Result>) =>
  eventuallyWithin(async () => ({ found: await check() }), 'the status', 6_000).then(
    ({ found }) => found,
  );

const BY_EMAIL = { deliveryMode: 'EMAIL' };
const to = (email: string) => ({ payer: { ...SMALLEST_BODY.payer, email } });

function messages(id: string): Promise<Answer> {
  return service.call('GET', `/v1/payment-requests/${id}/messages`, { headers: merchant.headers });
}

function send(id: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
  return service.call('POST', `/v1/payment-requests/${id}/messages`, {
    headers: { ...merchant.headers, ...headers },
    ...(body && { body }),
  });
}

/** Waits until the latest message of a payment request has a status. */
const untilLinkIs = (id: string, status: string) => linkBecomes({ service, calls }, id, status);

describe('the link by e-mail', () => {
  it('is scheduled with the creation, sent, and shown in every answer', async () => {
    const created = await calls.create({ ...BY_EMAIL, ...to('ada@example.com') });
    assert.equal(created.json.deliveryMode, 'EMAIL');
    assert.equal(created.json.linkMessage.status, 'SCHEDULED');
    const sent = await untilLinkIs(created.json.id, 'SENT');
    assert.equal(sent.linkMessage.id, created.json.linkMessage.id);
    const { json } = await messages(created.json.id);
    assert.equal(json.data.length, 1);
    const [message] = json.data;
    assert.deepEqual(
      [message.kind, message.channel, message.status, message.attempts],
      ['REQUEST', 'EMAIL', 'SENT', 1],
    );
    assert.match(message.preview.subject, /^Demo Shop asks you to pay \$12\.34$/);
    assert.ok(message.preview.text.includes(created.json.paymentLink));
    assert.ok(message.attemptLog[0].readDateTime <= message.attemptLog[0].endDateTime);
    const { json: timeline } = await calls.timeline(created.json.id);
    const told = timeline.data.filter(({ type }: { type: string }) => type === 'MESSAGE_CHANGED');
    assert.deepEqual(
      told.map(({ kind, status }: { kind: string; status: string }) => [kind, status]),
      [['REQUEST', 'SENT']],
    );
  });

  it('writes no row and shows no message without a delivery mode', async () => {
    for (const members of [{}, { deliveryMode: 'NONE' }]) {
      const { json } = await calls.create(members);
      assert.equal('linkMessage' in json, false);
      assert.deepEqual((await messages(json.id)).json.data, []);
    }
  });

  it('is no part of the version, and a second part of the entity tag', async () => {
    const { json: created } = await calls.create(BY_EMAIL);
    const before = (await calls.read(created.id)).headers.get('etag');
    assert.match(before ?? '', /^"1-[0-9a-f]{8}"$/);
    await untilLinkIs(created.id, 'SENT');
    const after = await calls.read(created.id);
    assert.match(after.headers.get('etag') ?? '', /^"1-[0-9a-f]{8}"$/);
    assert.notEqual(after.headers.get('etag'), before);
    const updated = await calls.update(
      created.id,
      { invoiceNumber: 'A' },
      { 'if-match': before ?? '' },
    );
    assert.equal(updated.status, 200, updated.text);
  });

  it('is shown as it is on an unchanged page of the list', async () => {
    const page = () =>
      service.call('GET', '/v1/payment-requests?limit=1', { headers: merchant.headers });
    const { json: created } = await calls.create(BY_EMAIL);
    assert.equal((await page()).json.data[0].linkMessage.status, 'SCHEDULED');
    await untilLinkIs(created.id, 'SENT');
    assert.equal((await page()).json.data[0].linkMessage.status, 'SENT');
  });

  for (const [email, status, reason] of [
    ['bounce@example.com', 'BOUNCED', 'BOUNCED'],
    ['Refuse@example.com', 'FAILED', 'REFUSED_BY_SERVER'],
    ['refused@example.com', 'SUPPRESSED', 'RECIPIENT_REFUSED'],
  ] as const) {
    it(`to ${email} of the sandbox is ${status}, and an event says so where it is asked for`, async () => {
      const { json: created } = await calls.create({ ...BY_EMAIL, ...to(email) });
      const ended = await untilLinkIs(created.id, status);
      assert.equal(ended.linkMessage.reason, reason);
      assert.equal(ended.status, 'CREATED');
      await eventually(async () => {
        const feed = await service.call(
          'GET',
          '/v1/events?eventTypes=MESSAGE-UNDELIVERED&limit=100',
          { headers: merchant.headers },
        );
        const [event] = feed.json.data;
        assert.deepEqual(
          [event?.resource.id, event?.resource.linkMessage.status],
          [created.id, status],
        );
      });
      const unasked = await service.call('GET', '/v1/events', { headers: merchant.headers });
      assert.deepEqual(
        unasked.json.data.filter(
          ({ eventType }: { eventType: string }) => eventType === 'MESSAGE-UNDELIVERED',
        ),
        [],
      );
    });
  }

  it('to slow@example.com of the sandbox is sent after 30 seconds', async () => {
    const { json: created } = await calls.create({ ...BY_EMAIL, ...to('slow@example.com') });
    await service.advance(25);
    assert.equal((await calls.read(created.id)).json.linkMessage.status, 'SCHEDULED');
    await service.advance(5);
    await untilLinkIs(created.id, 'SENT');
  });

  it('waits for its sendDateTime', async () => {
    const sendDateTime = new Date(service.clock.now().getTime() + 1_800_000).toISOString();
    const { json: created } = await calls.create({ ...BY_EMAIL, delivery: { sendDateTime } });
    assert.deepEqual(created.delivery, { sendDateTime });
    assert.equal(created.linkMessage.dateTime, sendDateTime);
    await service.advance(1_700);
    assert.equal((await calls.read(created.id)).json.linkMessage.status, 'SCHEDULED');
    await service.advance(101);
    await untilLinkIs(created.id, 'SENT');
  });

  it('moves with its sendDateTime, and goes to the new address', async () => {
    const later = (seconds: number) =>
      new Date(service.clock.now().getTime() + seconds * 1_000).toISOString();
    const sendDateTime = later(3_600);
    const { json: created } = await calls.create({ ...BY_EMAIL, delivery: { sendDateTime } });
    const moved = await calls.update(created.id, {
      delivery: { sendDateTime: later(60) },
      payer: { email: 'refuse@example.com' },
    });
    assert.equal(moved.status, 200, moved.text);
    assert.equal(moved.json.payer.email, 'refuse@example.com');
    const read = await calls.read(created.id);
    assert.deepEqual(moved.json.linkMessage, read.json.linkMessage);
    assert.equal(moved.json.linkMessage.dateTime, moved.json.delivery.sendDateTime);
    assert.equal(moved.headers.get('etag'), read.headers.get('etag'));
    await service.advance(61);
    await untilLinkIs(created.id, 'FAILED');
  });

  it('is cancelled when the payment request is, before it was sent', async () => {
    const sendDateTime = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
    const { json: created } = await calls.create({ ...BY_EMAIL, delivery: { sendDateTime } });
    const cancelled = await calls.cancel(created.id);
    const read = await calls.read(created.id);
    assert.equal(read.json.linkMessage.status, 'CANCELLED');
    assert.deepEqual(cancelled.json.linkMessage, read.json.linkMessage);
    await eventually(async () => {
      const headers = merchant.headers;
      const feed = await service.call('GET', '/v1/events?limit=100', { headers });
      const events: { resource: { id: string; linkMessage?: unknown } }[] = feed.json.data;
      const event = events.find(({ resource }) => resource.id === created.id);
      assert.deepEqual(event?.resource.linkMessage, read.json.linkMessage);
      return true;
    });
    const { json } = await messages(created.id);
    assert.deepEqual(
      json.data.map(({ kind, status, reason }: Record<string, string>) => [kind, status, reason]),
      [['REQUEST', 'CANCELLED', 'NO_LONGER_TRUE']],
    );
  });

  it('is followed by a notice of the cancellation once it was sent', async () => {
    const { json: created } = await calls.create(BY_EMAIL);
    await untilLinkIs(created.id, 'SENT');
    await calls.cancel(created.id);
    await eventually(async () => {
      await service.advance(1);
      const { json } = await messages(created.id);
      assert.deepEqual(
        json.data.map(({ kind, status }: Record<string, string>) => [kind, status]),
        [
          ['CANCELLATION', 'SENT'],
          ['REQUEST', 'SENT'],
        ],
      );
      assert.match(json.data[0].preview.subject, /no longer asks/);
    });
  });

  it('waits while the merchant is suspended', async () => {
    const other = await service.createMerchant();
    const others = paymentRequestCalls(service, other);
    const { json: created } = await others.create({ ...BY_EMAIL, ...to('slow@example.com') });
    await service.database.sql(
      `UPDATE merchants SET status = 'SUSPENDED' WHERE id = '${other.merchantId}'`,
    );
    await service.advance(40);
    const status = async () =>
      (
        await service.database.sql<{ status: string }>(
          `SELECT status FROM messages WHERE payment_request_id = '${created.id}'`,
        )
      )[0]?.status;
    await service.advance(5);
    assert.equal(await status(), 'SCHEDULED');
    await service.database.sql(
      `UPDATE merchants SET status = 'ACTIVE' WHERE id = '${other.merchantId}'`,
    );
    await eventually(async () => {
      await service.advance(1);
      assert.equal(await status(), 'SENT');
    });
  });
});

describe('the link by SMS', () => {
  for (const [number, status] of [
    ['+1 (500) 555-0001', 'BOUNCED'],
    ['+15005550002', 'FAILED'],
    ['+15005550003', 'DELIVERED'],
    ['+4930123456789', 'SENT'],
  ] as const) {
    it(`to ${number} of the sandbox is ${status}`, async () => {
      const { json: created } = await calls.create({
        deliveryMode: 'SMS',
        payer: { name: 'Ada', mobileNumber: number },
      });
      await untilLinkIs(created.id, status);
      const [message] = (await messages(created.id)).json.data;
      assert.ok(message.preview.text.endsWith(created.paymentLink));
      assert.ok(message.preview.text.length <= 160, message.preview.text);
    });
  }
});

describe('a delivery mode', () => {
  const refused = async (members: object) => {
    const body = { ...SMALLEST_BODY, ...members };
    const answer = await service.call('POST', '/v1/payment-requests', {
      headers: merchant.headers,
      body,
    });
    assert.equal(answer.status, 400, answer.text);
    return faultsOf(answer);
  };
  const only = { name: 'Ada', mobileNumber: '5145550142' };

  it('needs the address of its channel', async () => {
    assert.deepEqual(await refused({ ...BY_EMAIL, payer: only }), [['payer.email', 'REQUIRED']]);
    const nobody = { ...BY_EMAIL, payer: { name: 'Ada' } };
    assert.deepEqual(await refused(nobody), [['payer.email', 'REQUIRED']]);
    assert.deepEqual(await refused({ deliveryMode: 'SMS' }), [['payer.mobileNumber', 'REQUIRED']]);
    assert.deepEqual(await refused({ deliveryMode: 'SMS', payer: only }), [
      ['payer.mobileNumber', 'INVALID_FORMAT'],
    ]);
    assert.deepEqual(await refused({ ...BY_EMAIL, expiryDateTime: 5, delivery: 'now' }), [
      ['delivery', 'INVALID_TYPE'],
      ['expiryDateTime', 'INVALID_TYPE'],
    ]);
    assert.deepEqual(await refused({ deliveryMode: 'PIGEON' }), [
      ['deliveryMode', 'INVALID_VALUE'],
    ]);
  });

  it('takes no two reminders of one hour', async () => {
    assert.deepEqual(await refused({ ...BY_EMAIL, delivery: { reminders: [24, 3, 3] } }), [
      ['delivery.reminders', 'INVALID_VALUE'],
    ]);
  });

  it('lets the link be sent from 5 minutes ago to an hour before the expiry', async () => {
    const at = (ms: number) => new Date(service.clock.now().getTime() + ms).toISOString();
    const field = 'delivery.sendDateTime';
    const ask = (sendDateTime: string) => refused({ ...BY_EMAIL, delivery: { sendDateTime } });
    assert.deepEqual(await ask(at(-301_000)), [[field, 'TOO_LOW']]);
    assert.deepEqual(await ask(at(23 * 3_600_000 + 1_000)), [[field, 'TOO_HIGH']]);
    assert.deepEqual(await ask('tomorrow'), [[field, 'INVALID_FORMAT']]);
    const early = await calls.create({ ...BY_EMAIL, delivery: { sendDateTime: at(-299_000) } });
    assert.equal(early.json.linkMessage.dateTime, early.json.createdDateTime);
  });

  it('keeps its address and its hour when the payment request changes', async () => {
    const { json: created } = await calls.create({
      ...BY_EMAIL,
      payer: { ...SMALLEST_BODY.payer, mobileNumber: '+15145550142' },
      delivery: { sendDateTime: new Date(service.clock.now().getTime() + 7_200_000).toISOString() },
    });
    const changed = async (patch: object) => faultsOf(await calls.update(created.id, patch));
    assert.deepEqual(await changed({ payer: { email: null } }), [['payer.email', 'REQUIRED']]);
    assert.deepEqual(await changed({ payer: { name: 'Eve' } }), [
      ['payer.name', 'IMMUTABLE_FIELD'],
    ]);
    assert.deepEqual(await changed({ payer: { email: 'no address' } }), [
      ['payer.email', 'INVALID_FORMAT'],
    ]);
    const soon = new Date(service.clock.now().getTime() + 7_300_000).toISOString();
    assert.deepEqual(await changed({ expiryDateTime: soon }), [['expiryDateTime', 'TOO_LOW']]);
    const without = await calls.update(created.id, { payer: { mobileNumber: null } });
    assert.equal('mobileNumber' in without.json.payer, false);
    const { json: none } = await calls.create({});
    assert.deepEqual(faultsOf(await calls.update(none.id, { payer: { email: null } })), [
      ['payer.email', 'REQUIRED_ONE_OF'],
    ]);
  });
});

describe('sending the link again', () => {
  it('makes a message at once, five times in 24 hours', async () => {
    const { json: created } = await calls.create(BY_EMAIL);
    for (let time = 1; time <= 5; time += 1) {
      const again = await send(created.id);
      assert.equal(again.status, 201, again.text);
      assert.equal(again.json.status, 'SCHEDULED');
    }
    const refused = await send(created.id);
    assert.equal(refused.status, 409);
    assert.equal(refused.json.code, 'MESSAGE_LIMIT_REACHED');
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 86_000 && wait <= 86_400, `${wait}`);
    const { json } = await messages(created.id);
    assert.equal(json.data.length, 6);
    assert.equal((await calls.read(created.id)).json.linkMessage.id, json.data[0].id);
  });

  it('answers a repeated call with the message of the first', async () => {
    const { json: created } = await calls.create(BY_EMAIL);
    const key = { 'idempotency-key': `again-${created.id}` };
    const first = await send(created.id, {}, key);
    const second = await send(created.id, {}, key);
    assert.equal(second.text, first.text);
    assert.equal((await messages(created.id)).json.data.length, 2);
  });

  it('of a payment request without a delivery mode is followed by a notice of its cancellation', async () => {
    const { json: created } = await calls.create({});
    await send(created.id, { channel: 'EMAIL' });
    const told = async () =>
      (await messages(created.id)).json.data.map(({ kind, status }: Record<string, string>) => [
        kind,
        status,
      ]);
    await eventually(async () => {
      await service.advance(1);
      assert.deepEqual(await told(), [['REQUEST', 'SENT']]);
    });
    // A change of `delivery` forgets no link that was sent.
    assert.equal((await calls.update(created.id, { delivery: {} })).status, 200);
    await calls.cancel(created.id);
    await eventually(async () => {
      await service.advance(1);
      assert.deepEqual(await told(), [
        ['CANCELLATION', 'SENT'],
        ['REQUEST', 'SENT'],
      ]);
    });
  });

  it('of a payment request without a delivery mode ends with it, before it was sent', async () => {
    const { json: created } = await calls.create(to('slow@example.com'));
    await send(created.id, { channel: 'EMAIL' });
    await calls.cancel(created.id);
    const { json } = await messages(created.id);
    assert.deepEqual(
      json.data.map(({ status, reason }: Record<string, string>) => [status, reason]),
      [['CANCELLED', 'NO_LONGER_TRUE']],
    );
  });

  it('needs a channel, an address and an open payment request', async () => {
    const { json: created } = await calls.create({});
    assert.equal((await send(created.id)).json.code, 'NO_DELIVERY_CHANNEL');
    assert.deepEqual(faultsOf(await send(created.id, { channel: 'SMS' })), [
      ['channel', 'INVALID_VALUE'],
    ]);
    const sent = await send(created.id, { channel: 'EMAIL' });
    assert.equal(sent.status, 201, sent.text);
    assert.equal('linkMessage' in (await calls.read(created.id)).json, false);
    await calls.cancel(created.id);
    assert.equal((await send(created.id, { channel: 'EMAIL' })).json.code, 'ALREADY_CANCELLED');
    const other = await service.createMerchant();
    const foreign = await service.call('GET', `/v1/payment-requests/${created.id}/messages`, {
      headers: other.headers,
    });
    assert.equal(foreign.status, 404);
  });
});

describe('a reminder', () => {
  const at = (hours: number) =>
    new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();
  const scheduled = async (id: string) =>
    (await messages(id)).json.data
      .filter(({ kind }: { kind: string }) => kind === 'REMINDER')
      .map(({ status, scheduledDateTime }: Record<string, string>) => [status, scheduledDateTime])
      .sort();

  it('is scheduled by hours before the expiry, after the sending', async () => {
    const expiryDateTime = at(100);
    const { json: created } = await calls
      .create({
        ...BY_EMAIL,
        expiryDateTime,
        delivery: { reminders: [2, 24, 99, 720], quietHours: false, sendDateTime: at(5) },
      })
      .catch(() => ({ json: null }));
    assert.equal(created, null, 'four reminders are refused');
    const { json } = await calls.create({
      ...BY_EMAIL,
      expiryDateTime,
      delivery: { reminders: [2, 24, 99], quietHours: false, sendDateTime: at(5) },
    });
    assert.deepEqual(await scheduled(json.id), [
      ['SCHEDULED', at(76)],
      ['SCHEDULED', at(98)],
    ]);
    await calls.update(json.id, { expiryDateTime: at(50) });
    assert.deepEqual(await scheduled(json.id), [
      ['SCHEDULED', at(26)],
      ['SCHEDULED', at(48)],
    ]);
    await calls.update(json.id, { delivery: { reminders: [1], quietHours: false } });
    assert.deepEqual(await scheduled(json.id), [['SCHEDULED', at(49)]]);
    await calls.cancel(json.id);
    assert.equal((await scheduled(json.id))[0]?.[0], 'CANCELLED');
  });

  it('leaves out the night of the merchant’s zone', async () => {
    const day = Math.ceil((service.clock.now().getTime() + 86_400_000) / 86_400_000) * 86_400_000;
    const { json } = await calls.create({
      ...BY_EMAIL,
      expiryDateTime: new Date(day + 12 * 3_600_000).toISOString(),
      delivery: { reminders: [8], sendDateTime: at(0) },
    });
    // 4:00 UTC is night: the reminder waits until 8:00.
    assert.deepEqual(await scheduled(json.id), [
      ['SCHEDULED', new Date(day + 8 * 3_600_000).toISOString()],
    ]);
  });

  it('is sent once, and a moved expiry repeats none', async () => {
    const { json } = await calls.create({
      ...BY_EMAIL,
      expiryDateTime: at(1.5),
      delivery: { reminders: [1], quietHours: false },
    });
    await untilLinkIs(json.id, 'SENT');
    await service.advance(1_800);
    await eventually(async () => {
      await service.advance(1);
      assert.equal((await scheduled(json.id))[0]?.[0], 'SENT');
    });
    await calls.update(json.id, { expiryDateTime: at(3) });
    const told = await scheduled(json.id);
    assert.equal(told.length, 1);
  });

  it('to optout@example.com of the sandbox is held back', async () => {
    const { json } = await calls.create({
      ...BY_EMAIL,
      ...to('optout@example.com'),
      expiryDateTime: at(1.5),
      delivery: { reminders: [1], quietHours: false },
    });
    await untilLinkIs(json.id, 'SENT');
    await service.advance(1_800);
    await eventually(async () => {
      await service.advance(1);
      assert.equal((await scheduled(json.id))[0]?.[0], 'SUPPRESSED');
    });
  });
});

describe('a receipt', () => {
  it('is sent once the payment request is PAID, also without a delivery mode', async () => {
    const { json: created } = await calls.create({
      delivery: { receipt: true },
      payer: { name: 'depositSubmit:0', email: 'ada@example.com' },
    });
    await eventually(async () => {
      await service.advance(1);
      const { json } = await messages(created.id);
      assert.deepEqual(
        json.data.map(({ kind, status }: Record<string, string>) => [kind, status]),
        [['RECEIPT', 'SENT']],
      );
      assert.match(json.data[0].preview.text, /is not an invoice/);
    });
  });

  it('of a refund is written to no payer who was erased', async () => {
    const { json: created } = await calls.create({
      delivery: { receipt: true },
      payer: { name: 'depositSubmit:0', email: 'ada@example.com' },
    });
    const kinds = async () =>
      (await messages(created.id)).json.data.map(({ kind, status }: Record<string, string>) => [
        kind,
        status,
      ]);
    await eventually(async () => {
      await service.advance(1);
      assert.deepEqual(await kinds(), [['RECEIPT', 'SENT']]);
    });
    const erase = ['payer', 'erase', '--merchant', merchant.merchantId, '--yes'];
    const { exitCode } = await runCli([...erase, '--payment-request', created.id], service.env);
    assert.equal(exitCode, 0);
    const [receipt] = (await messages(created.id)).json.data;
    assert.equal('preview' in receipt, false, 'the inbox of the sandbox is emptied');
    const path = `/v1/payment-requests/${created.id}/refunds`;
    const body = { amount: 2, merchantRefundId: `refund-${created.id}` };
    const refund = await service.call('POST', path, { headers: merchant.headers, body });
    await eventually(async () => {
      await service.advance(5);
      const { json } = await service.call('GET', `/v1/refunds/${refund.json.id}`, {
        headers: merchant.headers,
      });
      assert.equal(json.status, 'COMPLETED');
    });
    assert.deepEqual(await kinds(), [['RECEIPT', 'SENT']]);
  });

  it('follows a refund, and its return', async () => {
    const { json: created } = await calls.create({
      delivery: { receipt: true },
      payer: { name: 'depositSubmit:0', email: 'ada@example.com' },
    });
    await eventually(async () => {
      await service.advance(1);
      assert.equal((await calls.read(created.id)).json.status, 'PAID');
    });
    const refund = await service.call('POST', `/v1/payment-requests/${created.id}/refunds`, {
      headers: merchant.headers,
      body: { amount: 2, merchantRefundId: `refund-${created.id}` },
    });
    assert.equal(refund.status, 201, refund.text);
    await eventually(async () => {
      await service.advance(5);
      const { json } = await messages(created.id);
      assert.deepEqual(
        json.data.map(({ kind, status }: Record<string, string>) => [kind, status]),
        [
          ['REFUND_RECEIPT', 'SENT'],
          ['RECEIPT', 'SENT'],
        ],
      );
    });
    // The sandbox's money of this refund comes back.
    const returned = await service.call('POST', `/v1/payment-requests/${created.id}/refunds`, {
      headers: merchant.headers,
      body: { amount: 3, merchantRefundId: `r-${created.id}`, message: 'refundReturned' },
    });
    assert.equal(returned.status, 201, returned.text);
    await eventually(async () => {
      await service.advance(5);
      const { json } = await messages(created.id);
      assert.deepEqual(
        json.data.map(({ kind, status }: Record<string, string>) => [kind, status]),
        [
          ['REFUND_RETURNED', 'SENT'],
          ['REFUND_RECEIPT', 'SENT'],
          ['REFUND_RECEIPT', 'SENT'],
          ['RECEIPT', 'SENT'],
        ],
      );
      const [told] = json.data;
      assert.match(told.preview.text, /3\.00/);
      assert.match(told.preview.text, /^From: Demo Shop$/m);
      assert.doesNotMatch(told.preview.text, /2\.00/);
    });
  });
});
