// @ts-nocheck
import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { it } from 'node:test';
import { changeOrigins } from '#merchants/change-origins.ts';
import { APPROVALS_ON } from './support/approvals/approving.ts';
import { startPersonSession } from './support/approvals/person-session.ts';
import { HARBOUR_IBAN, startBankProduction } from './support/bank/bank-production.ts';
import { writeStatement } from './support/bank/write-statement.ts';
import { startBrowsable } from './support/browser/browsable.ts';
import { startBrowser } from './support/browser/browser.ts';
import { meetObstacles } from './support/browser/error-pages.ts';
import { meetGatewayPages, meetOtherPages, meetProfiledPages } from './support/browser/payer-pages.ts';
import { meetTransferPages } from './support/bank-transfer/meet-transfer-pages.ts';
import { startTransferProduction } from './support/bank-transfer/transfer-production.ts';
import { createFakeNetwork } from './support/payment-requests/fake-network.ts';
import { visitConsole } from './support/console/console-client.ts';
import { crawl, isPage } from './support/console/crawl.ts';
import { freePort } from './support/free-port.ts';

const ask = JSON.parse(readFileSync('/tmp/ui2/c/ask.json', 'utf8'));
const LOOKS = {
  wide: { width: 1440, height: 900 },
  dark: { width: 1440, height: 900, dark: true },
  fr: { width: 1440, height: 900, lang: 'fr' },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 700 },
};
const wanted = new RegExp(ask.only ?? '.');
const OUT = `/tmp/ui2/c/${ask.tag}`;
const log = [];

async function shoot(page, name, look) {
  if (!wanted.test(name)) return;
  const dir = `${OUT}/${look}`;
  mkdirSync(dir, { recursive: true });
  const { width, height } = LOOKS[look];
  const h = Math.max(height, await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({ width, height: Math.min(h, ask.most ?? 2200) });
  await page.waitForTimeout(40);
  await page.screenshot({ path: `${dir}/${name}.png` });
  const over = await page.evaluate('document.documentElement.scrollWidth - document.body.clientWidth');
  if (look === 'phone' && name === 'op_m_ID_payment-requests') log.push(`head ${await page.evaluate('document.querySelector("main").getBoundingClientRect().top')} px`);
  if (over) log.push(`${look} ${name} too wide ${over}`);
  await page.setViewportSize({ width, height });
}

async function take(browser, origin, pages, cookies, { prefix = '' } = {}) {
  for (const look of ask.looks ?? Object.keys(LOOKS)) {
    const { width, height, dark, lang = 'en' } = LOOKS[look];
    const context = await browser.newContext({ locale: `${lang}-CA`, viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', timezoneId: 'America/Toronto' });
    if (cookies) await context.setExtraHTTPHeaders({ cookie: `${cookies}; lang=${lang}` });
    const page = await context.newPage();
    const seen = new Set();
    for (const { name, url, act } of pages) {
      if (!wanted.test(prefix + name)) continue;
      await page.goto(origin + url).catch(() => {});
      await act?.(page);
      await shoot(page, prefix + name, look);
    }
    await context.close();
  }
}

function nameOf(address) {
  const { pathname, searchParams } = new URL(address, 'http://x');
  const path = pathname.replace(/\/(mer_\w+|[0-9a-f-]{36}|[A-Za-z0-9_-]{20,}|\d+)(?=\/|$)/g, '/ID').replace('/console', '') || '/home';
  const q = [...new Set(searchParams.keys())].sort().join('+');
  return (path.slice(1).replaceAll('/', '_') + (q ? `__${q}` : '')).slice(0, 100);
}

it('console', { skip: !ask.console, timeout: 900_000 }, async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const bank = await startBankProduction({
    start: new Date('2026-11-27T14:05:00Z'),
    settings: {
      PORT: `${port}`, PUBLIC_API_URL: `${origin}/v1`, PUBLIC_AUTH_URL: `${origin}/oauth2/token`, PAYMENT_LINK_BASE: `${origin}/pay`,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32', WEBHOOK_ALLOW_PORTS: '*', ...APPROVALS_ON, MAIL_SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'pay@pay.example', APPROVAL_REFUNDS_ABOVE: '40.00',
    },
  });
  const { call, service, merchant } = bank;
  const { merchantId } = merchant;
  const must = async (answered, status) => { const a = await answered; if (a.status !== status) throw new Error(`${a.status} ${a.text}`); return a.json; };
  try {
    await changeOrigins({ db: service.database.db, clock: service.clock, isLocal: true, actor: 'test' },
      { merchantId, use: 'webhook', add: ['https://127.0.0.1:9', 'https://127.0.0.1:11'], remove: [] });
    await must(call('POST', '/v1/webhook-endpoints', { body: { url: 'https://127.0.0.1:9/webhooks/payment-requests', description: 'The shop' } }), 201);
    await must(call('POST', '/v1/webhook-endpoints', { body: { url: 'https://127.0.0.1:11/hooks/a-much-longer-path/for-the-accounting-department', description: 'Accounting', eventTypes: ['REFUND-COMPLETED'] } }), 201).catch((e) => log.push(String(e)));
    const names = ['Françoise Côté', 'Zoë Tremblay', 'Robin Payer', 'Sam Short', 'Marguerite Bourgeoys-Lefebvre', 'Li Wei', 'Ada Lovelace', 'Olu Adeyemi'];
    const links = [];
    for (let i = 0; i < 14; i += 1) {
      links.push(await bank.show({ amount: [100, 47.07, 120, 8.5, 1299.99, 64, 31.4, 220][i % 8], invoiceNumber: `INV-2026-${1200 + i}`, payer: { name: names[i % 8], email: `payer${i}@example.com` }, displayMessage: i % 3 ? 'Two books' : undefined }));
      await service.advance(i < 6 ? 1800 : 240);
    }
    const cents = [10000, 4707, 12000, 850, 129999, 6400];
    const entries = [0, 1, 2, 3, 4, 5].map((i) => ({ amountCents: cents[i] - (i === 3 ? 1 : 0), reference: links[i].reference, debtorName: names[i] }));
    entries.push({ amountCents: 4200, text: 'thanks', debtorName: 'Una Unknown' }, { amountCents: 700, direction: 'DEBIT' });
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries, date: '2026-11-27' }, { kind: 'camt.053' }));
    await bank.cancel(links[6].id);
    await service.database.sql('UPDATE payment_requests SET expires_at = created_at WHERE id = $1', [links[7].id]);
    const text = `${links[8].reference} ${links[9].reference}`;
    for (const amountCents of [14_000, 14_707]) {
      await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, date: '2026-11-27', entries: [{ amountCents, text, bankReference: 'FOR-TWO' }] }, { kind: 'camt.053' }));
    }
    await must(call('POST', `/v1/payment-requests/${links[0].id}/refunds`, { body: { amount: 25, merchantRefundId: 'R-1' } }), 201);
    await must(call('POST', `/v1/payment-requests/${links[1].id}/refunds`, { body: { amount: 7.07, merchantRefundId: 'R-2' } }), 201);
    for (const name of ['Café Tremblay & Fils – “L’Épicerie”', 'Northern Outfitters', 'Prairie Seeds Cooperative', 'Acme']) await service.createMerchant({ name });
    await service.advance(60);
    await new Promise((r) => setTimeout(r, 4000));
    await service.advance(120);

    const people = {};
    for (const [who, grants] of [
      ['operator', [{ role: 'operator', merchantId: null }]],
      ['administrator', [{ role: 'administrator', merchantId }]],
      ['finance', [{ role: 'finance', merchantId }]],
    ]) {
      const secret = await startPersonSession({ ...service, database: service.database, clock: service.clock }, { subject: who, name: { operator: 'Oda Operator', administrator: 'Ada Admin', finance: 'Fin Nance' }[who], grants });
      people[who] = visitConsole(service, { console: secret });
    }
    // A proposal that waits.
    const form = await people.finance.get(`/console/m/${merchantId}/payment-requests/${links[2].id}/refund`);
    writeFileSync('/tmp/ui2/c/refund-form.html', form.html);
    const fields = Object.fromEntries([...form.html.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(([, n, v]) => [n, v]));
    const posted = await people.finance.post(`/console/m/${merchantId}/payment-requests/${links[2].id}/refund`, { ...fields, choice: 'full', reason: 'REQUESTED_BY_CUSTOMER' });
    writeFileSync('/tmp/ui2/c/refund-posted.html', posted.html + posted.location);
    const browser = await startBrowser();
    const roles = ask.roles ?? ['operator', 'administrator'];
    const met = new Set();
    for (const role of roles) {
      const person = people[role];
      const starts = ['/console', `/console/m/${merchantId}/overview`, `/console/m/${merchantId}/payment-requests/${links[11].id}/share-link`, `/console/search?found=${links.slice(0, 5).map((l) => l.id).join('+')}`, '/console/search'];
      const pages = (await crawl(person, starts)).filter(({ answer }) => isPage(answer));
      const named = pages.map(({ address }) => ({ name: nameOf(address), url: address })).filter(({ name }) => {
        if (met.has(name)) return false;
        met.add(name);
        return role === 'operator' || true;
      });
      await take(browser, origin, named, person.cookies(), { prefix: `${role === 'operator' ? 'op' : 'ad'}_` });
      if (role === 'operator') {
        const bad = { name: 'merchants_new_refused', url: '/console/operator/merchants/new', act: async (page) => { await page.locator('main form input[type=text], main form input:not([type])').first().fill(ask.bad ?? ''); await page.evaluate("document.querySelectorAll('main form').forEach((f) => f.noValidate = true)"); for (const f of await page.locator('main form input').all()) { const n = await f.getAttribute('name'); if (/origin|return|webhook/i.test(n ?? '')) await f.fill('not a url').catch(() => {}); } await page.locator('main form button').last().click(); await page.waitForLoadState(); } };
        await take(browser, origin, [bad], person.cookies(), { prefix: 'op_' });
        const first = `/console/m/${merchantId}/payment-requests/${links[0].id}`;
        await take(browser, origin, [
          { name: 'home_recent', url: first, act: async (page) => { await page.goto(origin + '/console'); await page.waitForTimeout(500); } },
          { name: 'palette_open', url: first, act: async (page) => { await page.keyboard.press('Control+k'); await page.waitForTimeout(600); } },
        ], person.cookies(), { prefix: 'op_' });
      }
    }
    await take(browser, origin, [{ name: 'sign-in', url: '/console/sign-in' }, { name: 'sign-in_link', url: '/console/sign-in/link' }, { name: 'not_found', url: '/console/nowhere' }], '', { prefix: 'no_' });
    await browser.close();
  } finally {
    writeFileSync(`/tmp/ui2/c/log-${ask.tag}.txt`, log.join('\n'));
    await bank.stop();
  }
});

