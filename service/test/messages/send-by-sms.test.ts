import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { linkBecomes } from '../support/messages/link-becomes.ts';
import {
  faultsOf,
  type PaymentRequestCalls,
  paymentRequestCalls,
  SMALLEST_BODY,
} from '../support/payment-requests/payment-requests.ts';
import {
  buyToken,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const TOKEN = 'Zk3vQ8r1TgBn6yLw5pXc0sUe';
const RECEIPT_TOKEN = 'Hq7mJd2fYt9aRk4zVb8oNx1i';

let service: TestService;
let relay: Server;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;
let answer: (id: string) => number;
const posts: { headers: Record<string, unknown>; body: Record<string, string> }[] = [];

before(async () => {
  relay = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const body = JSON.parse(text);
      posts.push({ headers: request.headers, body });
      response.writeHead(answer(body.id), { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const { port } = relay.address() as AddressInfo;
  service = await startTestService({
    environment: 'production',
    settings: {
      SMS_URL: `http://127.0.0.1:${port}/sms`,
      SMS_TOKEN: TOKEN,
      SMS_RECEIPT_TOKEN: RECEIPT_TOKEN,
      SMS_COUNTRY_CODE: '1',
    },
  });
});
after(async () => {
  await service.stop();
  relay.close();
});
beforeEach(async () => {
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
  answer = () => 202;
});

const link = (mobileNumber: string, members: object = {}) =>
  calls.create({
    deliveryMode: 'SMS',
    payer: { ...SMALLEST_BODY.payer, mobileNumber },
    ...members,
  });
const refused = (deliveryMode: string, payer: object = {}) =>
  service.call('POST', '/v1/payment-requests', {
    headers: merchant.headers,
    body: { ...SMALLEST_BODY, deliveryMode, payer: { ...SMALLEST_BODY.payer, ...payer } },
  });
const untilLinkIs = (id: string, status: string) => linkBecomes({ service, calls }, id, status);
const postsOf = (id: string) => posts.filter(({ body }) => body.id === id);
const postOf = (id: string) => postsOf(id)[0] ?? assert.fail(`no post of ${id}`);

async function listed(id: string) {
  const { headers } = merchant;
  return (await service.call('GET', `/v1/payment-requests/${id}/messages`, { headers })).json.data;
}

function receipt(body: unknown, token = RECEIPT_TOKEN): Promise<Response> {
  return fetch(`${service.opsUrl}/sms-receipts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe('an SMS with the link', () => {
  it('goes to the relay with its id, the number, the sender’s name, and the token', async () => {
    const { json } = await link('+1 (514) 555-0142');
    await untilLinkIs(json.id, 'SENT');
    const { id } = json.linkMessage;
    const { headers, body } = postOf(id);
    assert.deepEqual(body, {
      id,
      to: '+15145550142',
      from: 'DemoShop',
      text: `Demo Shop asks you to pay $12.34: ${json.paymentLink}`,
    });
    assert.equal(headers.authorization, `Bearer ${TOKEN}`);
    assert.equal(headers['idempotency-key'], id);
    assert.equal(headers['content-type'], 'application/json');
  });

  it('goes to a number without + under the country’s code of the deployment', async () => {
    const { json } = await link('514 555 0143');
    await untilLinkIs(json.id, 'SENT');
    assert.equal(postOf(json.linkMessage.id).body.to, '+15145550143');
    const tooLong = await refused('SMS', { mobileNumber: '514 555 0143 00000' });
    assert.deepEqual(faultsOf(tooLong), [['payer.mobileNumber', 'INVALID_FORMAT']]);
    const changed = await calls.update(json.id, { payer: { mobileNumber: '514555014300000' } });
    assert.deepEqual(faultsOf(changed), [['payer.mobileNumber', 'INVALID_FORMAT']]);
  });

  it('leaves out a sender’s name that phones would cut', async () => {
    await service.database.sql(
      `UPDATE merchants SET name = 'Demonstration Shop' WHERE id = '${merchant.merchantId}'`,
    );
    const { json } = await link('+15145550142');
    await untilLinkIs(json.id, 'SENT');
    assert.equal(postOf(json.linkMessage.id).body.from, undefined);
  });

  it('is refused as e-mail by a deployment without a mail server', async () => {
    const answer = await refused('EMAIL');
    assert.deepEqual(faultsOf(answer), [['deliveryMode', 'INVALID_VALUE']]);
    assert.match(answer.json.errors[0].message, /this deployment sends no e-mail/);
  });
});

describe('the answer of the relay', () => {
  for (const status of [400, 404, 410, 422]) {
    it(`${status} refuses the message for ever`, async () => {
      answer = () => status;
      const { json } = await link('+15145550142');
      const ended = await untilLinkIs(json.id, 'FAILED');
      assert.equal(ended.linkMessage.reason, 'CONTENT_REFUSED');
      const [{ attemptLog }] = await listed(json.id);
      assert.deepEqual(
        attemptLog.map(({ outcome }: { outcome: string }) => outcome),
        [`HTTP ${status}`],
      );
    });
  }

  for (const status of [301, 408, 409, 429, 500, 503]) {
    it(`${status} is tried again after 30 seconds, under the same id`, async () => {
      answer = () => status;
      const { json } = await link('+15145550142');
      const { id } = json.linkMessage;
      await eventually(async () => {
        await service.advance(1);
        return (await listed(json.id))[0].attemptLog.length === 1;
      }, 'an attempt');
      answer = () => 200;
      await service.advance(31);
      await untilLinkIs(json.id, 'SENT');
      assert.equal(postsOf(id).length, 2);
    });
  }

  for (const status of [401, 403]) {
    it(`${status} is a fault of the setting: all messages wait, and none ends`, async () => {
      answer = () => status;
      const first = (await link('+15145550142')).json;
      await eventually(async () => {
        await service.advance(1);
        return (await listed(first.id))[0].attemptLog.length === 1;
      }, 'an attempt');
      const second = (await link('+15145550143')).json;
      await service.advance(50);
      assert.equal(postsOf(second.linkMessage.id).length, 0);
      assert.ok(
        service.logLines.some(
          ({ channel, reason }) => channel && reason?.toString() === `HTTP ${status}`,
        ),
      );
      answer = () => 200;
      await service.advance(61);
      await untilLinkIs(first.id, 'SENT');
      await untilLinkIs(second.id, 'SENT');
    });
  }
});

describe('a receipt', () => {
  const sent = async () => {
    const { json } = await link('+15145550142');
    await untilLinkIs(json.id, 'SENT');
    return json;
  };

  it('says that the message was delivered, once', async () => {
    const { id, linkMessage } = await sent();
    for (const status of ['DELIVERED', 'FAILED']) {
      assert.equal((await receipt({ id: linkMessage.id, status })).status, 204);
    }
    assert.equal((await calls.read(id)).json.linkMessage.status, 'DELIVERED');
  });

  it('of a link that was not delivered is an event for the merchant', async () => {
    const { id, linkMessage } = await sent();
    const failed = { id: linkMessage.id, status: 'FAILED', reason: 'absent-subscriber' };
    for (let times = 0; times < 2; times++) assert.equal((await receipt(failed)).status, 204);
    const { json } = await calls.read(id);
    assert.deepEqual(
      [json.linkMessage.status, json.linkMessage.reason],
      ['FAILED', 'NOT_DELIVERED'],
    );
    const { headers } = merchant;
    const path = '/v1/events?eventTypes=MESSAGE-UNDELIVERED';
    // The feed waits for older transactions of the database server.
    const feed = await eventually(async () => {
      const answer = await service.call('GET', path, { headers });
      return answer.json.data.length > 0 && answer;
    }, 'the event in the feed');
    assert.deepEqual(
      feed.json.data.map(({ resource }: { resource: typeof json }) => resource.linkMessage.status),
      ['FAILED'],
    );
  });

  it('changes nothing for a message that is not sent, or unknown', async () => {
    const sendDateTime = new Date(service.clock.now().getTime() + 600_000).toISOString();
    const { json } = await link('+15145550142', { delivery: { sendDateTime } });
    const unknown = '018f2c7e-95b0-7d10-9a2b-4c5d6e7f8091';
    for (const id of [json.linkMessage.id, unknown]) {
      assert.equal((await receipt({ id, status: 'DELIVERED' })).status, 204);
    }
    assert.equal((await calls.read(json.id)).json.linkMessage.status, 'SCHEDULED');
  });

  it('needs its token, and its members', async () => {
    const { linkMessage } = await sent();
    const body = { id: linkMessage.id, status: 'DELIVERED' };
    assert.equal((await receipt(body, TOKEN)).status, 401);
    for (const wrong of [{ ...body, id: 'x' }, { ...body, status: 'SENT' }, { id: body.id }, []]) {
      assert.equal((await receipt(wrong)).status, 400, JSON.stringify(wrong));
    }
    assert.equal((await receipt({ ...body, reason: 'x'.repeat(5_000) })).status, 413);
    const there = await service.call('POST', '/sms-receipts', { body });
    assert.equal(there.status, 404, 'the public listener has no such call');
  });
});

describe('an SMS at night', () => {
  const hourOf = (at: string) => new Date(at).getUTCHours();
  /** Moves the clock by hours, and buys another token. */
  async function pass(hours: number): Promise<void> {
    await service.advance(hours * 3_600);
    const token = await buyToken(service.call, merchant);
    Object.assign(merchant.headers, { authorization: `Bearer ${token}` });
  }
  const send = (method: string, path: string) =>
    service.call(method, `/v1/payment-requests/${path}`, { headers: merchant.headers });

  it('waits for the morning, unless a call asks for it or the payer could not pay any more', async () => {
    const now = service.clock.now();
    const evening = new Date(now);
    evening.setUTCHours(20, 0, 0, 0);
    if (evening <= now) evening.setUTCDate(evening.getUTCDate() + 1);
    const inHours = (hours: number) =>
      new Date(evening.getTime() + hours * 3_600_000).toISOString();
    await pass((evening.getTime() - now.getTime()) / 3_600_000);
    const sendAt = (sendDateTime: string, expiryDateTime: string) =>
      link('+15145550142', { delivery: { sendDateTime }, expiryDateTime });
    const early = (await sendAt(inHours(2), inHours(10))).json;
    const before = (await send('GET', `${early.id}/messages`)).json.data[0];
    assert.equal(
      before.scheduledDateTime,
      '2026-03-01T20:59:59.999Z',
      'before a night that ends too late',
    );

    const sent = (await link('+15145550142')).json;
    await untilLinkIs(sent.id, 'SENT');
    await pass(2);
    const waiting = (await link('+15145550142')).json;
    const loud = (await link('+15145550142', { delivery: { quietHours: false } })).json;
    const short = (await link('+15145550142', { expiryDateTime: inHours(6) })).json;
    await calls.cancel(sent.id);
    await untilLinkIs(loud.id, 'SENT');
    await untilLinkIs(short.id, 'SENT');
    const { json } = await calls.read(waiting.id);
    assert.deepEqual(
      [json.linkMessage.status, hourOf(json.linkMessage.dateTime)],
      ['SCHEDULED', 8],
    );
    const kinds = async (id: string) =>
      (await send('GET', `${id}/messages`)).json.data.map(
        ({ kind, status }: Record<string, string>) => `${kind} ${status}`,
      );
    assert.deepEqual(await kinds(sent.id), ['CANCELLATION SCHEDULED', 'REQUEST SENT']);

    const asked = await send('POST', `${waiting.id}/messages`);
    assert.equal(asked.status, 201, asked.text);
    await untilLinkIs(waiting.id, 'SENT');
    assert.equal(postsOf(json.linkMessage.id).length, 0);
    await pass(10);
    await eventually(async () => {
      await service.advance(1);
      return (await kinds(sent.id))[0] === 'CANCELLATION SENT' && postsOf(json.linkMessage.id)[0];
    }, 'the messages of the morning');
  });
});
