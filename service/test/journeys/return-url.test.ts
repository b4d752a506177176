import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
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

const SHOP_PAGE = 'https://shop.example/orders/7';
const PATH = '/v1/payment-requests';

async function startService(environment: 'sandbox' | 'production', publicApiUrl?: string) {
  const service = await startTestService({
    environment,
    roles: ['api'],
    settings: publicApiUrl === undefined ? {} : { PUBLIC_API_URL: publicApiUrl },
  });
  const merchant = await service.createMerchant();
  return { service, merchant, calls: paymentRequestCalls(service, merchant) };
}

/** Asks for a payment with this returnUrl; the answer may be a refusal. */
function create(service: TestService, { headers }: TestMerchant, returnUrl: unknown) {
  return service.call('POST', PATH, { headers, body: { ...SMALLEST_BODY, returnUrl } });
}

function assertRefused(answer: Answer, code: string): void {
  assert.equal(answer.status, 400, answer.text);
  assert.deepEqual(faultsOf(answer), [['returnUrl', code]]);
}

describe('a returnUrl', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let calls: PaymentRequestCalls;
  before(async () => {
    ({ service, merchant, calls } = await startService('sandbox'));
  });
  after(() => service?.stop());

  const good = [
    SHOP_PAGE,
    'https://shop.example',
    'https://shop.example:8443/back?order=7&lang=fr',
    'HTTPS://Shop.Example/Back',
    'https://shop.example/#/orders/7',
    'https://shop.example/caf%C3%A9/é',
    'https://bücher.example/',
    'https://127.0.0.1/back',
    'https://[::1]:8443/back',
    'https://shop.example/@me',
    `https://shop.example/${'x'.repeat(2027)}`,
  ];
  for (const url of good) {
    it(`may be ${url.slice(0, 60)}, and every answer shows it as sent`, async () => {
      const created = await create(service, merchant, url);
      assert.equal(created.status, 201, created.text);
      assert.equal(created.json.returnUrl, url);
      const { id } = (await calls.create()).json;
      assert.equal((await calls.update(id, { returnUrl: url })).json.returnUrl, url);
      assert.equal((await calls.read(id)).json.returnUrl, url);
    });
  }

  const bad: readonly (readonly [url: unknown, code: string])[] = [
    ['http://shop.example/', 'INVALID_VALUE'],
    ['http://localhost:4000/', 'INVALID_VALUE'],
    ['http://127.0.0.1/', 'INVALID_VALUE'],
    ['javascript:alert(1)', 'INVALID_VALUE'],
    ['JavaScript://shop.example/%0aalert(1)', 'INVALID_VALUE'],
    ['data:text/html,<p>', 'INVALID_VALUE'],
    ['vbscript:x', 'INVALID_VALUE'],
    ['file:///etc/passwd', 'INVALID_VALUE'],
    ['blob:https://shop.example/1', 'INVALID_VALUE'],
    ['shop.example', 'INVALID_VALUE'],
    ['//shop.example/', 'INVALID_VALUE'],
    ['/orders/7', 'INVALID_VALUE'],
    ['https:shop.example', 'INVALID_VALUE'],
    ['https:/shop.example', 'INVALID_VALUE'],
    ['https:///shop.example', 'INVALID_VALUE'],
    ['https://', 'INVALID_VALUE'],
    ['https://?x', 'INVALID_VALUE'],
    ['https://shop.example:99999/', 'INVALID_VALUE'],
    ['https://shop .example/', 'INVALID_VALUE'],
    ['https://shop.example/a b', 'INVALID_VALUE'],
    [` ${SHOP_PAGE}`, 'INVALID_VALUE'],
    [`${SHOP_PAGE} `, 'INVALID_VALUE'],
    [`${SHOP_PAGE}\u00a0`, 'INVALID_VALUE'],
    ['https:\\\\shop.example', 'INVALID_VALUE'],
    ['https://shop.example\\@other.example/', 'INVALID_VALUE'],
    ['https://shop.example/\\other.example', 'INVALID_VALUE'],
    ['https://user@shop.example/', 'INVALID_VALUE'],
    ['https://user:word@shop.example/', 'INVALID_VALUE'],
    ['https://@shop.example/', 'INVALID_VALUE'],
    ['https://:@shop.example/', 'INVALID_VALUE'],
    ['https://shop.example/\tx', 'INVALID_FORMAT'],
    ['java\nscript:alert(1)', 'INVALID_FORMAT'],
    ['https://shop.example/\u0000', 'INVALID_FORMAT'],
    ['https://shop.example/\u0085', 'INVALID_FORMAT'],
    ['https://shop.example/\ud800', 'INVALID_FORMAT'],
    [`https://shop.example/${'x'.repeat(2028)}`, 'TOO_LONG'],
    [7, 'INVALID_TYPE'],
    [[SHOP_PAGE], 'INVALID_TYPE'],
  ];
  for (const [url, code] of bad) {
    it(`refuses ${JSON.stringify(url).slice(0, 60)} with ${code}, in creations and updates`, async () => {
      assertRefused(await create(service, merchant, url), code);
      const { id } = (await calls.create({ returnUrl: SHOP_PAGE })).json;
      assertRefused(await calls.update(id, { returnUrl: url }), code);
      assert.equal((await calls.read(id)).json.returnUrl, SHOP_PAGE);
    });
  }

  for (const value of [null, '']) {
    it(`counts as absent when it is ${JSON.stringify(value)}, and is removed by it`, async () => {
      const absent = await create(service, merchant, value);
      assert.equal(absent.status, 201, absent.text);
      assert.ok(!('returnUrl' in absent.json));
      const { id } = (await calls.create({ returnUrl: SHOP_PAGE })).json;
      const removed = await calls.update(id, { returnUrl: value });
      assert.equal(removed.status, 200, removed.text);
      assert.ok(!('returnUrl' in removed.json));
      const timeline = await calls.timeline(id);
      assert.deepEqual(timeline.json.data.at(-1).fields, ['returnUrl']);
    });
  }

  it('is no longer changeable once the payment request is closed', async () => {
    const { id } = (await calls.create({ returnUrl: SHOP_PAGE })).json;
    assert.equal((await calls.cancel(id)).status, 200);
    assert.equal((await calls.update(id, { returnUrl: null })).json.code, 'ALREADY_CANCELLED');
  });

  it('is part of the webhook’s payment request', async () => {
    await service.call('POST', '/v1/webhook-endpoints', {
      headers: merchant.headers,
      body: { url: 'https://1.1.1.1/hook' },
    });
    const { id } = (await calls.create({ returnUrl: SHOP_PAGE })).json;
    await calls.simulate(id, { outcome: 'PAID' });
    const [event] = await service.database.sql<{ body: string }>(
      'SELECT body FROM webhook_events WHERE payment_request_id = $1',
      [id],
    );
    assert.equal(JSON.parse(event?.body ?? '{}').resource.returnUrl, SHOP_PAGE);
  });
});

describe('a returnUrl of a service on localhost', () => {
  let service: TestService;
  let merchant: TestMerchant;
  before(async () => {
    ({ service, merchant } = await startService('sandbox', 'http://localhost:4010/v1'));
  });
  after(() => service?.stop());

  for (const url of [
    'http://localhost:4000/orders/7',
    'http://shop.localhost/',
    'http://127.0.0.1:4000/',
    'http://[::1]/',
    SHOP_PAGE,
  ]) {
    it(`may be ${url}`, async () => {
      const created = await create(service, merchant, url);
      assert.equal(created.status, 201, created.text);
    });
  }

  for (const url of [
    'http://shop.example/',
    'http://192.168.1.1/',
    'http://localhost.example/',
    'http://user@localhost/',
    'javascript:alert(1)',
  ]) {
    it(`is refused as ${url}`, async () => {
      assertRefused(await create(service, merchant, url), 'INVALID_VALUE');
    });
  }
});

describe('a returnUrl in production', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let calls: PaymentRequestCalls;
  before(async () => {
    ({ service, merchant, calls } = await startService('production'));
  });
  after(() => service?.stop());

  async function origins(...options: string[]) {
    const command = ['merchant', 'set-return-origins', '--merchant', merchant.merchantId];
    const ran = await runCli([...command, ...options], service.env);
    // A process remembers a merchant for less than 5 s.
    await service.advance(6);
    return ran;
  }

  it('is refused at an unregistered origin, with the command that registers it', async () => {
    const refused = await create(service, merchant, SHOP_PAGE);
    assertRefused(refused, 'INVALID_VALUE');
    const [, command] = /payreq (.*)$/.exec(refused.json.errors[0].message) ?? [];
    const ran = await runCli((command ?? '').split(' '), service.env);
    assert.deepEqual([ran.exitCode, ran.stdout, ran.stderr], [0, 'https://shop.example\n', '']);
    await service.advance(6);
    assert.equal((await create(service, merchant, SHOP_PAGE)).status, 201);
    for (const other of [
      'https://other.example/',
      'https://shop.example:8443/',
      'https://www.shop.example/',
      'https://shop.example./',
      'https://shop.example.other.example/',
      'http://shop.example/',
    ]) {
      assertRefused(await create(service, merchant, other), 'INVALID_VALUE');
    }
  });

  it('is refused at an origin that is registered for webhooks alone', async () => {
    const origin = 'https://hooks.example';
    const other = await service.createMerchant({ webhookOrigins: [origin] });
    assertRefused(await create(service, other, `${origin}/`), 'INVALID_VALUE');
  });

  it('stays when its origin is removed, and no update may set it again', async () => {
    await origins('--add', 'https://shop.example');
    const { id } = (await calls.create({ returnUrl: SHOP_PAGE })).json;
    const removed = await origins('--remove', 'https://shop.example', '--json');
    const { merchantId } = merchant;
    assert.deepEqual(removed.json(), { merchantId, returnOrigins: [] });
    const same = await calls.update(id, { returnUrl: SHOP_PAGE, invoiceNumber: 'INV-1' });
    assert.equal(same.status, 200, same.text);
    assertRefused(await calls.update(id, { returnUrl: `${SHOP_PAGE}/new` }), 'INVALID_VALUE');
    assert.equal((await calls.read(id)).json.returnUrl, SHOP_PAGE);
    assert.equal((await calls.update(id, { returnUrl: null })).status, 200);
  });

  it('has its own list of origins, whose changes the audit log tells', async () => {
    await origins('--add', 'https://a.example/', '--add', 'https://b.example:8443');
    const printed = await origins();
    assert.equal(printed.stdout, 'https://a.example\nhttps://b.example:8443\n');
    const rows = await service.database.sql(
      'SELECT webhook_origins, return_origins FROM merchants WHERE id = $1',
      [merchant.merchantId],
    );
    assert.deepEqual(rows, [
      { webhook_origins: [], return_origins: ['https://a.example', 'https://b.example:8443'] },
    ]);
    const audit = await service.database.sql<{ details: object }>(
      `SELECT details FROM audit_log WHERE action = 'RETURN_ORIGINS_CHANGED' ORDER BY id DESC`,
    );
    const added = ['https://a.example', 'https://b.example:8443'];
    assert.deepEqual(audit[0]?.details, { added, removed: [], before: [] });
  });

  it('registers nothing but origins', async () => {
    for (const text of [
      'http://a.example',
      'http://localhost:4000',
      'https://a.example/page',
      'https://u@a.example',
      'a.example',
    ]) {
      const ran = await origins('--add', text);
      assert.equal(ran.exitCode, 1, text);
      assert.match(ran.stderr, /is not a return origin/);
    }
  });

  it('may be http on localhost when the service is there too', async () => {
    const origin = ['--add', 'http://localhost:4000'];
    const command = ['merchant', 'set-return-origins', '--merchant', merchant.merchantId];
    const ran = await runCli([...command, ...origin, '--json'], {
      ...service.env,
      PUBLIC_API_URL: 'http://localhost:4020/v1',
    });
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.ok(ran.json().returnOrigins.includes('http://localhost:4000'));
    const webhooks = ['merchant', 'set-webhook-origins', '--merchant', merchant.merchantId];
    assert.equal((await runCli([...webhooks, ...origin], service.env)).exitCode, 1);
  });
});
