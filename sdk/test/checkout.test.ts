import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser, WITHOUT_BROWSER } from '../../service/test/support/browser/browser.ts';

const CHECKOUT = readFileSync(new URL('../src/checkout.js', import.meta.url), 'utf8');
const SHOP = 'https://shop.test';
const GATEWAY = 'https://pay.test';
/** A page that the payer can reach from the gateway. */
const ELSEWHERE = 'https://bank.test';

/** A merchant's page, and a server that a test plays. */
const SHOP_PAGE = `<!doctype html><title>Shop</title><button id="pay">Pay</button>
<script type="module">
import { openCheckout } from '${GATEWAY}/checkout.js';
globalThis.states = [];
globalThis.errors = [];
pay.onclick = () => {
  globalThis.checkout = openCheckout({
    create: () => fetch('/create', { method: 'POST' }).then((answer) => answer.json()),
    isOver: () => fetch('/status').then((answer) => answer.json()),
    onState: (state, error) => {
      states.push(state);
      if (error) errors.push(String(error));
    },
    waitingText: 'Please wait',
  });
};
</script>`;

/** Shorter than the shortest wait of the module. */
const STEP_MS = 500;

interface Merchant {
  readonly page: Page;
  /** What the merchant's server answers when it is asked to create; it may take its time.
   *  null: it is away. */
  link: string | Promise<string> | null;
  isOver: boolean | 'away';
  readonly asked: { creations: number; statuses: number };
  states(): Promise<string[]>;
  /** Waits until the page has gone through exactly these states. */
  went(...states: string[]): Promise<void>;
}

describe('openCheckout', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser?.close());

  async function visit(work: (merchant: Merchant) => Promise<void>): Promise<void> {
    const context = await browser.newContext();
    try {
      await context.clock.install();
      await work(await openShop(context));
    } finally {
      await context.close();
    }
  }

  const click = (page: Page) => page.locator('#pay').click();
  async function openPopup(merchant: Merchant): Promise<Page> {
    const popup = merchant.page.waitForEvent('popup');
    await click(merchant.page);
    return popup;
  }

  it('opens the window within the click, and sends it to the link when there is one', () =>
    visit(async (merchant) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      merchant.link = promise;
      const popup = await openPopup(merchant);
      assert.equal(popup.url(), 'about:blank');
      assert.equal(await popup.title(), 'Please wait');
      assert.deepEqual(await merchant.states(), ['creating']);
      resolve(`${GATEWAY}/pay/1`);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      await merchant.went('creating', 'paying');
      merchant.isOver = true;
      await merchant.page.clock.runFor(2_000);
      await merchant.went('creating', 'paying', 'over');
      const { statuses } = merchant.asked;
      await merchant.page.clock.runFor(60_000);
      assert.equal(merchant.asked.statuses, statuses, 'it asks no more');
      assert.equal(popup.isClosed(), false);
    }));

  it('creates once for a double click', () =>
    visit(async (merchant) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      merchant.link = promise;
      await openPopup(merchant);
      await click(merchant.page);
      resolve(`${GATEWAY}/pay/1`);
      await merchant.went('creating', 'paying');
      assert.equal(merchant.asked.creations, 1);
      assert.equal(merchant.page.context().pages().length, 2);
    }));

  it('asks faster for a while after the window was closed, then slower, and ends some time', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await merchant.went('creating', 'paying');
      await popup.close();
      await merchant.page.clock.runFor(2_000);
      await merchant.went('creating', 'paying', 'closed');
      const inGrace = await countStatuses(merchant, 10_000);
      assert.ok(inGrace >= 8 && inGrace <= 11, `${inGrace} in 10 s`);
      await countStatuses(merchant, 10_000);
      const later = await countStatuses(merchant, 60_000);
      assert.ok(later >= 4 && later <= 7, `${later} in 60 s`);
      await merchant.page.clock.fastForward(1_800_000);
      await merchant.page.clock.runFor(20_000);
      assert.equal(await countStatuses(merchant, 120_000), 0);
      await merchant.page.evaluate('checkout.check()');
      merchant.isOver = true;
      await merchant.page.clock.runFor(11_000);
      await merchant.went('creating', 'paying', 'closed', 'over');
    }));

  it('opens the window again, where it was', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      await popup.close();
      await merchant.page.clock.runFor(2_000);
      await merchant.went('creating', 'paying', 'closed');
      const again = merchant.page.waitForEvent('popup');
      await merchant.page.evaluate('pay.onclick = () => checkout.reopen()');
      await click(merchant.page);
      await (await again).waitForURL(`${GATEWAY}/pay/1`);
      await merchant.went('creating', 'paying', 'closed', 'paying');
      assert.equal(merchant.asked.creations, 1);
    }));

  it('closes the window when there is no link, and tells why', () =>
    visit(async (merchant) => {
      merchant.link = null;
      const popup = await openPopup(merchant);
      await merchant.went('creating', 'failed');
      assert.equal(popup.isClosed(), true);
      assert.equal((await merchant.page.evaluate<string[]>('errors')).length, 1);
    }));

  it('goes to no link but one of the web', () =>
    visit(async (merchant) => {
      merchant.link = 'javascript:document.write(document.cookie)';
      const popup = await openPopup(merchant);
      await merchant.went('creating', 'failed');
      assert.equal(popup.isClosed(), true);
    }));

  it('asks again when the merchant’s server was away for a moment', () =>
    visit(async (merchant) => {
      merchant.isOver = 'away';
      await openPopup(merchant);
      await merchant.went('creating', 'paying');
      await merchant.page.clock.runFor(4_000);
      merchant.isOver = true;
      await merchant.page.clock.runFor(2_000);
      await merchant.went('creating', 'paying', 'over');
    }));

  it('takes a message for a reason to ask, only from its own window at the link’s origin', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      await merchant.went('creating', 'paying');
      const send = (from: Page, target: string) =>
        from.evaluate(`${target}.postMessage({ status: 'PAID' }, '*')`);
      const stranger = merchant.page.waitForEvent('popup');
      await merchant.page.evaluate(`pay.onclick = () => open('${GATEWAY}/pay/2')`);
      await click(merchant.page);
      const { statuses } = merchant.asked;
      await send(await stranger, 'opener');
      await send(merchant.page, 'window');
      assert.equal(await settled(merchant), statuses, 'a stranger’s is nothing');
      await send(popup, 'opener');
      assert.equal(await settled(merchant), statuses + 1);
      assert.deepEqual(await merchant.states(), ['creating', 'paying'], 'and is not believed');
    }));

  it('ignores a message of its own window once another origin is shown there', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      await merchant.went('creating', 'paying');
      const statuses = await settled(merchant);
      await leaveTo(popup, `${ELSEWHERE}/`);
      await popup.evaluate("opener.postMessage({ status: 'PAID' }, '*')");
      assert.equal(await settled(merchant), statuses);
      await leaveTo(popup, `${GATEWAY}/pay/1`);
      await popup.evaluate("opener.postMessage({ status: 'PAID' }, '*')");
      assert.equal(await settled(merchant), statuses + 1);
    }));
});

/** Navigates from within the page, which keeps its opener; `page.goto` would drop it. */
async function leaveTo(page: Page, url: string): Promise<void> {
  await page.evaluate(`location.assign('${url}')`);
  await page.waitForURL(url);
}

/** How often it asks in so much of its own time; between two steps its calls come to their end. */
async function countStatuses(merchant: Merchant, ms: number): Promise<number> {
  const before = merchant.asked.statuses;
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await merchant.page.clock.runFor(STEP_MS);
    await settled(merchant);
  }
  return merchant.asked.statuses - before;
}

/** How often it has asked, once what it does of itself is done; its own clock stands still. */
async function settled({ page, asked }: Merchant): Promise<number> {
  await page.evaluate('new Promise((resolve) => fetch("/nothing").then(resolve, resolve))');
  await page.evaluate('new Promise((resolve) => fetch("/nothing").then(resolve, resolve))');
  return asked.statuses;
}

async function openShop(context: BrowserContext): Promise<Merchant> {
  const asked = { creations: 0, statuses: 0 };
  await context.route(`${GATEWAY}/**`, (route) => {
    const isScript = route.request().url().endsWith('.js');
    const headers = { 'access-control-allow-origin': '*' };
    return isScript
      ? route.fulfill({ headers, contentType: 'text/javascript', body: CHECKOUT })
      : route.fulfill({ contentType: 'text/html', body: '<title>Pay</title>' });
  });
  await context.route(`${ELSEWHERE}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Bank</title>' }),
  );
  await context.route(`${SHOP}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/create') {
      asked.creations += 1;
      const paymentLink = await merchant.link;
      if (paymentLink === null) return route.fulfill({ status: 503, body: 'away' });
      return route.fulfill({ json: { paymentLink } });
    }
    if (pathname === '/status') {
      asked.statuses += 1;
      if (merchant.isOver === 'away') return route.abort();
      return route.fulfill({ json: merchant.isOver });
    }
    return route.fulfill({ contentType: 'text/html', body: pathname === '/' ? SHOP_PAGE : '' });
  });
  const page = await context.newPage();
  const merchant: Merchant = {
    page,
    link: `${GATEWAY}/pay/1`,
    isOver: false,
    asked,
    states: () => page.evaluate<string[]>('states'),
    async went(...states) {
      await page.waitForFunction(`states.length >= ${states.length}`, null, { polling: 20 });
      assert.deepEqual(await merchant.states(), states);
    },
  };
  await page.goto(`${SHOP}/`);
  await page.waitForFunction('pay.onclick !== null', null, { polling: 20 });
  return merchant;
}
