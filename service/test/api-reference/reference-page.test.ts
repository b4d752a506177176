import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { PROBLEM_CODES } from '#lib/problem.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service.stop());

async function page(path: string) {
  const { status, headers, text } = await service.call('GET', path);
  assert.equal(status, 200, path);
  assert.match(headers.get('content-type') ?? '', /^text\/html/, path);
  return { text, headers };
}

function policyOf(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

const linksOf = (text: string) =>
  [...text.matchAll(/\shref="([^"]*)"/g)].map(([, link = '']) => link);

/** All operations and webhooks of the document. */
async function documented() {
  const { json } = await service.call('GET', '/openapi.json');
  const items = [...Object.values(json.paths), ...Object.values(json.webhooks)] as object[];
  return items.flatMap((item) => Object.values(item));
}

describe('the reference', () => {
  it('needs no script, and loads nothing from elsewhere', async () => {
    for (const path of ['/docs', '/docs/createPaymentRequest', '/docs/paymentFailed']) {
      const { text, headers } = await page(path);
      assert.doesNotMatch(text, /<script|\son\w+=|style=|\ssrc=/, path);
      const { 'style-src': styles, ...policy } = policyOf(headers);
      assert.match(styles ?? '', /^('sha256-[^']+' ?)+$/);
      assert.deepEqual(policy, {
        'default-src': "'none'",
        'img-src': "'self' data:",
        'form-action': "'self'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
      });
    }
  });

  it('leads from its first page to every call and webhook', async () => {
    const links = linksOf((await page('/docs')).text);
    const operations = await documented();
    assert.ok(operations.length >= 25);
    for (const { operationId, summary, description = '', responses } of operations) {
      const path = `/docs/${operationId}`;
      assert.ok(links.includes(path), path);
      const { text } = await page(path);
      assert.ok(text.includes(`<h1>${summary}</h1>`), path);
      assert.ok(text.includes(description.slice(0, 20)), path);
      for (const status of Object.keys(responses)) assert.ok(text.includes(`<h3>${status} `), path);
    }
  });

  it('has no link that leads nowhere', async () => {
    const seen = new Set(['/docs']);
    const paths = ['/docs'];
    for (const path of paths) {
      for (const link of linksOf((await page(path)).text)) {
        const target = link.split('#')[0] ?? '';
        if (!target.startsWith('/') || seen.has(target)) continue;
        seen.add(target);
        const isPage = target.startsWith('/docs/') && !/try$|json$/.test(target);
        if (isPage) paths.push(target);
        else assert.equal((await service.call('GET', target)).status, 200, `${path} → ${target}`);
      }
    }
    assert.ok(paths.length > 30, `${paths}`);
  });

  it('has pages of at most 15 kB, compressed', async () => {
    for (const { operationId = '' } of [{}, ...(await documented())]) {
      const headers = { 'accept-encoding': 'gzip' };
      const answer = await fetch(`${service.url}/docs/${operationId}`.replace(/\/$/, ''), {
        headers,
      });
      assert.equal(answer.headers.get('content-encoding'), 'gzip', operationId);
      // fetch unpacks the body.
      const bytes = gzipSync(await answer.text(), { level: 3 });
      assert.ok(bytes.length < 15_000, `${operationId} has ${bytes.length} bytes`);
    }
  });

  it('says where credentials come from, and names the tools', async () => {
    const { text } = await page('/docs');
    assert.match(text, /<h2>Where your credentials come from<\/h2>/);
    for (const part of [
      'payreq merchant create',
      'the username begins with <code>sbx_</code>',
      '.local/credentials.json',
      '<code>README.md</code>',
      '<code>docs/guides/</code>',
      '<code>npm i https://pay.test/sdk.tgz</code>',
      'href="/checkout.js"',
      'https://pay.test/v1',
      'https://pay.test/oauth2/token',
      'href="/docs/guides/receive-webhooks"',
    ]) {
      assert.ok(text.includes(part), part);
    }
  });

  it('shows a call’s parameters, body, examples and problems', async () => {
    const { text } = await page('/docs/createPaymentRequest');
    assert.match(text, /<code class="name">Idempotency-Key<\/code>\s*<span class="type">header/);
    assert.match(text, /<code class="name">merchantTransactionId<\/code>/);
    assert.match(text, /<code class="name">amount<\/code>.*\n.*\n<span class="required">required/);
    assert.match(text, /curl -X POST &#34;https:\/\/pay\.test\/v1\/payment-requests/);
    assert.match(text, /href="\/problems\/validation-error"/);
    assert.match(text, /<code>payment_request\/write<\/code>/);
    const listed = await page('/docs/listPaymentRequests');
    assert.match(listed.text, /<span class="type">query · integer · 1 to 100; default 20<\/span>/);
  });

  it('finds calls by the words of their fields and problems, and guides', async () => {
    const found = async (query: string) => {
      const { text } = await page(`/docs?q=${encodeURIComponent(query)}`);
      const [, results = ''] = text.split('<h1>Search</h1>');
      return linksOf(results);
    };
    assert.ok((await found('idempotency EXPIRY')).includes('/docs/createPaymentRequest'));
    assert.ok((await found('whsec_')).some((link) => link.startsWith('/docs/guides/')));
    assert.deepEqual(await found('zebra crossing'), ['/docs']);
    assert.ok((await found('WEBHOOK_REPLAY_RUNNING')).includes('/docs/replayWebhooks'));
    assert.ok(!(await found('WEBHOOK_REPLAY_RUNNING')).includes('/docs/createPaymentRequest'));
  });

  it('lists first the calls and guides with all words of the search in their title', async () => {
    const { text } = await page('/docs?q=Cancel');
    const [, calls = '', guides = ''] = text.split(/<h2>(?:Calls|Guides)<\/h2>/);
    assert.equal(linksOf(calls)[0], '/docs/cancelPaymentRequest');
    assert.ok(linksOf(calls).includes('/docs/createPaymentRequest'));
    assert.ok(linksOf(guides).length > 0);
    const { text: errors } = await page('/docs?q=errors');
    assert.equal(
      linksOf(errors.split('<h2>Guides</h2>')[1] ?? '')[0],
      '/docs/guides/errors-and-retries',
    );
  });

  it('shows a search as text, however long it is', async () => {
    const { text } = await page(`/docs?q=${encodeURIComponent(`"><b>${'x'.repeat(500)}`)}`);
    assert.doesNotMatch(text, /<b>x/);
    assert.doesNotMatch(text, /x{101}/);
    await page('/docs?q=one&q=two');
  });

  it('is reached from each problem’s page', async () => {
    for (const code of PROBLEM_CODES.slice(0, 3)) {
      const path = `/problems/${code.toLowerCase().replaceAll('_', '-')}`;
      const { text } = await service.call('GET', path, { headers: { accept: 'text/html' } });
      assert.ok(linksOf(text).includes(`/docs?q=${code}`), path);
    }
  });

  it('answers 404 for a page that it does not have', async () => {
    assert.equal((await service.call('GET', '/docs/nothing')).status, 404);
  });
});

describe('the page to try calls on', () => {
  it('loads nothing but scripts of this origin', async () => {
    const { text } = await page('/docs/try');
    const sources = [...text.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
    assert.deepEqual(sources, ['data:,', '/docs', '/docs/reference.js', '/docs/start.js']);
    assert.doesNotMatch(text, /<script>|\son\w+=|style=/);
  });

  it('may run no script but these, and ask nobody but this service', async () => {
    const { headers } = await page('/docs/try');
    assert.deepEqual(policyOf(headers), {
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
