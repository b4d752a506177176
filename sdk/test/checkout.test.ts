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

/** A merchant's page; a test plays its server. */
const SHOP_PAGE = `<!doctype html><title>Shop</title><button id="pay">Pay</button>
<script type="module">
import { openCheckout } from '${GATEWAY}/checkout.js';
globalThis.states = [];
globalThis.errors = [];
globalThis.messages = 0;
addEventListener('message', () => (messages += 1));
const open = window.open.bind(window);
window.open = (...how) => (globalThis.opened = open(...how));
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

/** The page behind `returnUrl`. */
const RETURN_PAGE = `<!doctype html><title>Order</title><script type="module">
import { closePaymentWindow } from '${GATEWAY}/checkout.js';
globalThis.isClosing = closePaymentWindow();
</script>`;

/** The pages' time; it moves only where a test moves it. */
const START_MS = Date.UTC(2026, 0, 1);
/** Shorter than the shortest wait of the module. */
const STEP_MS = 500;
/** Shorter than its longest wait, for a time in which it waits for so long or polls no more. */
const LONG_STEP_MS = 2_000;

interface Merchant {
  readonly page: Page;
  /** The payment link that the merchant's server answers, perhaps later; null means unavailable. */
  link: string | Promise<string> | null;
  isOver: boolean | 'unavailable';
  readonly counts: { creations: number; polls: number };
  states(): Promise<string[]>;
  /** Waits until the page has passed exactly these states. */
  passes(...states: string[]): Promise<void>;
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
      await context.clock.install({ time: START_MS });
      // An installed clock runs with the machine's: on a busy machine polls would fall due.
      await context.clock.pauseAt(START_MS + 1);
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

  it('opens the window inside the click and navigates it to the link later', () =>
    visit(async (merchant) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      merchant.link = promise;
      const popup = await openPopup(merchant);
      assert.equal(popup.url(), 'about:blank');
      assert.equal(await popup.title(), 'Please wait');
      assert.deepEqual(await merchant.states(), ['creating']);
      resolve(`${GATEWAY}/pay/1`);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      await merchant.passes('creating', 'paying');
      merchant.isOver = true;
      await passTime(merchant, 2_000);
      await merchant.passes('creating', 'paying', 'over');
      const { polls } = merchant.counts;
      await passTime(merchant, 60_000, LONG_STEP_MS);
      assert.equal(merchant.counts.polls, polls, 'polls no more');
      assert.equal(popup.isClosed(), false);
    }));

  it('creates one payment request for a double click', () =>
    visit(async (merchant) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      merchant.link = promise;
      await openPopup(merchant);
      await click(merchant.page);
      resolve(`${GATEWAY}/pay/1`);
      await merchant.passes('creating', 'paying');
      assert.equal(merchant.counts.creations, 1);
      assert.equal(merchant.page.context().pages().length, 2);
    }));

  it('polls faster after the window closes, then slower, and stops after half an hour', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await merchant.passes('creating', 'paying');
      await closeWindow(merchant, popup);
      await passTime(merchant, 2_000);
      await merchant.passes('creating', 'paying', 'closed');
      const inGrace = await countPolls(merchant, 10_000);
      assert.ok(inGrace >= 8 && inGrace <= 11, `${inGrace} in 10 s`);
      await countPolls(merchant, 10_000);
      const later = await countPolls(merchant, 60_000, LONG_STEP_MS);
      assert.ok(later >= 4 && later <= 7, `${later} in 60 s`);
      await merchant.page.clock.fastForward(1_800_000);
      await passTime(merchant, 20_000, LONG_STEP_MS);
      assert.equal(await countPolls(merchant, 120_000, LONG_STEP_MS), 0);
      await merchant.page.evaluate('checkout.check()');
      merchant.isOver = true;
      await passTime(merchant, 11_000);
      await merchant.passes('creating', 'paying', 'closed', 'over');
    }));

  it('reopens the window at the same link', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      await closeWindow(merchant, popup);
      await passTime(merchant, 2_000);
      await merchant.passes('creating', 'paying', 'closed');
      const again = merchant.page.waitForEvent('popup');
      await merchant.page.evaluate('pay.onclick = () => checkout.reopen()');
      await click(merchant.page);
      await (await again).waitForURL(`${GATEWAY}/pay/1`);
      await merchant.passes('creating', 'paying', 'closed', 'paying');
      assert.equal(merchant.counts.creations, 1);
    }));

  it('closes the window and reports the error when creation fails', () =>
    visit(async (merchant) => {
      merchant.link = null;
      const popup = await openPopup(merchant);
      await merchant.passes('creating', 'failed');
      assert.equal(popup.isClosed(), true);
      assert.equal((await merchant.page.evaluate<string[]>('errors')).length, 1);
    }));

  it('refuses a link that is not HTTP or HTTPS', () =>
    visit(async (merchant) => {
      merchant.link = 'javascript:document.write(document.cookie)';
      const popup = await openPopup(merchant);
      await merchant.passes('creating', 'failed');
      assert.equal(popup.isClosed(), true);
    }));

  it('continues polling after the merchant’s server was unavailable', () =>
    visit(async (merchant) => {
      merchant.isOver = 'unavailable';
      await openPopup(merchant);
      await merchant.passes('creating', 'paying');
      await passTime(merchant, 4_000);
      merchant.isOver = true;
      await passTime(merchant, 2_000);
      await merchant.passes('creating', 'paying', 'over');
    }));

  it('polls after a message of its own window at the link’s origin only', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      await merchant.passes('creating', 'paying');
      const stranger = merchant.page.waitForEvent('popup');
      await merchant.page.evaluate(`pay.onclick = () => open('${GATEWAY}/pay/2')`);
      await click(merchant.page);
      const polls = await settled(merchant);
      await post(merchant, await stranger, 'opener');
      await post(merchant, merchant.page, 'window');
      assert.equal(await settled(merchant), polls, 'ignores other windows');
      await post(merchant, popup, 'opener');
      assert.equal(await settled(merchant), polls + 1);
      assert.deepEqual(await merchant.states(), ['creating', 'paying'], 'trusts no content');
    }));

  it('ignores a message of its own window once another origin is shown there', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      await merchant.passes('creating', 'paying');
      const polls = await settled(merchant);
      await leaveTo(popup, `${ELSEWHERE}/`);
      await post(merchant, popup, 'opener');
      assert.equal(await settled(merchant), polls);
      await leaveTo(popup, `${GATEWAY}/pay/1`);
      await post(merchant, popup, 'opener');
      assert.equal(await settled(merchant), polls + 1);
    }));

  it('closes the window on the page behind returnUrl, which the first tab shows', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      const closed = popup.waitForEvent('close');
      await popup.evaluate(`location.assign('${SHOP}/orders/1')`);
      await closed;
      await merchant.page.waitForURL(`${SHOP}/orders/1`);
      assert.equal(await merchant.page.evaluate('isClosing'), false, 'is a tab of its own');
    }));

  it('leaves a first tab alone that shows the page already', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      await merchant.page.evaluate("history.replaceState(null, '', '/orders/1')");
      const closed = popup.waitForEvent('close');
      await popup.evaluate(`location.assign('${SHOP}/orders/1')`);
      await closed;
      await passTime(merchant, 2_000);
      await merchant.passes('creating', 'paying', 'closed');
    }));

  it('leaves a window open that another site or another window opened', () =>
    visit(async (merchant) => {
      const popup = await openPopup(merchant);
      await popup.waitForURL(`${GATEWAY}/pay/1`);
      await merchant.page.goto(`${ELSEWHERE}/`);
      await leaveTo(popup, `${SHOP}/orders/1`);
      await popup.waitForFunction('globalThis.isClosing === false', null, { polling: 20 });
      await merchant.page.goto(`${SHOP}/`);
      const other = merchant.page.waitForEvent('popup');
      await merchant.page.evaluate(`open('${SHOP}/orders/1', 'other')`);
      await (await other).waitForFunction('globalThis.isClosing === false', null, { polling: 20 });
    }));
});

/** Navigates from within the page, which keeps its opener; `page.goto` would drop it. */
async function leaveTo(page: Page, url: string): Promise<void> {
  await page.evaluate(`location.assign('${url}')`);
  await page.waitForURL(url);
}

/** Posts a message as `from` does, and waits until the merchant's page has received it. */
async function post(merchant: Merchant, from: Page, target: 'opener' | 'window'): Promise<void> {
  const received = await merchant.page.evaluate<number>('messages');
  await from.evaluate(`${target}.postMessage({ status: 'PAID' }, '*')`);
  await merchant.page.waitForFunction(`messages > ${received}`, null, { polling: 20 });
}

/** Counts the polls during `ms` of the page's own time. */
async function countPolls(merchant: Merchant, ms: number, stepMs = STEP_MS): Promise<number> {
  const before = merchant.counts.polls;
  await passTime(merchant, ms, stepMs);
  return merchant.counts.polls - before;
}

/** The page hears of a closed window a moment later; the clock that stands still must not pass it. */
async function closeWindow({ page }: Merchant, popup: Page): Promise<void> {
  await popup.close();
  await page.waitForFunction('opened.closed', null, { polling: 20 });
}

/** Moves the page's clock; calls finish between two steps, however slow the machine is. */
async function passTime(merchant: Merchant, ms: number, stepMs = STEP_MS): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await merchant.page.clock.runFor(stepMs);
    await settled(merchant);
  }
}

/** Gives the number of polls after the calls in progress; the page's clock stands still. */
async function settled({ page, counts }: Merchant): Promise<number> {
  await page.evaluate(async () => {
    for (const path of ['/nothing', '/nothing']) await fetch(path).catch(() => {});
  });
  return counts.polls;
}

async function openShop(context: BrowserContext): Promise<Merchant> {
  const counts = { creations: 0, polls: 0 };
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
      counts.creations += 1;
      const paymentLink = await merchant.link;
      if (paymentLink === null) return route.fulfill({ status: 503, body: 'unavailable' });
      return route.fulfill({ json: { paymentLink } });
    }
    if (pathname === '/status') {
      counts.polls += 1;
      if (merchant.isOver === 'unavailable') return route.abort();
      return route.fulfill({ json: merchant.isOver });
    }
    const pages: Readonly<Record<string, string>> = { '/': SHOP_PAGE, '/orders/1': RETURN_PAGE };
    return route.fulfill({ contentType: 'text/html', body: pages[pathname] ?? '' });
  });
  const page = await context.newPage();
  const merchant: Merchant = {
    page,
    link: `${GATEWAY}/pay/1`,
    isOver: false,
    counts,
    states: () => page.evaluate<string[]>('states'),
    async passes(...states) {
      await page.waitForFunction(`states.length >= ${states.length}`, null, { polling: 20 });
      assert.deepEqual(await merchant.states(), states);
    },
  };
  await page.goto(`${SHOP}/`);
  await page.waitForFunction('pay.onclick !== null', null, { polling: 20 });
  return merchant;
}
