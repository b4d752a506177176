import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { looksOf } from '../../service/test/support/browser/axe.ts';
import { startBrowser, WITHOUT_BROWSER } from '../../service/test/support/browser/browser.ts';
import { readBasket } from '../src/basket.ts';
import { findProduct } from '../src/catalogue.ts';
import type { ShopRequest } from '../src/http/shop-request.ts';
import type { ReceivedMail } from '../src/inbox/local-inbox.ts';
import { LANGUAGES, type Language } from '../src/language.ts';
import { type Order, type OrderPayment, type OrderState, orderStateOf } from '../src/order.ts';
import type { Notification } from '../src/order-store.ts';
import { basketPage } from '../src/pages/basket-page.ts';
import { cataloguePage } from '../src/pages/catalogue-page.ts';
import { checkoutPage } from '../src/pages/checkout-page.ts';
import { developerPage } from '../src/pages/developer-page.ts';
import { inboxPage, mailPage } from '../src/pages/inbox-page.ts';
import { notFoundPage, unavailablePage } from '../src/pages/message-page.ts';
import { orderPage } from '../src/pages/order-page.ts';
import { type RefundPageOptions, refundPage } from '../src/pages/refund-page.ts';
import { createPageAnswers, type ShopPage } from '../src/pages/shop-page.ts';
import { staffOnlyPage, staffPage } from '../src/pages/staff-page.ts';
import { type CheckoutFaults, fieldsOf } from '../src/read-checkout.ts';
import type { Refundable } from '../src/refunds/read-refundable.ts';
import { merchantRefundIdOf, type OrderRefund } from '../src/refunds/refund.ts';

const ORIGIN = 'http://shop.test';
const STYLE = readFileSync(new URL('../browser/shop.css', import.meta.url), 'utf8');
const LINKS = { checkoutScriptUrl: `${ORIGIN}/checkout.js`, sandboxDocsUrl: `${ORIGIN}/docs` };
const answerPage = createPageAnswers(LINKS, () => 12);

const basket = readBasket('harbour:2.kettle:1.filters:9');
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff-'.repeat(3).slice(0, 100);

const PAYMENT: OrderPayment = {
  id: '0198c0de-0000-7000-8000-000000000001',
  orderId: '0'.repeat(32),
  attempt: 1,
  paymentLink: `${ORIGIN}/pay/x`,
  status: 'CREATED',
  reasonCode: 'ACCOUNT_RESTRICTED',
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
  lines: [{ sku: 'kettle', name: 'Pour-over kettle', quantity: 9, lineCents: 57_600 }],
  totalCents: 57_600,
  releasedAt: null,
  returnedAt: null,
  paidCents: 0,
  refundedCents: 0,
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
  LINK_SENT: { tender: 'PAY_LATER' },
  SETTLING: { payment: { ...PAYMENT, status: 'PROCESSING' } },
  PAID_NOT_CONFIRMED: { payment: paid },
  RELEASED: {
    payment: paid,
    releasedAt: '2026-03-01T12:01:00.000Z',
    paidCents: 57_600,
    refundedCents: 1_000,
  },
  MONEY_RETURNED: { payment: paid, returnedAt: '2026-03-02T12:01:00.000Z' },
  DECLINED: { payment: { ...PAYMENT, status: 'FAILED', reasonCode: 'PAYER_DECLINED' } },
  FAILED: { payment: { ...PAYMENT, status: 'FAILED' } },
  EXPIRED: { payment: { ...PAYMENT, status: 'EXPIRED', reasonCode: 'LINK_EXPIRED' } },
  CANCELLED: {
    payment: { ...PAYMENT, status: 'CANCELLED', reasonCode: 'CANCELLED_BY_MERCHANT' },
  },
};

const REFUNDABLE: Refundable = {
  paymentId: PAYMENT.id,
  attempt: 1,
  receivedCents: 57_600,
  refundedCents: 1_000,
  returnedCents: 600,
  availableCents: 56_000,
};
const REFUND: OrderRefund = {
  id: merchantRefundIdOf(ORDER.number, '0198c0de-0000-7000-8000-000000000002'),
  orderId: ORDER.id,
  paymentId: PAYMENT.id,
  amountCents: 1_000,
  expectedCents: 57_600,
  reason: 'REQUESTED_BY_CUSTOMER',
  message: 'A kettle '.repeat(15),
  status: 'COMPLETED',
  reasonCode: null,
  askedAt: '2026-03-01T12:05:00.000Z',
};
const MAIL: ReceivedMail = {
  number: 1,
  receivedAt: new Date('2026-03-01T12:06:00.000Z'),
  from: 'Demo Shop <pay@demo-shop.example>',
  to: `${'ada'.repeat(20)}@example.com`,
  subject: `Demo Shop asks you to pay $576.00 ${LONG_NAME}`,
  text: `Or open this address in your browser:\n${ORIGIN}/pay/${'x'.repeat(100)}`,
  html: '<!doctype html><p>Hello</p>',
  headers: [`Message-ID: <${'x'.repeat(120)}@demo-shop.example>`],
};
const REFUND_PAGE: RefundPageOptions = {
  order: { ...ORDER, payment: PAYMENT, returnedAt: '2026-03-02T12:01:00.000Z' },
  refundables: [REFUNDABLE, { ...REFUNDABLE, paymentId: 'second', attempt: 2, returnedCents: 0 }],
  refunds: [REFUND, { ...REFUND, status: 'FAILED', reasonCode: 'PAYER_ACCOUNT_UNKNOWN' }],
  token: 'x',
};
const REFUND_FIELDS = { paymentId: PAYMENT.id, amount: 'x', reason: '', message: 'y'.repeat(141) };

const faults: CheckoutFaults = {
  name: 'nameMissing',
  email: 'contactMissing',
  mobileNumber: 'mobileNumberFormat',
  tender: 'tenderMissing',
};

function pagesIn(language: Language): readonly (readonly [name: string, page: ShopPage])[] {
  const shown = { language, currency: 'CAD' };
  const [checkout, fields] = [{ basket, faults: {}, token: 'x' }, fieldsOf()];
  const pages: Readonly<Record<string, ShopPage>> = {
    catalogue: cataloguePage(shown),
    'catalogue, something added': cataloguePage(shown, findProduct('kettle')),
    basket: basketPage(shown, { basket, unpaidOrder: undefined }),
    'basket of an unpaid order': basketPage(shown, { basket, unpaidOrder: ORDER }),
    'empty basket': basketPage(shown, { basket: new Map(), unpaidOrder: undefined }),
    checkout: checkoutPage(shown, { ...checkout, fields }),
    'checkout with faults': checkoutPage(shown, { ...checkout, fields, faults }),
    'not found': notFoundPage(language),
    unavailable: unavailablePage(language, ORDER.id),
    'for developers': developerPage(language, {
      order: ORDER,
      notifications: [NOTIFICATION],
      isOwn: true,
    }),
    refunds: refundPage(shown, REFUND_PAGE),
    'refunds with faults': refundPage(shown, {
      ...REFUND_PAGE,
      refunds: [],
      fields: REFUND_FIELDS,
      faults: { amount: 'amountFormat', reason: 'reasonMissing', message: 'messageTooLong' },
    }),
    'refunds, refused': refundPage(shown, { ...REFUND_PAGE, refusal: 'REFUND_AMOUNT_EXCEEDED' }),
    'refunds without an answer': refundPage(shown, {
      ...REFUND_PAGE,
      refundables: null,
      refunds: [{ ...REFUND, status: 'ASKED' }],
    }),
    'staff: orders': staffPage(
      shown,
      [{ ...ORDER, paidCents: 57_600, refundedCents: 1_000 }, REFUND_PAGE.order, ORDER],
      { search: 'Ada', hasInbox: true },
    ),
    'staff: e-mails': inboxPage(language, [MAIL]),
    'staff: an e-mail': mailPage(language, MAIL),
    'staff only': staffOnlyPage(language),
    'order of somebody': orderPage(shown, { order: ORDER, isCurrent: true, isOwn: false }),
  };
  const orders = Object.entries(STATES).map(([state, members]) => {
    const options = { isCurrent: state !== 'SETTLING', isOwn: true };
    return [`order: ${state}`, orderPage(shown, { order: { ...ORDER, ...members }, ...options })];
  });
  return Object.entries({ ...pages, ...Object.fromEntries(orders) });
}

interface Shown {
  readonly language: Language;
  readonly page: ShopPage;
}

/** Each page in each language, by a name for the tests. */
const PAGES = new Map(
  LANGUAGES.flatMap((language) =>
    pagesIn(language).map(
      ([name, page]) => [`${name}, ${language}`, { language, page }] as [string, Shown],
    ),
  ),
);

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
      const known = new Set<string>();
      for (const name of PAGES.keys()) await examine(page, name, known);
    } finally {
      await context.close();
    }
  });
});

/** Links and buttons below 24 px (WCAG 2.5.8), without the exception for links in a sentence. */
const SMALL_TARGETS = `[...document.querySelectorAll('a:not(.skip), button, select, .choice')]
  .map((target) => [target.textContent.trim(), target.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 24)
  .map(([text, { width, height }]) => text + ': ' + width + ' × ' + height)`;

async function examine(page: Page, name: string, known: Set<string>): Promise<void> {
  await page.goto(`${ORIGIN}/?${new URLSearchParams({ name })}`);
  // The page during a payment.
  await page.evaluate(`{
    const section = document.querySelector('#payment-window');
    if (section) {
      section.hidden = false;
      section.querySelector('[role=status]').textContent = 'The payment window is closed.';
    }
  }`);
  const isTranslation = name.endsWith(', fr');
  for await (const look of looksOf(page, { known, isTranslation })) {
    assert.deepEqual(await look.violations(), [], `${name}, ${look.name}`);
    const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(needed <= look.width, `${name} needs ${needed} px of ${look.name}`);
    assert.deepEqual(await page.evaluate<string[]>(SMALL_TARGETS), [], `${name}, ${look.name}`);
    // The longer texts of French matter where there is little room, as in the first look.
    if (isTranslation) break;
  }
}

async function serve(context: BrowserContext): Promise<void> {
  await context.route(`${ORIGIN}/**`, (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (pathname === '/shop.css') return route.fulfill({ contentType: 'text/css', body: STYLE });
    if (pathname !== '/') return route.fulfill({ contentType: 'text/javascript', body: '' });
    const found = PAGES.get(searchParams.get('name') ?? '');
    assert.ok(found);
    const request = { language: found.language } as ShopRequest;
    const { body } = answerPage(request, found.page);
    return route.fulfill({ contentType: 'text/html', body: String(body) });
  });
}
