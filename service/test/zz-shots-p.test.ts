// @ts-nocheck
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { browsableSettings, startBrowsable } from './support/browser/browsable.ts';
import { startTestService } from './support/service/service.ts';
import { startBrowser } from './support/browser/browser.ts';
import { meetObstacles } from './support/browser/error-pages.ts';
import { meetGatewayPages, meetOtherPages, meetProfiledPages } from './support/browser/payer-pages.ts';
import { meetTransferPages } from './support/bank-transfer/meet-transfer-pages.ts';
import { startTransferProduction } from './support/bank-transfer/transfer-production.ts';
import { createFakeNetwork } from './support/payment-requests/fake-network.ts';
import { setProfile } from '#merchants/profile/set-profile.ts';
import { meetMails } from './support/browser/mails.ts';
import { makePng } from './support/make-png.ts';

const ask = JSON.parse(readFileSync('/tmp/ui2/p/ask.json', 'utf8'));
const LOOKS = {
  wide: { width: 1440, height: 900 },
  dark: { width: 1440, height: 900, dark: true },
  fr: { width: 1440, height: 900, lang: 'fr' },
  phone: { width: 390, height: 844 },
  phonefr: { width: 390, height: 844, lang: 'fr' },
  window: { width: 480, height: 760 },
  narrow: { width: 320, height: 700 },
};
const wanted = new RegExp(ask.only ?? '.');
const OUT = `/tmp/ui2/p/${ask.tag}`;
const log = [];
async function shoot(page, name, look) {
  if (!wanted.test(name)) return;
  const dir = `${OUT}/${look}`;
  mkdirSync(dir, { recursive: true });
  const { width, height } = LOOKS[look];
  if (ask.first) await page.screenshot({ path: `${dir}/${name}.first.png` });
  const h = Math.max(height, await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({ width, height: Math.min(h, ask.most ?? 2600) });
  await page.waitForTimeout(60);
  await page.screenshot({ path: `${dir}/${name}.png` });
  const over = await page.evaluate('document.documentElement.scrollWidth - document.body.clientWidth');
  if (over) log.push(`${look} ${name} too wide ${over}`);
  await page.setViewportSize({ width, height });
}
async function take(browser, pages) {
  for (const look of ask.looks ?? Object.keys(LOOKS)) {
    const { width, height, dark, lang = 'en' } = LOOKS[look];
    const context = await browser.newContext({ locale: `${lang}-CA`, viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', timezoneId: 'America/Toronto' });
    const page = await context.newPage();
    for (const { name, url, cookies = [], answers, act } of pages) {
      const file = name.replace(/[^a-z_]+/gi, '-');
      if (!wanted.test(file)) continue;
      await context.clearCookies();
      await context.addCookies([...cookies]);
      const body = answers?.[lang];
      if (body) await page.route(url, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
      await page.goto(url);
      await act?.(page);
      await page.waitForTimeout(80);
      await shoot(page, file, look);
    }
    await context.close();
  }
}
it('docs', { skip: !ask.docs, timeout: 900_000 }, async () => {
  const browser = await startBrowser();
  const service = await startTestService({ settings: await browsableSettings() });
  const u = service.url;
  const open = (sel) => (page) => page.locator(sel).first().click();
  await take(browser, [
    ['docs', '/docs'], ['docs_search', '/docs?q=webhook'], ['docs_search_misspelt', '/docs?q=idempotancy key'], ['docs_search_none', '/docs?q=zebra crossing'],
    ['docs_call', '/docs/createPaymentRequest'], ['docs_timeline', '/docs/readTimeline'], ['docs_webhook', '/docs/paymentCompleted'],
    ['docs_guides', '/docs/guides'], ['docs_guide', '/docs/guides/go-live'], ['docs_guide_code', '/docs/guides/receive-webhooks'],
    ['docs_problems', '/problems'], ['docs_problem', '/problems/validation-error'], ['docs_try', '/docs/try'], ['docs_try_open', '/docs/try#createPaymentRequest'],
  ].map(([name, path]) => ({ name, url: u + path })).concat([
    { name: 'docs_typing', url: `${u}/docs/createPaymentRequest`, act: async (p) => { await p.getByRole('searchbox').first().pressSequentially('webhook'); await p.waitForTimeout(700); } },
    { name: 'docs_filtered', url: `${u}/problems`, act: async (p) => { const f = p.locator('main input[type=search]'); if (await f.count()) { await f.fill('refund'); await p.waitForTimeout(200); } } },
  ]));
  await browser.close();
  await service.stop();
  writeFileSync('/tmp/ui2/p/shots.log', log.join('\n'));
});
it('payer', { skip: !ask.payer, timeout: 900_000 }, async () => {
  const network = createFakeNetwork();
  const browser = await startBrowser();
  const start = new Date();
  const simulated = await startBrowsable({ start, settings: { MAIL_SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'pay@pay.example' } });
  const other = await startBrowsable({ start, makeNetwork: network.make });
  const profiled = await startBrowsable({ start });
  const transfer = await startTransferProduction({ start });
  const pages = [...(await meetGatewayPages(simulated)), ...(await meetObstacles(simulated)), ...(await meetOtherPages(other, network)), ...(await meetProfiledPages(profiled)), ...meetMails()];
  const tshort = await transfer.createLink({ displayMessage: 'Two books' });
  pages.push(...(await meetTransferPages(transfer)));
  const short = await simulated.createLink({});
  pages.push({ name: 'choose, short', url: short.paymentLink, cookies: [] });
  pages.push({ name: 'choose, chosen', url: short.paymentLink, cookies: [], act: (p) => p.getByRole('radio', { name: 'Harbour Trust' }).check() });
  pages.push({ name: 'transfer, short', url: tshort.paymentLink, cookies: [] });
  const els = pages.find(({ name }) => name === 'choose, going on elsewhere');
  pages.push({ ...els, name: 'choose, going on elsewhere, opened', act: async (p) => { const s = p.locator('.here > summary'); if (await s.count()) await s.click(); } });
  await take(browser, pages.map((p) => ({ ...p, name: `pay_${p.name}` })));
  await browser.close();
  for (const each of [simulated, other, profiled, transfer]) await each.stop();
  writeFileSync('/tmp/ui2/p/shots.log', log.join('\n'));
});
