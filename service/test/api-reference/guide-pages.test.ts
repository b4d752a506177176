import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { looksOf } from '../support/browser/axe.ts';
import { startBrowsable } from '../support/browser/browsable.ts';
import { openVisitor, startBrowser, WITHOUT_BROWSER } from '../support/browser/browser.ts';
import { GUIDES_FOLDER, readGuides, readSnippets } from '../support/documents/guide-snippets.ts';
import type { Production } from '../support/service/production.ts';

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
      const blocks = [...page.text.matchAll(/<pre tabindex="0"><code>([\s\S]*?)<\/code>/g)];
      const snippets = readSnippets().filter((snippet) => snippet.guide === guide);
      assert.deepEqual(
        blocks.map(([, code = '']) => `${shownText(code)}\n`),
        // The renderer writes a tab as four spaces.
        snippets.map(({ code }) => code.replaceAll('\t', '    ')),
      );
    }
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
          const overflow = 'document.documentElement.scrollWidth - document.body.clientWidth';
          assert.equal(await page.evaluate(overflow), 0, `${path} is wider than ${look.name}`);
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

/** The text that a browser shows for HTML without tags. */
function shownText(text: string): string {
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return text.replace(/&(?:#(\d+)|(\w+));/g, (entity, number, name) =>
    number === undefined ? (named[name] ?? entity) : String.fromCodePoint(Number(number)),
  );
}
