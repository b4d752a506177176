import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { PROBLEM_CODES } from '#lib/problem.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { codeOf } from '../support/documents/shown-code.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

const CREATION = 'https://pay.test/v1/payment-requests';

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
  it('loads nothing but its own scripts, and may ask nobody but this service', async () => {
    const paths = ['/docs', '/docs/createPaymentRequest', '/docs/paymentFailed', '/docs/guides'];
    for (const path of [...paths, '/docs/try']) {
      const { text, headers } = await page(path);
      const own = /<script type="module" src="\/page-scripts\/[\w.-]+"><\/script>/g;
      assert.doesNotMatch(text.replace(own, ''), /<script|\son\w+=|style=|\ssrc=/, path);
      assert.equal(text.match(own)?.length, path === '/docs/try' ? 4 : 3, path);
      const { 'style-src': styles, ...policy } = policyOf(headers);
      assert.match(styles ?? '', /^('sha256-[^']+' ?)+$/);
      assert.deepEqual(policy, {
        'default-src': "'none'",
        'script-src': "'self'",
        'connect-src': "'self'",
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
    assert.ok(codeOf(text).some((code) => code.startsWith(`curl -X POST "${CREATION}" \\\n`)));
    assert.match(text, /href="\/problems\/validation-error"/);
    assert.match(text, /<code>payment_request\/write<\/code>/);
    const listed = await page('/docs/listPaymentRequests');
    assert.match(listed.text, /<span class="type">query · integer · 1 to 100; default 20<\/span>/);
  });

  it('has examples beside the text, and the members of answers folded behind them', async () => {
    const { text } = await page('/docs/getPaymentRequest');
    const [before = '', behind = ''] = text.split('<div class="beside">');
    assert.ok(!before.includes('class="members"'));
    assert.ok(behind.indexOf('class="code"') < behind.indexOf('class="members"'));
    assert.match(behind, /<details><summary>Members<\/summary>/);
  });

  it('forgives typing faults of a search, and says what it searched for', async () => {
    const { text } = await page('/docs?q=webhok');
    assert.match(text, /Showing results for <strong>webhook<\/strong>: \d+ found/);
    assert.ok(linksOf(text.split('<h1>Search: ')[1] ?? '').includes('/docs/replayWebhooks'));
    assert.match((await page('/docs?q=idempotancy key')).text, /for <strong>idempotency key</);
    assert.doesNotMatch((await page('/docs?q=webhook')).text, /Showing results/);
  });

  it('finds problems by their code', async () => {
    const { text } = await page('/docs?q=RATE_LIMITED');
    assert.ok(linksOf(text.split('<h1>Search: ')[1] ?? '').includes('/problems/rate-limited'));
  });

  it('finds calls by the words of their fields and problems, and guides', async () => {
    const found = async (query: string) => {
      const { text } = await page(`/docs?q=${encodeURIComponent(query)}`);
      const [, results = ''] = text.split('<h1>Search: ');
      return linksOf(results);
    };
    assert.ok((await found('idempotency EXPIRY')).includes('/docs/createPaymentRequest'));
    assert.ok((await found('whsec_')).some((link) => link.startsWith('/docs/guides/')));
    assert.deepEqual(await found('zebra crossing'), ['/docs/guides', '/problems', '/docs']);
    assert.ok((await found('WEBHOOK_REPLAY_RUNNING')).includes('/docs/replayWebhooks'));
    assert.ok(!(await found('WEBHOOK_REPLAY_RUNNING')).includes('/docs/createPaymentRequest'));
  });

  it('lists first the five best, with the words in their title, then guides before calls', async () => {
    const { text } = await page('/docs?q=Cancel');
    const [best = '', ...others] = text.split('<h1>Search: ')[1]?.split('<h2>') ?? [];
    const [everything, first, ...next] = linksOf(best);
    assert.deepEqual([everything, first], ['/docs', '/docs/cancelPaymentRequest']);
    assert.equal(next.length, 4);
    assert.match(best, />POST<\/span> <a [^>]*><mark>Cancel<\/mark> a payment request<\/a>/);
    assert.deepEqual(
      others.map((each) => each.match(/^(\w+) \(\d+\)/)?.[1]),
      ['Guides', 'Calls'],
    );
    assert.ok(linksOf(others.join()).includes('/docs/createPaymentRequest'));
    const { text: many } = await page('/docs?q=webhook');
    const open = many.replaceAll(/<details>[\s\S]*?<\/details>/g, '').split('<h1>Search: ')[1];
    const shown = open?.match(/<li>/g)?.length ?? 0;
    assert.ok(shown >= 8 && shown <= 14, `${shown} of those that are found are unfolded`);
    assert.match(many, /<details><summary>\d+ more calls<\/summary><ul class="calls">/);
    const { text: errors } = await page('/docs?q=errors');
    assert.equal(
      linksOf(errors.split('<ul class="calls">')[1] ?? '')[0],
      '/docs/guides/errors-and-retries',
    );
  });

  it('shows the sentence with the word and the next ones of its paragraph, as text', async () => {
    const { text } = await page('/docs?q=constant');
    assert.match(text, /<p>Use the <mark>constant<\/mark>-time comparison of your language\.<\/p>/);
    const { text: both } = await page('/docs?q=reveals');
    assert.match(
      both,
      /<mark>reveals<\/mark> how many characters are right\. Use the constant-time/,
    );
    assert.doesNotMatch((await page('/docs?q=whsec_')).text, /&#38;(?:lt|quot|amp|#)/);
  });

  it('begins with three steps, whose code is that of the calls', async () => {
    const { text } = await page('/docs');
    const [, steps = ''] = text.split('<ol class="start">');
    const shown = codeOf(steps.split('</ol>')[0] ?? '');
    assert.equal(shown.length, 3);
    for (const [at, id] of ['createAccessToken', 'createPaymentRequest'].entries()) {
      assert.ok(codeOf((await page(`/docs/${id}`)).text).includes(shown[at] ?? ''), id);
    }
    assert.match(shown[2] ?? '', /verifyWebhook/);
  });

  it('lists required members before the others', async () => {
    const { text } = await page('/docs/createPaymentRequest');
    const [, body = ''] = text.split('<h2>Body</h2>');
    const required = [
      ...(body.split('</section>')[0]?.matchAll(/"name">(\w+)<|"(required)">/g) ?? []),
    ];
    const names = required.map(([, name, mark]) => name ?? mark);
    assert.deepEqual(names.slice(0, 6), [
      'amount',
      'required',
      'type',
      'required',
      'payer',
      'required',
    ]);
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
    const headers = { accept: 'text/html' };
    const { status, text } = await service.call('GET', '/docs/nothing?from=mail', { headers });
    assert.equal(status, 404);
    assert.match(text, /There is no page here/);
    assert.ok(linksOf(text).includes('/docs/try'), 'the sandbox has calls to try');
  });
});

describe('the page to try calls on', () => {
  it('has a form for each call of the document, with its parameters and an example', async () => {
    const { text } = await page('/docs/try');
    const { json } = await service.call('GET', '/openapi.json');
    for (const item of Object.values(json.paths as object)) {
      for (const { operationId } of Object.values(item) as { operationId: string }[]) {
        assert.ok(text.includes(`id="${operationId}" name="call"`), operationId);
      }
    }
    assert.match(text, /<input name="id" data-in="path" required value="[0-9a-f-]{36}">/);
    assert.match(text, /<input name="status" data-in="query" value="">/);
    assert.match(text, /<textarea name="body"[^>]*>\{\n {2}&#34;amount&#34;: /);
  });

  it('exists in the sandbox alone', async () => {
    const production = await startTestService({ environment: 'production' });
    try {
      assert.equal((await production.call('GET', '/docs/try')).status, 404);
      const person = await production.call('GET', '/docs/try', {
        headers: { accept: 'text/html' },
      });
      assert.equal(person.status, 404);
      assert.match(person.text, /at the address of your sandbox/);
      for (const path of ['/docs', '/docs/createPaymentRequest', '/docs/guides']) {
        const { text } = await production.call('GET', path);
        assert.ok(!text.includes('/docs/try'), path);
      }
    } finally {
      await production.stop();
    }
  });
});

describe('the values of a signed-in merchant', () => {
  const read = async (client: ConsoleClient, query = '') => {
    const answer = await client.get(`/console/docs-values${query}`, { accept: '*/*' });
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    return JSON.parse(answer.html);
  };

  it('are never in a page, which is the same for every reader', async () => {
    const merchant = await service.createMerchant({ name: 'Own Shop' });
    const client = await signIn(service, { role: 'administrator', ...merchant });
    for (const path of ['/docs', '/docs/createAccessToken', '/docs/guides/quick-start']) {
      const signedIn = await client.get(path);
      assert.equal(signedIn.html, (await page(path)).text);
      assert.equal(signedIn.headers.get('cache-control'), 'no-store');
    }
  });

  it('are answered to the person alone, and none is a secret', async () => {
    const merchant = await service.createMerchant({ name: 'Own Shop' });
    const other = await service.createMerchant({ name: 'Other Shop' });
    const client = await signIn(service, { role: 'administrator', ...merchant });
    const { merchants, values } = await read(client, `?merchant=${other.merchantId}`);
    const { username, apiKey, password } = merchant;
    assert.deepEqual(merchants, [{ id: merchant.merchantId, name: 'Own Shop' }]);
    assert.deepEqual([values.id, values.username], [merchant.merchantId, username]);
    assert.match(values.apiKey, /^sbx_\S+…$/);
    assert.ok(apiKey.startsWith(values.apiKey.slice(0, -1)) && values.apiKey.length < 16);
    assert.ok(!JSON.stringify(values).includes(password));
  });

  it('leave out the credentials that a role may not read, and all for operators', async () => {
    const { merchantId } = await service.createMerchant();
    const { values } = await read(await signIn(service, { role: 'support', merchantId }));
    assert.deepEqual([values.id, values.username, values.apiKey], [merchantId, null, null]);
    const operator = await signIn(service, { role: 'operator' });
    assert.deepEqual(await read(operator), { merchants: [], values: null });
    const stranger = await service.call('GET', '/console/docs-values');
    assert.equal(stranger.status, 303);
  });
});

describe('the documentation for machines', () => {
  /** A document's path from its address on this deployment. */
  const pathOf = (address: string) => address.replace('https://pay.test', '');
  const read = (path: string, accept = '*/*') => service.call('GET', path, { headers: { accept } });
  const addressesOf = (text: string, form: RegExp) =>
    [...text.matchAll(form)].map(([, address = '']) => pathOf(address));

  it('has each page of llms.txt as Markdown, and each call is one of them', async () => {
    const { status, text, headers } = await read('/llms.txt');
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
    assert.match(text, /^# [^\n]+\n\n> [^\n]+\n\n## Guides\n/);
    const paths = addressesOf(text, /^- \[[^\]]+\]\(([^)]+)\)/gm);
    for (const { operationId } of await documented()) {
      assert.ok(paths.includes(`/docs/${operationId}.md`), operationId);
    }
    assert.equal(new Set(paths).size, paths.length);
    for (const path of paths) {
      const answer = await read(path);
      assert.equal(answer.status, 200, path);
      if (path.endsWith('.md')) {
        assert.equal(answer.headers.get('content-type'), 'text/markdown; charset=utf-8');
        assert.match(answer.text, /^# \S/, path);
        assert.doesNotMatch(answer.text.replace(/```[\s\S]*?```/g, ''), /<(?:p|div|ul|li)\b/, path);
      }
    }
  });

  it('answers a page by Accept as by its ending, and tells caches so', async () => {
    const asked = 'text/markdown, text/html;q=0.5';
    for (const path of ['/docs', '/docs/createPaymentRequest', '/docs/guides/quick-start']) {
      const [ending, accept, html] = await Promise.all([
        read(`${path}.md`),
        read(path, asked),
        read(path),
      ]);
      assert.equal(accept.text, ending.text, path);
      assert.match(html.headers.get('content-type') ?? '', /^text\/html/, path);
      for (const { headers } of [accept, html]) {
        assert.match(headers.get('vary') ?? '', /^Accept(?:,|$)/, path);
      }
      const tag = ending.headers.get('etag') ?? '';
      const again = await service.call('GET', path, {
        headers: { accept: asked, 'if-none-match': tag },
      });
      assert.equal(again.status, 304, path);
    }
    assert.match((await read('/docs/try', asked)).headers.get('content-type') ?? '', /^text\/html/);
    const form = await read('/docs/try.md');
    assert.match(form.headers.get('content-type') ?? '', /^text\/markdown/);
  });

  it('has no page at hostile names, and shows a hostile search as text', async () => {
    const names = ['__proto__', 'constructor', '..%2f..%2fREADME', 'refunds%00', 'a'.repeat(9_000)];
    for (const name of names) {
      for (const path of [`/docs/${name}.md`, `/docs/guides/${name}.md`, `/problems/${name}`]) {
        assert.equal((await read(path)).status, 404, path.slice(0, 60));
      }
    }
    const query = encodeURIComponent('<img src=x onerror=1>[a](javascript:1)');
    const { text } = await read(`/docs?q=${query}`, 'text/markdown');
    assert.doesNotMatch(text, /(?<!\\)<img|(?<!\\)\]\(javascript/);
    assert.ok(text.includes('\\<img'));
  });

  it('keeps members, types and code of a call', async () => {
    const { text } = await read('/docs/createPaymentRequest.md');
    assert.match(text, /^- +`amount`\s+number[^\n]*required/m);
    assert.match(text, /^\*\*curl\*\*$/m);
    assert.match(text, /^```\ncurl -X POST "https:\/\/pay\.test\/v1\/payment-requests" /m);
    assert.doesNotMatch(text, /API reference|Try it|←|→/);
  });

  it('leads from guide to guide in Markdown', async () => {
    const { text } = await read('/docs/guides.md');
    const paths = addressesOf(text, /\]\((\/docs[^)]+)\)/g);
    assert.ok(paths.length > 10);
    for (const path of paths) assert.equal((await read(path)).status, 200, path);
    assert.ok(paths.includes('/docs/guides/receive-webhooks.md'));
  });

  it('is one text, too, with every guide, call and problem', async () => {
    const { text } = await read('/llms-full.txt');
    for (const { summary } of await documented()) assert.ok(text.includes(`# ${summary}\n`));
    for (const code of PROBLEM_CODES) assert.ok(text.includes(`- \`${code}\`: `), code);
    assert.match(text, /^# Receive webhooks?$/m);
  });

  it('is listed for search engines, which the pages of payers and merchants never are', async () => {
    const paths = addressesOf((await read('/sitemap.xml')).text, /<loc>([^<]+)<\/loc>/g);
    for (const path of paths) {
      const { status, text, headers } = await read(path, 'text/html');
      assert.equal(status, 200, path);
      assert.equal(headers.get('x-robots-tag'), null, path);
      assert.doesNotMatch(text, /noindex/, path);
    }
    const { text: listed } = await read('/llms.txt');
    const pages = addressesOf(listed, /^- \[[^\]]+\]\(([^)]+(?:\.md|problems\/[^)]+))\)/gm);
    const [docs, guides, problems, ...others] = paths;
    assert.deepEqual([docs, guides, problems], ['/docs', '/docs/guides', '/problems']);
    assert.deepEqual(
      others,
      pages.map((path) => path.replace(/\.md$/, '')),
    );
  });

  it('has the changes of each version as a feed', async () => {
    const { text, headers } = await read('/changelog.atom');
    assert.equal(headers.get('content-type'), 'application/atom+xml');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.ok(text.includes(`<entry><title>${version}</title>`));
    assert.doesNotMatch(text, /<title>Pending/);
    const events: string[] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name }) => events.push(name));
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(text).close();
    assert.deepEqual(events.slice(0, 2), ['feed', 'title']);
    assert.match(text, /<updated>\d{4}-\d{2}-\d{2}T[^<]+Z<\/updated>/);
  });
});
