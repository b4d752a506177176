import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { looksOf } from '../../service/test/support/browser/axe.ts';
import { startBrowser, WITHOUT_BROWSER } from '../../service/test/support/browser/browser.ts';
import { readBasket } from '../src/basket.ts';
import { findProduct } from '../src/catalogue.ts';
import { type Order, type OrderPayment, type OrderState, orderStateOf } from '../src/order.ts';
import type { Notification } from '../src/order-store.ts';
import { basketPage } from '../src/pages/basket-page.ts';
import { cataloguePage } from '../src/pages/catalogue-page.ts';
import { checkoutPage } from '../src/pages/checkout-page.ts';
import { messagePage } from '../src/pages/message-page.ts';
import { orderPage } from '../src/pages/order-page.ts';
import { createPageAnswers, type ShopPage } from '../src/pages/shop-page.ts';
import { EMPTY_CHECKOUT } from '../src/read-checkout.ts';

const ORIGIN = 'http://shop.test';
const STYLE = readFileSync(new URL('../browser/shop.css', import.meta.url), 'utf8');
const answerPage = createPageAnswers({
  checkoutScriptUrl: `${ORIGIN}/checkout.js`,
  sandboxDocsUrl: `${ORIGIN}/docs`,
});

const basket = readBasket('harbour:2.kettle:1.filters:9');
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff-'.repeat(3).slice(0, 100);

const PAYMENT: OrderPayment = {
  id: '0198c0de-0000-7000-8000-000000000001',
  orderId: '0'.repeat(32),
  attempt: 1,
  paymentLink: `${ORIGIN}/pay/x`,
  status: 'CREATED',
  statusMessage: 'The payer’s account does not hold enough money.',
  expiryDateTime: '2026-03-02T12:00:00.000Z',
  institution: 'First Harbour Credit Union',
  networkReference: 'CA1MRVX2ZKQ7TR4',
  eventCount: 1,
};
const ORDER: Order = {
  id: '0'.repeat(32),
  number: 1042,
  placedAt: '2026-03-01T12:00:00.000Z',
  name: LONG_NAME,
  email: `${'ada'.repeat(20)}@example.com`,
  mobileNumber: null,
  language: 'en',
  tender: 'E_TRANSFER',
  lines: [{ name: 'Pour-over kettle', quantity: 9, lineCents: 57_600 }],
  totalCents: 57_600,
  releasedAt: null,
  payment: PAYMENT,
};
const NOTIFICATION: Notification = {
  id: 'event-1',
  orderId: ORDER.id,
  eventType: 'PAYMENT-COMPLETED',
  status: 'PAID',
  outcome: 'RELEASED',
  firstReceivedAt: '2026-03-01T12:00:00.000Z',
  timesReceived: 2,
};

const paid = { ...PAYMENT, status: 'PAID' };
const STATES: Readonly<Record<OrderState, Partial<Order>>> = {
  AT_PICKUP: { tender: 'AT_PICKUP', payment: null },
  UNPAID: { payment: null },
  AWAITING_PAYMENT: {},
  SETTLING: { payment: { ...PAYMENT, status: 'PROCESSING' } },
  PAID_NOT_CONFIRMED: { payment: paid },
  RELEASED: { payment: paid, releasedAt: '2026-03-01T12:01:00.000Z' },
  FAILED: { payment: { ...PAYMENT, status: 'FAILED' } },
  EXPIRED: { payment: { ...PAYMENT, status: 'EXPIRED' } },
  CANCELLED: { payment: { ...PAYMENT, status: 'CANCELLED' } },
};

const faults = {
  name: 'Enter your name.',
  email: 'Enter your e-mail address, or a mobile number below.',
  mobileNumber: 'Enter a mobile number with 10 to 15 digits.',
  tender: 'Choose how to pay.',
};

const PAGES: Readonly<Record<string, ShopPage>> = {
  catalogue: cataloguePage(0),
  'catalogue, something added': cataloguePage(12, findProduct('kettle')),
  basket: basketPage(basket),
  'empty basket': basketPage(new Map()),
  checkout: checkoutPage({ basket, fields: EMPTY_CHECKOUT, faults: {}, token: 'x' }),
  'checkout with faults': checkoutPage({ basket, fields: EMPTY_CHECKOUT, faults, token: 'x' }),
  message: messagePage({ title: 'Nothing here', text: 'It is gone.', href: '/', label: 'Shop' }, 3),
  ...Object.fromEntries(
    Object.entries(STATES).map(([state, members]) => [
      `order: ${state}`,
      orderPage({
        order: { ...ORDER, ...members },
        isCurrent: state !== 'SETTLING',
        notifications: state === 'RELEASED' ? [NOTIFICATION] : [],
        basketCount: 0,
      }),
    ]),
  ),
};

describe('a page of the shop', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser?.close());

  it('exists for every state of an order', () => {
    for (const [state, members] of Object.entries(STATES)) {
      assert.equal(orderStateOf({ ...ORDER, ...members }), state);
    }
  });

  it('passes axe and fits the width, narrow and wide, light and dark', async () => {
    const context = await browser.newContext();
    try {
      await serve(context);
      const page = await context.newPage();
      for (const name of Object.keys(PAGES)) await examine(page, name);
    } finally {
      await context.close();
    }
  });
});

async function examine(page: Page, name: string): Promise<void> {
  await page.goto(`${ORIGIN}/?${new URLSearchParams({ name })}`);
  // The page during a payment, with all details open.
  await page.evaluate(`{
    const section = document.querySelector('#payment-window');
    if (section) {
      section.hidden = false;
      section.querySelector('[role=status]').textContent = 'The payment window is closed.';
    }
    for (const details of document.querySelectorAll('details')) details.open = true;
  }`);
  for await (const look of looksOf(page)) {
    assert.deepEqual(await look.violations(), [], `${name}, ${look.name}`);
    const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(needed <= look.width, `${name} needs ${needed} px of ${look.name}`);
  }
}

async function serve(context: BrowserContext): Promise<void> {
  await context.route(`${ORIGIN}/**`, (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (pathname === '/shop.css') return route.fulfill({ contentType: 'text/css', body: STYLE });
    if (pathname !== '/') return route.fulfill({ contentType: 'text/javascript', body: '' });
    const found = PAGES[searchParams.get('name') ?? ''];
    assert.ok(found);
    return route.fulfill({ contentType: 'text/html', body: String(answerPage(found).body) });
  });
}
