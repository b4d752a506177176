import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Role } from '#console/model/roles.ts';
import { KIND_OF, looksOf, WIDTHS } from '../../support/browser/axe.ts';
import { startBrowser, WITHOUT_BROWSER } from '../../support/browser/browser.ts';
import { languageOf } from '../../support/browser/language-of.ts';
import { overflowOf } from '../../support/browser/overflow.ts';
import { type BusyConsole, startBusyConsole } from '../../support/console/busy-console.ts';
import { type ConsoleClient, signIn } from '../../support/console/console-client.ts';
import { type CrawledPage, crawl, isPage, routeOf } from '../../support/console/crawl.ts';

const ROLES: readonly Role[] = ['operator', 'administrator'];
/** A second language finds texts that are too long; the first look at a page finds the rest. */
const LOCALES = ['en-CA', 'fr-CA'];

let deployment: BusyConsole;
const people = new Map<Role, ConsoleClient>();
const pages = new Map<Role, readonly CrawledPage[]>();

before(async () => {
  deployment = await startBusyConsole();
  const { service, merchant } = deployment;
  const merchantId = merchant.merchantId;
  for (const role of ROLES) {
    const person = await signIn(service, { role, ...(role !== 'operator' && { merchantId }) });
    people.set(role, person);
    pages.set(role, await crawl(person, ['/console', `/console/m/${merchantId}/overview`]));
  }
});
after(() => deployment?.stop());

describe('every page of the console that a link leads to', () => {
  for (const role of ROLES) {
    it(`answers the ${role}, with one heading and nothing inline`, () => {
      const faults = (pages.get(role) ?? []).flatMap(faultsOf);
      assert.deepEqual(faults, []);
    });
  }
});

/** The faults that the text of a page shows, each with the page's address. */
function faultsOf({ address, answer }: CrawledPage): string[] {
  const { status, html } = answer;
  if (status !== 200) return [`${address} answers ${status}`];
  if (!isPage(answer)) return [];
  const rules: readonly (readonly [holds: boolean, fault: string])[] = [
    [html.match(/<h1[ >]/g)?.length === 1, 'has not one h1'],
    [!/ (style|on\w+)="|<style|<script(?! type="module" src=)/.test(html), 'has something inline'],
    [!/(?<!c-literal")>undefined<|\[object |NaN/.test(html), 'shows a value that is none'],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => `${address} ${fault}`);
}

describe('every page of the console in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  const knownKinds = new Set<string>();
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser?.close());

  it('draws the rows of a comparison as columns, with lines across all and one edge', async () => {
    const operator = { cookie: people.get('operator')?.cookies() ?? '' };
    const page = await browser.newPage({ extraHTTPHeaders: operator });
    const found = (pages.get('operator') ?? []).find(({ answer }) =>
      /together are exactly[\s\S]*class="candidates"/.test(isPage(answer) ? answer.html : ''),
    );
    await page.goto(deployment.origin + (found?.address ?? assert.fail('no comparison')));
    const linesOf = page.evaluate<string[][][]>(LINES);
    const [money = [], ...others] = await linesOf;
    assert.ok(others.length > 1);
    for (const lines of [money, ...others]) {
      assert.deepEqual(lines, money);
      assert.equal(new Set(lines.map(([, edge]) => edge)).size, 1);
      assert.deepEqual(
        lines.map(([line]) => line),
        lines.map((_, place) => (place < lines.length - 1 ? '1px' : '0px')),
      );
    }
    await page.close();
  });

  for (const locale of LOCALES) {
    it(`is accessible in ${locale}, narrow and wide, light and dark, and fits`, async () => {
      const seen = new Set<string>();
      const isTranslation = locale !== LOCALES[0];
      const known = new Set<string>();
      const faults: string[] = [];
      for (const role of ROLES) {
        const context = await browser.newContext({ locale });
        const cookie = people.get(role)?.cookies() ?? '';
        await context.setExtraHTTPHeaders({ cookie: `${cookie}; lang=${locale.slice(0, 2)}` });
        const page = await context.newPage();
        page.on('console', (line) => {
          if (line.type() === 'error') faults.push(`${page.url()}: ${line.text()}`);
        });
        for (const { address, answer } of pages.get(role) ?? []) {
          if (!isPage(answer) || seen.has(address)) continue;
          seen.add(address);
          await page.goto(deployment.origin + address);
          assert.equal(await languageOf(page), locale.slice(0, 2));
          const noteFit = async (name: string) => {
            if ((await overflowOf(page)) !== 0) faults.push(`${name}: too wide`);
          };
          if (!(await isNewIn(page, knownKinds))) {
            for (const width of WIDTHS) {
              await page.setViewportSize({ width, height: 800 });
              await noteFit(`${address}, ${width} px`);
            }
            continue;
          }
          for await (const look of looksOf(page, { known, isTranslation })) {
            const name = `${address}, ${look.name}`;
            await noteFit(name);
            for (const found of await look.violations()) faults.push(`${name}: ${found}`);
          }
        }
        await context.close();
      }
      assert.deepEqual(faults, []);
    });
  }
});

/** The line below each cell of a comparison, and its edge, by rows. */
const LINES = `[...document.querySelectorAll('.candidates tbody tr')].map((row) =>
  [...row.children].map((each) => getComputedStyle(each)).map((each) => [each.borderBottomWidth, each.paddingLeft]))`;

/** Each kind of element of the page, below that of its parent. */
const KINDS = `((kindOf) => [...new Set([...document.querySelectorAll('body *')].map((each) =>
  [each.parentElement, each].map(kindOf).join('>')))])(${KIND_OF})`;

/**
 * Whether the page has a kind of element that no page of its route had before, in any language.
 * Most filters and tabs of a list show the same kinds of elements; the rules would find what they
 * have found.
 *
 * @param known takes the kinds of this page, too
 */
async function isNewIn(page: Page, known: Set<string>): Promise<boolean> {
  const route = routeOf(page.url());
  const kinds = (await page.evaluate<string[]>(KINDS)).map((kind) => `${route} ${kind}`);
  const before = known.size;
  for (const kind of kinds) known.add(kind);
  return known.size > before;
}
