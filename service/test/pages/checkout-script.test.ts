import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startTestService, type TestService } from '../support/service/service.ts';

const SOURCE = new URL('../../../sdk/src/checkout.js', import.meta.url);
/** journey §3. */
const MOST_BYTES = 3_000;

interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

describe('/checkout.js', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ environment: 'production' });
  });
  after(() => service.stop());

  /** Not through fetch, which unpacks what it gets. */
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<RawAnswer>((resolve, reject) => {
      const sent = request(`${service.url}/checkout.js`, { method, headers }, async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk);
        const { statusCode: status } = answer;
        resolve({ status, headers: answer.headers, body: Buffer.concat(chunks) });
      });
      sent.on('error', reject);
      sent.end();
    });

  it('is the SDK’s module, for pages of every origin, and runs nowhere else', async () => {
    const { status, headers, body } = await get({ origin: 'https://shop.example' });
    assert.equal(status, 200);
    assert.equal(body.toString(), readFileSync(SOURCE, 'utf8'));
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  it('is small on the wire where gzip is taken, and the same', async () => {
    const { headers, body } = await get({ 'accept-encoding': 'gzip, deflate, br' });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.ok(body.length <= MOST_BYTES, `${body.length} bytes`);
    assert.equal(gunzipSync(body).toString(), readFileSync(SOURCE, 'utf8'));
    for (const encodings of ['br', 'gzip;q=0', '']) {
      const plain = await get({ 'accept-encoding': encodings });
      assert.equal(plain.headers['content-encoding'], undefined, encodings);
    }
  });

  it('may be kept for a while, and is not sent again to who has it', async () => {
    const seen = new Set<unknown>();
    for (const encoding of [{}, { 'accept-encoding': 'gzip' }]) {
      const { headers } = await get(encoding);
      assert.equal(headers['cache-control'], 'public, max-age=300');
      assert.equal(headers.vary, 'Accept-Encoding');
      const etag = String(headers.etag);
      seen.add(etag);
      const again = await get({ ...encoding, 'if-none-match': etag });
      assert.equal(again.status, 304);
      assert.equal(again.headers.etag, etag);
      assert.equal(again.body.length, 0);
      assert.equal((await get({ ...encoding, 'if-none-match': '"other"' })).status, 200);
    }
    assert.equal(seen.size, 2);
  });

  it('answers HEAD as GET, and no other method', async () => {
    const head = await get({}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.body.length, 0);
    const post = await get({}, 'POST');
    assert.equal(post.status, 405);
    assert.equal(post.headers.allow, 'GET, HEAD, OPTIONS');
  });
});
