import { randomUUID } from 'node:crypto';
import { type Client, PaymentRequestsError } from '@payment-requests/sdk';
import { countOf, linesOf, readBasket, withQuantity, writeBasket } from './basket.ts';
import { findProduct } from './catalogue.ts';
import { json, type ShopAnswer, type ShopRequest, seeOther } from './http/shop-request.ts';
import type { OrderStore } from './order-store.ts';
import { basketPage } from './pages/basket-page.ts';
import { cataloguePage } from './pages/catalogue-page.ts';
import { checkoutPage } from './pages/checkout-page.ts';
import { messagePage } from './pages/message-page.ts';
import { orderPage } from './pages/order-page.ts';
import { createPageAnswers, type PageSurroundings } from './pages/shop-page.ts';
import { createOrderRefresh } from './payment/refresh-order.ts';
import { requestPayment } from './payment/request-payment.ts';
import { EMPTY_CHECKOUT, readCheckout } from './read-checkout.ts';

export interface ShopDeps {
  readonly orders: OrderStore;
  readonly client: Client;
  readonly now: () => Date;
  readonly surroundings: PageSurroundings;
}

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  /** @param id what the path's group holds */
  readonly answer: (request: ShopRequest, id: string) => ShopAnswer | Promise<ShopAnswer>;
}

const TOKEN = /^[0-9a-f-]{36}$/;

/** The shop without its server: one function from a call to its answer. */
export function createShop(deps: ShopDeps): (request: ShopRequest) => Promise<ShopAnswer> {
  const page = createPageAnswers(deps.surroundings);
  const routes = [...basketRoutes(page), ...orderRoutes(deps, page)];
  return async (request) => {
    const found = routes
      .map((route) => ({ route, match: route.path.exec(request.path) }))
      .filter(({ match }) => match);
    const fitting = found.find(({ route }) => route.method === request.method);
    if (fitting) return fitting.route.answer(request, fitting.match?.[1] ?? '');
    return page(NOT_FOUND(basketCountOf(request)), found.length > 0 ? 405 : 404);
  };
}

type AnswerPage = ReturnType<typeof createPageAnswers>;

function basketRoutes(page: AnswerPage): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/$/,
      answer: (request) => {
        const added = findProduct(request.cookies.get('added') ?? '');
        // Said once.
        const headers: Record<string, string> = added
          ? { 'set-cookie': cookie('added', '', 0) }
          : {};
        return page(cataloguePage(basketCountOf(request), added), 200, headers);
      },
    },
    {
      method: 'POST',
      path: /^\/basket\/add$/,
      answer: (request) => {
        const basket = basketOf(request);
        const sku = request.form.get('sku') ?? '';
        // An unknown one is no value of a cookie: it could bring attributes of its own.
        if (!findProduct(sku)) return seeOther('/', {});
        const changed = withQuantity(basket, sku, (basket.get(sku) ?? 0) + 1);
        return seeOther('/', {
          'set-cookie': [basketCookie(changed), cookie('added', sku, 60)],
        });
      },
    },
    { method: 'GET', path: /^\/basket$/, answer: (request) => page(basketPage(basketOf(request))) },
    {
      method: 'POST',
      path: /^\/basket\/change$/,
      answer: ({ form, cookies }) => {
        const basket = readBasket(cookies.get('basket'));
        const quantity = Number(form.get('quantity') ?? Number.NaN);
        const changed = withQuantity(basket, form.get('sku') ?? '', quantity);
        return seeOther('/basket', { 'set-cookie': basketCookie(changed) });
      },
    },
    {
      method: 'GET',
      path: /^\/checkout$/,
      answer: (request) => {
        const basket = basketOf(request);
        if (basket.size === 0) return seeOther('/basket');
        const token = randomUUID();
        return page(checkoutPage({ basket, fields: EMPTY_CHECKOUT, faults: {}, token }));
      },
    },
  ];
}

function orderRoutes(deps: ShopDeps, page: AnswerPage): Route[] {
  const { orders, client, now } = deps;
  const refresh = createOrderRefresh({ orders, client, now });

  /** The page on which the order is paid; data for our script, a redirect for a form. */
  async function sendToPayment(id: string, wantsJson: boolean, headers = {}): Promise<ShopAnswer> {
    const orderUrl = `/orders/${id}`;
    try {
      const refreshed = await refresh(id);
      const payment = refreshed && (await requestPayment({ orders, client }, refreshed.order));
      if (!wantsJson) return seeOther(payment?.paymentLink ?? orderUrl, headers);
      const paymentLink = payment?.paymentLink;
      return withHeaders(json(paymentLink ? 200 : 409, { orderUrl, paymentLink }), headers);
    } catch (error) {
      if (!(error instanceof PaymentRequestsError)) throw error;
      console.error(`Order ${id} cannot be paid now: ${error.message} (${error.requestId})`);
      if (wantsJson) return withHeaders(json(503, { orderUrl }), headers);
      return page(messagePage({ ...AWAY, href: orderUrl }, 0), 503, headers);
    }
  }

  return [
    {
      method: 'POST',
      path: /^\/orders$/,
      answer: (request) => {
        const { form, cookies, language, wantsJson } = request;
        const basket = basketOf(request);
        if (linesOf(basket).length === 0) return seeOther('/basket');
        const read = readCheckout(form, cookies.get('basket'), language);
        const token = form.get('token') ?? '';
        if ('faults' in read || !TOKEN.test(token)) {
          const { fields, faults } =
            'faults' in read ? read : { fields: EMPTY_CHECKOUT, faults: {} };
          if (wantsJson) return json(422, { faults });
          return page(checkoutPage({ basket, fields, faults, token: randomUUID() }), 422);
        }
        const order = orders.placeOrder(read.order, token, now());
        const headers = { 'set-cookie': cookie('basket', '', 0) };
        if (wantsJson) return sendToPayment(order.id, true, headers);
        return seeOther(`/orders/${order.id}`, headers);
      },
    },
    {
      method: 'GET',
      path: /^\/orders\/([0-9a-f]{32})$/,
      answer: async (request, id) => {
        const refreshed = await refresh(id);
        const basketCount = basketCountOf(request);
        if (!refreshed) return page(NOT_FOUND(basketCount), 404);
        const notifications = orders.listNotifications(id);
        return page(orderPage({ ...refreshed, notifications, basketCount }));
      },
    },
    {
      method: 'POST',
      path: /^\/orders\/([0-9a-f]{32})\/payment$/,
      answer: async (request, id) => {
        if (!orders.findOrder(id)) return page(NOT_FOUND(basketCountOf(request)), 404);
        return sendToPayment(id, request.wantsJson);
      },
    },
  ];
}

const AWAY = {
  title: 'The payment service does not answer',
  text: 'Your order is kept, and nothing has been paid. Please try again in a moment.',
  label: 'Back to your order',
};

const NOT_FOUND = (basketCount: number) =>
  messagePage(
    {
      title: 'There is nothing here',
      text: 'The address may be mistyped, or what was here is gone.',
      href: '/',
      label: 'Go to the shop',
    },
    basketCount,
  );

function basketOf({ cookies }: ShopRequest) {
  return readBasket(cookies.get('basket'));
}

function basketCountOf(request: ShopRequest): number {
  return countOf(basketOf(request));
}

/** For a month; it names goods and no person. */
function basketCookie(basket: ReturnType<typeof basketOf>): string {
  return cookie('basket', writeBasket(basket), 2_592_000);
}

function cookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax`;
}

function withHeaders(answer: ShopAnswer, headers: ShopAnswer['headers']): ShopAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
