import { randomUUID } from 'node:crypto';
import { type Client, PaymentRequestsError } from '@payment-requests/sdk';
import { linesOf } from './basket.ts';
import { basketCountOf, basketOf, NO_BASKET_COOKIE } from './basket-cookie.ts';
import { json, type Routes, type ShopAnswer, seeOther } from './http/shop-request.ts';
import type { OrderStore } from './order-store.ts';
import { checkoutPage } from './pages/checkout-page.ts';
import { messagePage, notFoundPage } from './pages/message-page.ts';
import { orderPage } from './pages/order-page.ts';
import type { AnswerPage } from './pages/shop-page.ts';
import { createOrderRefresh } from './payment/refresh-order.ts';
import { requestPayment } from './payment/request-payment.ts';
import { EMPTY_CHECKOUT, readCheckout } from './read-checkout.ts';

export interface OrderRouteDeps {
  readonly orders: OrderStore;
  readonly client: Client;
  readonly now: () => Date;
}

/** The random UUID of a checkout page. */
const TOKEN = /^[0-9a-f-]{36}$/;

const UNAVAILABLE = {
  title: 'The payment service does not answer',
  text: 'Your order is kept, and nothing has been paid. Please try again in a moment.',
  label: 'Back to your order',
};

/** The order's pages, from the checkout's form on. */
export function orderRoutes({ orders, client, now }: OrderRouteDeps, page: AnswerPage): Routes {
  const refresh = createOrderRefresh({ orders, client, now });

  /** Answers the payment link: as JSON for the page's script, as a redirect for a form. */
  async function sendToPayment(id: string, wantsJson: boolean, headers = {}): Promise<ShopAnswer> {
    const orderUrl = `/orders/${id}`;
    try {
      const refreshed = await refresh(id);
      const payment = refreshed && (await requestPayment({ orders, client }, refreshed.order));
      const paymentLink = payment?.paymentLink;
      if (!wantsJson) return seeOther(paymentLink ?? orderUrl, headers);
      return json(paymentLink ? 200 : 409, { orderUrl, paymentLink }, headers);
    } catch (error) {
      if (!(error instanceof PaymentRequestsError)) throw error;
      console.error(`Order ${id} cannot be paid now: ${error.message} (${error.requestId})`);
      if (wantsJson) return json(503, { orderUrl }, headers);
      return page(messagePage({ ...UNAVAILABLE, href: orderUrl }, 0), 503, headers);
    }
  }

  return {
    'POST /orders': (request) => {
      const { form, cookies, language, wantsJson } = request;
      const basket = basketOf(request);
      if (linesOf(basket).length === 0) return seeOther('/basket');
      const read = readCheckout(form, cookies.get('basket'), language);
      const token = form.get('token') ?? '';
      if ('faults' in read || !TOKEN.test(token)) {
        const { fields, faults } = 'faults' in read ? read : { fields: EMPTY_CHECKOUT, faults: {} };
        if (wantsJson) return json(422, { faults });
        return page(checkoutPage({ basket, fields, faults, token: randomUUID() }), 422);
      }
      const order = orders.placeOrder(read.order, token, now());
      const headers = { 'set-cookie': NO_BASKET_COOKIE };
      if (wantsJson) return sendToPayment(order.id, true, headers);
      return seeOther(`/orders/${order.id}`, headers);
    },

    'GET /orders/:id': async (request, id) => {
      const refreshed = await refresh(id);
      const basketCount = basketCountOf(request);
      if (!refreshed) return page(notFoundPage(basketCount), 404);
      const notifications = orders.listNotifications(id);
      return page(orderPage({ ...refreshed, notifications, basketCount }));
    },

    'POST /orders/:id/payment': (request, id) => {
      if (!orders.findOrder(id)) return page(notFoundPage(basketCountOf(request)), 404);
      return sendToPayment(id, request.wantsJson);
    },
  };
}
