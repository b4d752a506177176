import { randomUUID } from 'node:crypto';
import { type Client, PaymentRequestsError } from '@payment-requests/sdk';
import type { Cookie } from './http/cookies.ts';
import { RETURN_PAGE_HEADERS } from './http/security-headers.ts';
import {
  json,
  type Routes,
  type ShopAnswer,
  type ShopRequest,
  seeOther,
} from './http/shop-request.ts';
import { keptBasketOf, orderCookies, ownOrderOf, readToken } from './kept-basket.ts';
import { orderPathOf } from './order.ts';
import type { OrderStore } from './order-store.ts';
import { checkoutPage } from './pages/checkout-page.ts';
import { developerPage } from './pages/developer-page.ts';
import { notFoundPage, unavailablePage } from './pages/message-page.ts';
import { orderPage } from './pages/order-page.ts';
import type { AnswerPage } from './pages/shop-page.ts';
import { cancelReplacedOrder } from './payment/cancel-replaced-order.ts';
import { createOrderRefresh } from './payment/refresh-order.ts';
import { requestPayment } from './payment/request-payment.ts';
import { readCheckout } from './read-checkout.ts';

export interface OrderRouteDeps {
  readonly orders: OrderStore;
  readonly client: Client;
  readonly now: () => Date;
  /** The shop's own URL, without a path. */
  readonly shopUrl: string;
}

/** The order's pages, from the checkout's form on. */
export function orderRoutes(deps: OrderRouteDeps, page: AnswerPage): Routes {
  const { orders, now } = deps;
  const refresh = createOrderRefresh(deps);

  /** Answers the payment link: as JSON for the page's script, as a redirect for a form. */
  async function sendToPayment(
    request: ShopRequest,
    id: string,
    cookies: readonly Cookie[] = [],
  ): Promise<ShopAnswer> {
    const orderUrl = orderPathOf(id);
    try {
      const refreshed = await refresh(id);
      const payment = refreshed && (await requestPayment(deps, refreshed.order));
      const paymentLink = payment?.paymentLink;
      if (!request.wantsJson) return seeOther(paymentLink ?? orderUrl, cookies);
      return json(paymentLink ? 200 : 409, { orderUrl, paymentLink }, cookies);
    } catch (error) {
      return unavailable(request, id, error, cookies);
    }
  }

  function unavailable(
    request: ShopRequest,
    id: string,
    error: unknown,
    cookies: readonly Cookie[] = [],
  ): ShopAnswer {
    if (!(error instanceof PaymentRequestsError)) throw error;
    console.error(`Order ${id} cannot be paid now: ${error.message} (${error.requestId})`);
    if (request.wantsJson) return json(503, { orderUrl: orderPathOf(id) }, cookies);
    return page(request, unavailablePage(request.language, id), { status: 503, cookies });
  }

  return {
    'POST /orders': async (request) => {
      const { form, language, wantsJson } = request;
      const { basket, unpaidOrder } = keptBasketOf(request, orders);
      if (basket.size === 0) return seeOther('/basket');
      const read = readCheckout(form, basket, language);
      if ('faults' in read) {
        const { faults } = read;
        if (wantsJson) return json(422, { faults });
        const checkout = { ...read, basket, token: randomUUID() };
        return page(request, checkoutPage(language, checkout), { status: 422 });
      }
      const token = readToken(form.get('token'));
      if (token === undefined) return seeOther('/checkout');
      if (unpaidOrder && !orders.findOrderByToken(token)) {
        try {
          const isCancelled = await cancelReplacedOrder(deps, unpaidOrder);
          // The customer has confirmed the earlier payment: its order's page says so.
          if (!isCancelled) return sendToPayment(request, unpaidOrder.id);
        } catch (error) {
          return unavailable(request, unpaidOrder.id, error);
        }
      }
      const order = orders.placeOrder(read.order, token, now());
      if (wantsJson) return sendToPayment(request, order.id, orderCookies(token));
      return seeOther(orderPathOf(order.id), orderCookies(token));
    },

    'GET /orders/:id': async (request, id) => {
      const refreshed = await refresh(id);
      if (!refreshed) return page(request, notFoundPage(request.language), { status: 404 });
      const isOwn = ownOrderOf(request, orders)?.id === id;
      const headers = RETURN_PAGE_HEADERS;
      return page(request, orderPage(request.language, { ...refreshed, isOwn }), { headers });
    },

    'GET /orders/:id/webhooks': (request, id) => {
      const order = orders.findOrder(id);
      if (!order) return page(request, notFoundPage(request.language), { status: 404 });
      const notifications = orders.listNotifications(id);
      return page(request, developerPage(request.language, { order, notifications }));
    },

    'POST /orders/:id/payment': (request, id) => {
      if (orders.findOrder(id)) return sendToPayment(request, id);
      return page(request, notFoundPage(request.language), { status: 404 });
    },
  };
}
