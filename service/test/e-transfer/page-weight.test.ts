import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { LANGUAGES, type Language } from '#http/negotiation/choose-language.ts';
import { meetTransferPages } from '../support/bank-transfer/meet-transfer-pages.ts';
import { startTransferProduction } from '../support/bank-transfer/transfer-production.ts';
import { startBrowsable } from '../support/browser/browsable.ts';
import { meetObstacles } from '../support/browser/error-pages.ts';
import {
  type MeetablePage,
  meetGatewayPages,
  meetOtherPages,
} from '../support/browser/payer-pages.ts';
import { createFakeNetwork } from '../support/payment-requests/fake-network.ts';
import type { Production } from '../support/service/production.ts';
import { withoutReferences } from '../support/without-references.ts';

/** journey §2: gzipped. */
const MOST_PAGE_BYTES = 15_000;
const MOST_SCRIPT_BYTES = 4_000;

let simulated: Production;
let other: Production;
let transfer: Production;
const pages: MeetablePage[] = [];

before(async () => {
  const network = createFakeNetwork();
  simulated = await startBrowsable({ start: new Date() });
  other = await startBrowsable({ start: new Date(), makeNetwork: network.make });
  pages.push(...(await meetGatewayPages(simulated)), ...(await meetObstacles(simulated)));
  pages.push(...(await meetOtherPages(other, network)));
  transfer = await startTransferProduction({ start: new Date() });
  pages.push(...(await meetTransferPages(transfer)));
});
after(async () => {
  await simulated.stop();
  await other.stop();
  await transfer.stop();
});

async function htmlOf(
  { url, cookies, answers }: MeetablePage,
  language: Language,
): Promise<string> {
  if (answers) return answers[language];
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return (await fetch(url, { headers: { 'accept-language': language, cookie } })).text();
}

const weights = new Map<string, Promise<number>>();

/** The bytes of a script, which many pages name. */
function weightOf(script: URL): Promise<number> {
  const weight = weights.get(script.href) ?? weigh(script);
  weights.set(script.href, weight);
  return weight;
}

async function weigh(script: URL): Promise<number> {
  const answer = await fetch(script);
  assert.equal(answer.status, 200, script.href);
  return gzipSync(await answer.text()).length;
}

describe('every page of the payer’s journey', () => {
  it('keeps within its budget: HTML and CSS in 15 kB, scripts in 4 kB', async (test) => {
    let heaviest = { page: 0, scripts: 0 };
    for (const page of pages) {
      for (const language of LANGUAGES) {
        const html = await htmlOf(page, language);
        const bytes = gzipSync(html).length;
        const paths = [...html.matchAll(/<script type="module" src="([^"]+)"/g)];
        const scripts = await Promise.all(
          paths.map(([, path = '']) => weightOf(new URL(path, page.url))),
        );
        const scriptBytes = scripts.reduce((sum, each) => sum + each, 0);
        assert.ok(bytes <= MOST_PAGE_BYTES, `${page.name}: ${bytes}`);
        assert.ok(scriptBytes <= MOST_SCRIPT_BYTES, `${page.name}: ${scriptBytes}`);
        heaviest = {
          page: Math.max(heaviest.page, bytes),
          scripts: Math.max(heaviest.scripts, scriptBytes),
        };
      }
    }
    test.diagnostic(`the heaviest page has ${heaviest.page} bytes, ${heaviest.scripts} of scripts`);
  });

  it('names nothing of another origin', async () => {
    for (const page of pages) {
      const html = await htmlOf(page, 'en');
      const origin = new URL(page.url).origin;
      const found = html.matchAll(/(?:src|href|action)="([^"#?][^"]*)"/g);
      for (const [, address = ''] of found) {
        const { origin: its, protocol } = new URL(withoutReferences(address), page.url);
        assert.ok(its === origin || protocol === 'data:', `${page.name}: ${address}`);
      }
      assert.doesNotMatch(html, /url\(|@import/);
    }
  });

  it('has scripts that may be kept for ever, at an address of their own contents', async () => {
    const html = await htmlOf(pages[0] as MeetablePage, 'en');
    const [, path = ''] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
    const answer = await fetch(new URL(path, simulated.service.url));
    assert.match(path, /-[0-9a-f]{16}\.js$/);
    assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  });
});
