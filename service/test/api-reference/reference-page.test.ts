import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../support/service/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service.stop());

describe('the reference page', () => {
  it('loads nothing but scripts of this origin', async () => {
    const { status, headers, text } = await service.call('GET', '/docs');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    const sources = [...text.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
    assert.deepEqual(sources, [
      'data:,',
      '/openapi.json',
      '/problems',
      '/docs/reference.js',
      '/docs/start.js',
    ]);
    assert.doesNotMatch(text, /<script>|\son\w+=|style=/);
  });

  it('may run no script but these, and ask nobody but this service', async () => {
    const { headers } = await service.call('GET', '/docs');
    const policy = Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.join(' ')];
      }),
    );
    assert.deepEqual(policy, {
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'unsafe-inline'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': "'self' https://pay.test",
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    });
  });

  it('has its scripts, compressed where that is taken, and once for each browser', async () => {
    const start = await service.call('GET', '/docs/start.js');
    assert.match(start.text, /^Scalar\.createApiReference\('#app', \{"url":"\/openapi\.json"/);
    const url = `${service.url}/docs/reference.js`;
    const [plain, gzipped] = await Promise.all(
      ['identity', 'gzip'].map((encoding) =>
        fetch(url, { headers: { 'accept-encoding': encoding } }),
      ),
    );
    assert.equal(plain?.headers.get('content-encoding'), null);
    assert.equal(gzipped?.headers.get('content-encoding'), 'gzip');
    assert.match(plain?.headers.get('content-type') ?? '', /^text\/javascript/);
    assert.ok(Number(gzipped?.headers.get('content-length')) < 1_500_000);
    // fetch unpacks it.
    assert.equal(await gzipped?.text(), await plain?.text());
    const etag = plain?.headers.get('etag') ?? '';
    const known = await fetch(url, { headers: { 'if-none-match': etag } });
    assert.equal(known.status, 304);
  });
});
