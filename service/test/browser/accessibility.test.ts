import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { CONSOLE_LANGUAGES, LANGUAGES, LOCALES } from '#http/negotiation/choose-language.ts';
import { meetTransferPages } from '../support/bank-transfer/meet-transfer-pages.ts';
import { startTransferProduction } from '../support/bank-transfer/transfer-production.ts';
import { looksOf } from '../support/browser/axe.ts';
import { brokenWords } from '../support/browser/broken-words.ts';
import { startBrowsable } from '../support/browser/browsable.ts';
import { startBrowser, WITHOUT_BROWSER } from '../support/browser/browser.ts';
import { meetObstacles } from '../support/browser/error-pages.ts';
import { languageOf } from '../support/browser/language-of.ts';
import { meetMails } from '../support/browser/mails.ts';
import { overflowOf } from '../support/browser/overflow.ts';
import {
  type MeetablePage,
  meetGatewayPages,
  meetOtherPages,
  meetProfiledPages,
} from '../support/browser/payer-pages.ts';
import { createFakeNetwork } from '../support/payment-requests/fake-network.ts';
import type { Production } from '../support/service/production.ts';

/** All pages are examined in these languages, and in every look. */
const EVERYWHERE: readonly string[] = CONSOLE_LANGUAGES;
/** The other languages change words alone: on these pages, narrow and light. */
const MAIN_PAGES = ['choose', 'confirm', 'paid', 'failed', 'transfer'];
const HTML = 'text/html; charset=utf-8';
/** The page of a payment offers a receipt; nobody asks for one. */
const MAIL = { MAIL_SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'pay@pay.example' };

describe('every page of the payer’s journey', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let simulated: Production;
  let other: Production;
  let profiled: Production;
  let transfer: Production;
  let pages: MeetablePage[] = [];

  before(async () => {
    const network = createFakeNetwork();
    browser = await startBrowser();
    simulated = await startBrowsable({ start: new Date(), settings: MAIL });
    other = await startBrowsable({ start: new Date(), makeNetwork: network.make });
    profiled = await startBrowsable({ start: new Date() });
    transfer = await startTransferProduction({ start: new Date() });
    pages = [
      ...(await meetGatewayPages(simulated)),
      ...(await meetObstacles(simulated)),
      ...(await meetOtherPages(other, network)),
      ...(await meetProfiledPages(profiled)),
      ...(await meetTransferPages(transfer)),
      ...meetMails(),
    ];
  });
  after(async () => {
    await browser?.close();
    await simulated?.stop();
    await other?.stop();
    await profiled?.stop();
    await transfer?.stop();
  });

  for (const language of LANGUAGES) {
    const isEverywhere = EVERYWHERE.includes(language);
    const where = isEverywhere ? 'narrow and wide, light and dark' : 'narrow';
    it(`is accessible in ${language}, ${where}, and fits`, async () => {
      const context = await browser.newContext({ locale: LOCALES[language] });
      const page = await context.newPage();
      const known = new Set<string>();
      const isTranslation = language !== LANGUAGES[0];
      const met = pages.filter(({ name }) => isEverywhere || MAIN_PAGES.includes(name));
      assert.ok(met.length >= MAIN_PAGES.length);
      for (const { name, url, cookies, answers } of met) {
        await context.clearCookies();
        await context.addCookies([...cookies]);
        const body = answers?.[language];
        if (body) await page.route(url, (route) => route.fulfill({ contentType: HTML, body }));
        await page.goto(url);
        assert.equal(await languageOf(page), language, name);
        for await (const look of looksOf(page, { known, isTranslation })) {
          assert.equal(await overflowOf(page), 0, `${name} is wider than ${look.name}`);
          assert.deepEqual(await look.violations(), [], `${name}, ${look.name}`);
          if (!isEverywhere) break;
        }
        await page.setViewportSize({ width: 390, height: 844 });
        await page.evaluate('document.documentElement.style.fontSize = "200%"');
        assert.deepEqual(await brokenWords(page), [], `${name} breaks words of larger text`);
      }
      await context.close();
    });
  }
});
