import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { runCli } from '../commands/run-cli.ts';
import { startBrowsable } from '../support/browser/browsable.ts';
import { meetGatewayPages } from '../support/browser/payer-pages.ts';
import { SMALLEST_BODY } from '../support/payment-requests/payment-requests.ts';
import type { Production } from '../support/service/production.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const LIST = '/v1/payment-requests?limit=100';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
  for (let row = 0; row < 10; row++) await create();
});
after(() => service.stop());

const create = async () => {
  const displayMessage = 'x'.repeat(250);
  const body = { ...SMALLEST_BODY, displayMessage, metadata: { note: 'y'.repeat(400) } };
  const answer = await service.call('POST', '/v1/payment-requests', {
    headers: merchant.headers,
    body,
  });
  assert.equal(answer.status, 201);
  return answer.json.id as string;
};

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Node's own client does not decompress. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '', origin = service.url } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(origin + path, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers: answered } = response;
        resolve({ status: statusCode, headers: answered, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject).end(body);
  });
}

const own = (coding: string | null, more: Record<string, string> = {}) => ({
  ...merchant.headers,
  ...(coding !== null && { 'accept-encoding': coding }),
  ...more,
});

function plain({ headers, body }: RawAnswer): string {
  switch (headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(body).toString();
    case 'br':
      return brotliDecompressSync(body).toString();
    default:
      return body.toString();
  }
}

describe('an answer above 1 kB', () => {
  for (const [asked, coding] of [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
    [null, undefined],
  ] as const) {
    it(`is sent as ${coding ?? 'it is'} for Accept-Encoding ${asked ?? 'left out'}`, async () => {
      const [answer, bare] = [await ask(LIST, own(asked)), await ask(LIST, own(null))];
      assert.equal(answer.headers['content-encoding'], coding);
      assert.equal(answer.headers.vary, 'Accept, Accept-Encoding');
      assert.equal(Number(answer.headers['content-length']), answer.body.length);
      assert.equal(plain(answer), bare.body.toString());
      if (coding) assert.ok(answer.body.length < bare.body.length / 5);
    });
  }

  it('is compressed below 4 kB as well: one payment request', async () => {
    const id = await create();
    for (const coding of ['gzip', 'br']) {
      const answer = await ask(`/v1/payment-requests/${id}`, own(coding));
      assert.equal(answer.headers['content-encoding'], coding);
      assert.equal(JSON.parse(plain(answer)).id, id);
    }
  });

  it('keeps its ETag: If-None-Match gives 304, If-Match lets the change happen', async () => {
    const path = `/v1/payment-requests/${await create()}`;
    const etag = (await ask(path, own('gzip'))).headers.etag ?? '';
    assert.equal(etag, (await ask(path, own(null))).headers.etag);
    const known = await ask(path, own('gzip', { 'if-none-match': etag }));
    assert.deepEqual([known.status, known.body.length], [304, 0]);
    assert.equal(known.headers['content-encoding'], undefined);
    const json = { 'content-type': 'application/json', 'if-match': etag };
    const body = '{"invoiceNumber":"A-1"}';
    const changed = await ask(path, own('gzip', json), { method: 'PATCH', body });
    assert.equal(changed.status, 200, plain(changed));
  });

  it('has the same head for HEAD as for GET', async () => {
    const path = `/v1/payment-requests/${await create()}`;
    const [get, head] = [
      await ask(path, own('gzip')),
      await ask(path, own('gzip'), { method: 'HEAD' }),
    ];
    for (const name of ['content-encoding', 'content-length', 'vary', 'etag']) {
      assert.equal(head.headers[name], get.headers[name], name);
    }
    assert.equal(head.headers['content-encoding'], 'gzip');
    assert.equal(head.body.length, 0);
  });

  it('is compressed when it is a refusal', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key${n}`, n]));
    const answer = await ask(
      '/v1/payment-requests',
      own('gzip', { 'content-type': 'application/json' }),
      {
        method: 'POST',
        body: JSON.stringify({ ...SMALLEST_BODY, metadata }),
      },
    );
    assert.deepEqual([answer.status, answer.headers['content-encoding']], [400, 'gzip']);
    assert.ok(JSON.parse(plain(answer)).errors.length > 20);
  });

  it('comes as soon as the change when the call waits for it', async () => {
    const id = await create();
    const path = `/v1/payment-requests/${id}?waitSeconds=30`;
    const waiting = ask(path, own('gzip', { 'if-none-match': '"1"' }));
    await ask(`/v1/payment-requests/${id}/cancellation`, own(null), { method: 'POST' });
    const answer = await waiting;
    assert.equal(answer.headers['content-encoding'], 'gzip');
    assert.equal(JSON.parse(plain(answer)).status, 'CANCELLED');
  });
});

describe('an answer that is not compressed', () => {
  it('is one below 1 kB', async () => {
    const answer = await ask('/.well-known/jwks.json', { 'accept-encoding': 'gzip' });
    assert.equal(answer.headers['content-encoding'], undefined);
  });

  it('is a CSV list, which streams', async () => {
    const answer = await ask(LIST.split('?')[0] ?? '', own('gzip', { accept: 'text/csv' }));
    assert.equal(answer.headers['content-encoding'], undefined);
    assert.equal(answer.body.toString().trim().split('\n').length > 10, true);
  });

  it('is a QR image of the type PNG', async () => {
    const id = await create();
    const { qrCodeLink } = JSON.parse(plain(await ask(`/v1/payment-requests/${id}`, own('br'))));
    const path = `${new URL(qrCodeLink).pathname}?format=png&size=1000`;
    const answer = await ask(path, { 'accept-encoding': 'gzip', accept: 'image/png' });
    assert.match(answer.headers['content-type'] ?? '', /^image\//);
    const isSvg = /svg/.test(answer.headers['content-type'] ?? '');
    assert.equal(answer.headers['content-encoding'] === 'gzip', isSvg);
  });

  it('is a token, also a long one', async () => {
    // The issuer is in the token.
    const path = `/${'a'.repeat(500)}/token`;
    const settings = { PUBLIC_AUTH_URL: `https://pay.test${path}` };
    const other = await startTestService({ roles: ['api'], settings });
    try {
      const created = await runCli(['merchant', 'create', '--name', 'Books', '--json'], other.env);
      const { username, password } = created.json();
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'accept-encoding': 'gzip',
      };
      const body = 'grant_type=client_credentials';
      const token = await ask(path, headers, { method: 'POST', body, origin: other.url });
      assert.ok(token.body.length > 1_024);
      assert.equal(token.headers['content-encoding'], undefined);
      assert.ok(JSON.parse(token.body.toString()).access_token);
    } finally {
      await other.stop();
    }
  });

  it('is a webhook endpoint with its secrets: new, moved, or with another secret', async () => {
    const path = '/v1/webhook-endpoints';
    const longUrl = (origin: string) => `${origin}/${'x'.repeat(1_500)}`;
    const send = async (method: string, to: string, body: object) => {
      const headers = own('gzip', { 'content-type': 'application/json' });
      const answer = await ask(to, headers, { method, body: JSON.stringify(body) });
      assert.ok(answer.body.length > 1_024);
      assert.equal(answer.headers['content-encoding'], undefined, `${method} ${to}`);
      const { id, signingSecret } = JSON.parse(answer.body.toString());
      assert.match(signingSecret, /^whsec_/);
      return id as string;
    };
    const id = await send('POST', path, { url: longUrl('https://8.8.8.8') });
    await send('PATCH', `${path}/${id}`, { url: longUrl('https://8.8.4.4') });
    await send('POST', `${path}/${id}/rotate-secret`, {});
    const read = await ask(`${path}/${id}`, own('gzip'));
    assert.equal(read.headers['content-encoding'], 'gzip', 'without its secrets');
  });
});

describe('the OpenAPI document', () => {
  it('is compressed, and each coding has an ETag of its own', async () => {
    const bare = await ask('/openapi.json');
    assert.ok(bare.body.length > 100_000);
    const tags = new Set([bare.headers.etag]);
    for (const coding of ['gzip', 'br']) {
      const answer = await ask('/openapi.json', { 'accept-encoding': coding });
      assert.equal(answer.headers['content-encoding'], coding);
      assert.equal(answer.headers.vary, 'Accept-Encoding');
      assert.equal(plain(answer), bare.body.toString());
      assert.ok(answer.body.length < bare.body.length / 5);
      const etag = answer.headers.etag ?? '';
      tags.add(etag);
      const known = { 'accept-encoding': coding, 'if-none-match': etag };
      assert.equal((await ask('/openapi.json', known)).status, 304);
    }
    assert.equal(tags.size, 3);
  });

  it('may be read by pages of every origin', async () => {
    const { headers } = await ask('/openapi.json', { origin: 'https://editor.example' });
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  });
});

describe('a browser at the origin or at {base_url}', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  for (const path of ['/', '/v1']) {
    it(`goes on to the reference: ${path}`, async () => {
      const { status, headers } = await ask(path, { accept });
      assert.deepEqual([status, headers.location], [302, '/docs']);
      assert.equal(headers.vary, 'Accept');
    });

    it(`is no program, which gets a problem: ${path}`, async () => {
      for (const asked of ['application/json', '*/*']) {
        const { status, headers } = await ask(path, { accept: asked });
        assert.equal(status, 404);
        assert.match(headers['content-type'] ?? '', /^application\/problem\+json/);
      }
    });
  }
});

describe('the payer’s pages', () => {
  let production: Production;
  before(async () => {
    production = await startBrowsable({ start: new Date() });
  });
  after(() => production.stop());

  it('leave compressed, and show no text of their address beside their form’s token', async () => {
    const pages = await meetGatewayPages(production);
    assert.ok(pages.length > 3);
    for (const { name, url, cookies } of pages) {
      const cookie = cookies.map((each) => `${each.name}=${each.value}`).join('; ');
      const { origin, pathname, search } = new URL(url);
      const probe = search === '' ? '?' : `${search}&`;
      const path = `${pathname}${probe}x=CANARY&lang=CANARY&q=CANARY&returned=CANARY`;
      const headers = { cookie, accept: 'text/html', 'accept-encoding': 'gzip' };
      const answer = await ask(path, headers, { origin });
      assert.match(answer.headers['content-type'] ?? '', /^text\/html/, name);
      assert.equal(answer.headers['content-encoding'], 'gzip', name);
      assert.match(answer.headers.vary ?? '', /Accept-Encoding/, name);
      assert.doesNotMatch(plain(answer), /CANARY/, name);
    }
  });
});
