import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { looksOf } from '../support/browser/axe.ts';
import { startBrowsable } from '../support/browser/browsable.ts';
import { openVisitor, startBrowser, WITHOUT_BROWSER } from '../support/browser/browser.ts';
import { overflowOf } from '../support/browser/overflow.ts';
import { GUIDES_FOLDER, readGuides, readSnippets } from '../support/documents/guide-snippets.ts';
import { codeOf } from '../support/documents/shown-code.ts';
import type { Production } from '../support/service/production.ts';
import { startTestService } from '../support/service/service.ts';

const COLLECTION = 'payment-requests.postman_collection.json';
/** A page with code and tables, one with a checklist, and the index. */
const EXAMINED = ['/docs/guides', '/docs/guides/receive-webhooks', '/docs/guides/go-live'];

describe('the pages of the guides', () => {
  let production: Production;
  before(async () => {
    production = await startBrowsable();
  });
  after(() => production.stop());

  const get = (path: string) => production.service.call('GET', path);
  const pathOf = (guide: string) =>
    guide === 'README.md' ? '/docs/guides' : `/docs/guides/${guide.replace('.md', '')}`;

  it('are there for every guide, with its title and every code block as it is', async () => {
    for (const { guide, text } of readGuides()) {
      const page = await get(pathOf(guide));
      assert.equal(page.status, 200, guide);
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
      assert.equal(page.text.match(/<h1>/g)?.length, 1, guide);
      assert.ok(page.text.includes(`<h1>${title}</h1>`), guide);
      const snippets = readSnippets().filter((snippet) => snippet.guide === guide);
      assert.deepEqual(
        codeOf(page.text).map((code) => `${code}\n`),
        // The renderer writes a tab as four spaces.
        snippets.map(({ code }) => code.replaceAll('\t', '    ')),
      );
    }
  });

  it('link to each page of the service that a text names as code', async () => {
    const { text } = await get('/docs/guides');
    for (const path of ['/docs', '/problems', '/llms.txt']) {
      assert.ok(text.includes(`<a href="${path}"><code>${path}</code></a>`), path);
    }
    assert.doesNotMatch(text, /<tr><td>(?!<a )/, 'every row of the list leads to its guide');
    const webhooks = await get('/docs/guides/receive-webhooks');
    assert.match(webhooks.text, /<code class="whole">webhook-id<\/code>/);
  });

  it('link only to pages and headings that exist', async () => {
    let links = 0;
    for (const { guide } of readGuides()) {
      const { text } = await get(pathOf(guide));
      for (const [, link = ''] of text.matchAll(/<a href="(\/[^"]*|#[^"]*)"/g)) {
        links += 1;
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? { status: 200, text } : await get(path);
        assert.equal(target.status, 200, `${guide} links to ${link}`);
        if (anchor) assert.ok(target.text.includes(`id="${anchor}"`), `${guide} links to ${link}`);
      }
      assert.doesNotMatch(text, /href="[^"]*\.md/, guide);
    }
    assert.ok(links > 30);
  });

  it('lead on to the guides before and behind them, and to their own headings', async () => {
    const { text } = await get('/docs/guides/receive-webhooks');
    const [, pair = ''] = text.split('<nav class="pair"');
    assert.match(pair, /take-a-payment">← [\s\S]*send-the-link">[^<]* →/);
    const [, contents = ''] = text.split('<nav class="contents"');
    assert.match(contents, /<a href="#prove-the-listener">Prove the listener<\/a>/);
    assert.match(text, /<a href="\/docs\/guides\/receive-webhooks" aria-current="page">/);
  });

  it('put frameworks and languages behind tabs, which need no script', async () => {
    const { text } = await get('/docs/guides/receive-webhooks');
    const labels = [...text.matchAll(/<input type="radio"[^>]* value="([^"]+)"/g)];
    assert.deepEqual(
      labels.map(([, label]) => label),
      ['node:http', 'Express', 'Fastify', 'Next.js', 'Hono'].concat([
        'Python',
        'PHP',
        'Go',
        'Java',
        'C#',
        'Ruby',
      ]),
    );
  });

  it('have the addresses of the deployment in a sandbox', async () => {
    const sandbox = await startTestService();
    try {
      const { text } = await sandbox.call('GET', '/docs/guides/quick-start');
      assert.match(codeOf(text)[0] ?? '', /^BASE_URL=https:\/\/pay\.test\/v1\nAUTH_URL=/);
      assert.doesNotMatch(text, /pay\.example\.com/);
      assert.match(text, /API_KEY=<span data-own="apiKey">sbx_…<\/span>/);
    } finally {
      await sandbox.stop();
    }
  });

  it('offer the Postman collection as it is', async () => {
    const { status, text, headers } = await get(`/docs/guides/${COLLECTION}`);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(text, readFileSync(join(GUIDES_FOLDER, COLLECTION), 'utf8'));
  });

  it('serve no other file', async () => {
    for (const name of [
      'unknown',
      'README',
      'README.md',
      '..%2Fglossary',
      '%2e%2e%2fglossary.md',
    ]) {
      const { status, json } = await get(`/docs/guides/${name}`);
      assert.deepEqual([status, json.code], [404, 'ROUTE_NOT_FOUND'], name);
    }
  });

  it('are accessible, narrow and wide, light and dark', { skip: WITHOUT_BROWSER }, async () => {
    const browser = await startBrowser();
    const visitor = await openVisitor(browser, production.service.url);
    try {
      const { page } = visitor;
      for (const path of EXAMINED) {
        await page.goto(production.service.url + path);
        for await (const look of looksOf(page)) {
          assert.equal(await overflowOf(page), 0, `${path} is wider than ${look.name}`);
          assert.deepEqual(await look.violations(), [], `${path}, ${look.name}`);
        }
      }
      assert.deepEqual(visitor.faults, []);
    } finally {
      await visitor.close();
      await browser.close();
    }
  });
});
