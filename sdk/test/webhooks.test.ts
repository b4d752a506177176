import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  type AnyWebhookEvent,
  type IncomingWebhook,
  InvalidArgumentError,
  isRefundEvent,
  type ListenerCredentials,
  makeTestRefundWebhook,
  makeTestWebhook,
  PaymentRequestsError,
  verifyWebhook,
  WebhookVerificationError,
} from '@payment-requests/sdk';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEXT_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const credentials = { username: 'prd_lst', password: 'pässword', signingSecret: SECRET };
const now = new Date('2026-03-01T12:00:00.000Z');

const make = (given: ListenerCredentials = credentials) =>
  makeTestWebhook({ merchantTransactionId: 'order-1042' }, given, { id: 'event-1', now });

function fails(
  webhook: IncomingWebhook,
  code: string,
  how: { credentials?: ListenerCredentials; at?: Date; toleranceSeconds?: number } = {},
) {
  const { at = now, toleranceSeconds = 300 } = how;
  const verifying = verifyWebhook(webhook, how.credentials ?? credentials, {
    now: at,
    toleranceSeconds,
  });
  return assert.rejects(verifying, { name: 'WebhookVerificationError', code });
}

describe('verifyWebhook', () => {
  it('accepts and reads a webhook that another implementation signed', async () => {
    const { body, headers } = await make();
    const timestamp = String(now.getTime() / 1000);
    const mac = createHmac('sha256', Buffer.alloc(32, 1)).update(`event-1.${timestamp}.${body}`);
    assert.equal(headers['webhook-signature'], `v1,${mac.digest('base64')}`);
    assert.equal(headers['webhook-timestamp'], timestamp);
    const basic = Buffer.from('prd_lst:pässword').toString('base64');
    assert.equal(headers.authorization, `Basic ${basic}`);
    const event = await verifyWebhook({ headers, body }, credentials, { now });
    assert.equal(event.eventType, 'PAYMENT-COMPLETED');
    assert.equal(event.resource.status, 'PAID');
    assert.equal(event.resource.merchantTransactionId, 'order-1042');
  });

  it('accepts headers of Node and fetch in any case, and the body as text or bytes', async () => {
    const { headers, body } = await make();
    const loud = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    const lists = Object.entries(headers).map(([name, value]) => [name, [value]]);
    for (const given of [
      { headers: new Headers(headers), body },
      { headers: Object.fromEntries(loud), body: Buffer.from(body) },
      { headers: Object.fromEntries(lists), body: new TextEncoder().encode(body) },
      {
        headers: { ...headers, authorization: headers.authorization?.replace('Basic', 'basic') },
        body,
      },
    ]) {
      assert.equal((await verifyWebhook(given, credentials, { now })).id, 'event-1');
    }
  });

  it('refuses missing and wrong credentials', async () => {
    const webhook = await make();
    const { headers } = webhook;
    await fails({ ...webhook, headers: { ...headers, authorization: '' } }, 'CREDENTIALS_MISSING');
    for (const authorization of ['Basic', 'Bearer x', `${headers.authorization}x`, 'Basic ====']) {
      await fails({ ...webhook, headers: { ...headers, authorization } }, 'CREDENTIALS_WRONG');
    }
    const other = { ...credentials, username: 'prd_other' };
    await fails(webhook, 'CREDENTIALS_WRONG', { credentials: other });
  });

  it('refuses a missing signature and that of another id, time, body or secret', async () => {
    const webhook = await make();
    const { headers, body } = webhook;
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await fails({ body, headers: { ...headers, [name]: '' } }, 'SIGNATURE_MISSING');
    }
    for (const changed of [
      { body, headers: { ...headers, 'webhook-id': 'event-2' } },
      { body, headers: { ...headers, 'webhook-timestamp': '1772366401' } },
      { body: body.replace('PAID', 'paid'), headers },
      { body: `${body} `, headers },
      { body, headers: { ...headers, 'webhook-signature': 'v1,AAAA' } },
      {
        body,
        headers: {
          ...headers,
          'webhook-signature': headers['webhook-signature']?.replace('v1,', 'v1a,') ?? '',
        },
      },
    ]) {
      await fails(changed, 'SIGNATURE_WRONG');
    }
    const other = { ...credentials, signingSecret: NEXT_SECRET };
    await fails(webhook, 'SIGNATURE_WRONG', { credentials: other });
  });

  it('accepts every combination of old and new secrets during a rotation', async () => {
    const both = { ...credentials, signingSecret: [NEXT_SECRET, SECRET] };
    const next = { ...credentials, signingSecret: NEXT_SECRET };
    for (const [signer, reader] of [
      [both, credentials],
      [both, next],
      [credentials, both],
      [next, both],
    ] as const) {
      await verifyWebhook(await make(signer), reader, { now });
    }
    await fails(await make(next), 'SIGNATURE_WRONG');
  });

  it('checks at most eight signatures', async () => {
    const { headers, body } = await make();
    const signature = headers['webhook-signature'];
    const many = { ...headers, 'webhook-signature': `${'v1,AAAA '.repeat(500)}${signature}` };
    await fails({ body, headers: many }, 'SIGNATURE_WRONG');
  });

  it('refuses a signature beyond the tolerance in the past and in the future', async () => {
    const webhook = await make();
    const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    for (const seconds of [-300, 0, 300]) {
      await verifyWebhook(webhook, credentials, { now: after(seconds) });
    }
    for (const seconds of [-301, 301, 86_400]) {
      await fails(webhook, 'TIMESTAMP_OUT_OF_TOLERANCE', { at: after(seconds) });
    }
    const how = { at: after(11), toleranceSeconds: 10 };
    await fails(webhook, 'TIMESTAMP_OUT_OF_TOLERANCE', how);
    await verifyWebhook(webhook, credentials, { now: after(11), toleranceSeconds: 20 });
  });

  it('allows five minutes between the signature and the check by default', async () => {
    const webhook = await make();
    const verifyAfter = (seconds: number) =>
      verifyWebhook(webhook, credentials, { now: new Date(now.getTime() + seconds * 1000) });
    for (const seconds of [-299, 299]) assert.ok(await verifyAfter(seconds), `${seconds} s`);
    for (const seconds of [-301, 301]) {
      await assert.rejects(verifyAfter(seconds), { code: 'TIMESTAMP_OUT_OF_TOLERANCE' });
    }
  });

  /** The test webhook with another body and a valid signature. */
  async function sign(body: string): Promise<IncomingWebhook> {
    const { headers } = await make();
    const signed = `event-1.${now.getTime() / 1000}.${body}`;
    const mac = createHmac('sha256', Buffer.alloc(32, 1)).update(signed).digest('base64');
    return { headers: { ...headers, 'webhook-signature': `v1,${mac}` }, body };
  }

  it('refuses a body that has a valid signature and is no event', async () => {
    for (const body of ['', 'null', '[]', '{"id":"event-1"}', '{"id":"other","resource":{}}']) {
      await fails(await sign(body), 'BODY_INVALID');
    }
  });

  it('refuses a signed event whose id differs from the header webhook-id', async () => {
    const { event } = await make();
    const same = await verifyWebhook(await sign(JSON.stringify(event)), credentials, { now });
    assert.equal(same.id, 'event-1');
    await fails(await sign(JSON.stringify({ ...event, id: 'event-2' })), 'BODY_INVALID');
  });

  it('refuses a signing secret whose key is short or not base64', async () => {
    const { headers, body } = await make();
    for (const secret of ['whsec_', 'whsec_AA==', `whsec_${btoa('x'.repeat(15))}`, 'whsec_*']) {
      const short = { ...credentials, signingSecret: secret };
      const named = { name: 'InvalidArgumentError', message: /^The signing secret/ };
      await assert.rejects(verifyWebhook({ headers, body }, short, { now }), named);
      await assert.rejects(make(short), named);
    }
    const least = { ...credentials, signingSecret: `whsec_${btoa('x'.repeat(16))}` };
    assert.ok(await verifyWebhook(await make(least), least, { now }));
  });

  it('refuses a parsed body with an InvalidArgumentError', async () => {
    const { headers, body } = await make();
    const parsed = { headers, body: JSON.parse(body) };
    await assert.rejects(verifyWebhook(parsed, credentials, { now }), InvalidArgumentError);
  });
});

describe('the errors of webhooks', () => {
  it('are PaymentRequestsErrors with a code', () => {
    const error = new WebhookVerificationError('SIGNATURE_WRONG', 'No.');
    assert.ok(error instanceof PaymentRequestsError);
    assert.equal(error.code, 'SIGNATURE_WRONG');
    assert.ok(new InvalidArgumentError('No.') instanceof PaymentRequestsError);
  });
});

describe('makeTestRefundWebhook', () => {
  it('makes verified events of refunds, whose type narrows the resource', async () => {
    const done = await makeTestRefundWebhook({ amount: '5.05' }, credentials);
    assert.ok(done.body.includes('"amount":5.05,'));
    const completed = await verifyWebhook<AnyWebhookEvent>(done, credentials);
    assert.ok(completed.eventType === 'REFUND-COMPLETED' && isRefundEvent(completed));
    assert.equal(completed.resource.payment?.networkReference, 'TEST-REFUND');
    const lost = await makeTestRefundWebhook({ status: 'FAILED' }, credentials, { id: 'event-1' });
    const failed = await verifyWebhook<AnyWebhookEvent>(lost, credentials);
    assert.ok(failed.eventType === 'REFUND-FAILED' && failed.resourceType === 'Payments API');
    assert.equal(failed.resource.statusReason.code, 'ACCOUNT_RESTRICTED');
    assert.equal(failed.id, 'event-1');
  });
});

describe('makeTestWebhook', () => {
  it('makes an event of returned money, which keeps PAID', async () => {
    const options = { eventType: 'PAYMENT-RETURNED' } as const;
    const webhook = await makeTestWebhook({}, credentials, options);
    const event = await verifyWebhook<AnyWebhookEvent>(webhook, credentials);
    assert.equal(event.eventType, 'PAYMENT-RETURNED');
    assert.equal(isRefundEvent(event), false);
    assert.equal(event.resource.status, 'PAID');
  });

  it('makes a repeat with an equal id and other webhooks with their own', async () => {
    const [one, other] = [
      await makeTestWebhook({}, credentials),
      await makeTestWebhook({}, credentials),
    ];
    assert.notEqual(one.headers['webhook-id'], other.headers['webhook-id']);
    const repeat = await makeTestWebhook({}, credentials, { id: one.event.id, sequence: 2 });
    assert.equal(repeat.headers['webhook-id'], one.headers['webhook-id']);
    assert.equal(repeat.event.sequence, 2);
  });

  it('makes PAYMENT-COMPLETED only for PAID', async () => {
    for (const status of ['FAILED', 'EXPIRED', 'CANCELLED']) {
      const { event } = await makeTestWebhook({ status }, credentials);
      assert.equal(event.eventType, 'PAYMENT-FAILED');
      assert.equal(event.resource.status, status);
      assert.equal(event.resource.payment, undefined);
    }
  });

  it('writes the amount with two decimals, as the service does', async () => {
    for (const [amount, written] of [
      [undefined, '10.00'],
      ['8.20', '8.20'],
      ['25.5', '25.50'],
      [7, '7.00'],
    ] as const) {
      const resource = amount === undefined ? {} : { amount };
      const { body, event } = await makeTestWebhook(resource, credentials);
      assert.ok(body.includes(`"amount":${written},`), written);
      assert.equal(event.resource.amount, Number(written));
    }
  });

  it('makes a body that a parsed and rewritten copy never equals, for every amount', async () => {
    const resources = ['10.00', '25.55', '0.01'].flatMap((amount) => [
      { amount, payer: { name: 'Ada', email: 'ada@example.com' } },
      { amount, payer: { name: 'Zoë 😀', email: 'zoe@example.com' } },
    ]);
    for (const resource of resources) {
      const webhook = await makeTestWebhook(resource, credentials);
      const again = await verifyWebhook(webhook, credentials);
      assert.equal(again.resource.payer.name, resource.payer.name);
      assert.match(webhook.body, /^[\x20-\x7e]+$/);
      const rewritten = { ...webhook, body: JSON.stringify(JSON.parse(webhook.body)) };
      await assert.rejects(verifyWebhook(rewritten, credentials), {
        code: 'SIGNATURE_WRONG',
      });
    }
  });

  it('gives the reason of an unpaid status and none to PAID', async () => {
    const { event } = await makeTestWebhook({ status: 'EXPIRED' }, credentials);
    assert.equal(event.resource.statusReason?.code, 'LINK_EXPIRED');
    assert.equal(event.message, event.resource.statusReason?.message);
    const paid = await makeTestWebhook({}, credentials);
    assert.equal(paid.event.resource.statusReason, undefined);
    assert.equal(paid.event.resource.merchant.name, 'Demo Shop');
    assert.equal(paid.event.resource.invoiceNumber, '1042');
  });
});
