import { randomUUID } from 'node:crypto';
import { type Client, PaymentRequestsError } from '@payment-requests/sdk';
import type { Cookie } from './http/cookies.ts';
import {
  json,
  type Routes,
  type ShopAnswer,
  type ShopRequest,
  seeOther,
} from './http/shop-request.ts';
import { keptBasketOf, orderCookies, readToken } from './kept-basket.ts';
import { type Order, orderPathOf } from './order.ts';
import type { OrderStore } from './order-store.ts';
import { checkoutPage } from './pages/checkout-page.ts';
import { notFoundPage, unavailablePage } from './pages/message-page.ts';
import type { AnswerPage } from './pages/shop-page.ts';
import { cancelReplacedOrder } from './payment/cancel-replaced-order.ts';
import type { RefreshOrder } from './payment/refresh-order.ts';
import { requestPayment } from './payment/request-payment.ts';
import { readCheckout } from './read-checkout.ts';

export interface PaymentRouteDeps {
  readonly orders: OrderStore;
  readonly client: Client;
  readonly refresh: RefreshOrder;
  readonly now: () => Date;
  /** The shop's own URL, without a path. */
  readonly shopUrl: string;
  /** ISO 4217: the one currency of the payment service. */
  readonly currency: string;
}

/** The forms that lead to a payment: of the checkout, and of an order that is not paid. */
export function paymentRoutes(deps: PaymentRouteDeps, page: AnswerPage): Routes {
  const { orders, now } = deps;
  const { sendToPayment, sendLink, refuseNewOrder } = createPaymentAnswers(deps, page);

  return {
    'POST /orders': async (request) => {
      const { form, language, wantsJson } = request;
      const { basket, unpaidOrder } = keptBasketOf(request, orders);
      if (basket.size === 0) return seeOther('/basket');
      const read = readCheckout(form, basket, language);
      if ('faults' in read) {
        if (wantsJson) return json(422, { faults: read.faults });
        const checkout = { ...read, basket, token: randomUUID() };
        return page(request, checkoutPage({ language, currency: deps.currency }, checkout), {
          status: 422,
        });
      }
      const token = readToken(form.get('token'));
      if (token === undefined) return seeOther('/checkout');
      const isRepeat = orders.findOrderByToken(token) !== undefined;
      const refusal = unpaidOrder && !isRepeat && (await refuseNewOrder(request, unpaidOrder));
      if (refusal) return refusal;
      const order = orders.placeOrder(read.order, token, now());
      if (wantsJson) return sendToPayment(request, order.id, orderCookies(token));
      if (order.tender === 'PAY_LATER') return sendLink(request, order, orderCookies(token));
      return seeOther(orderPathOf(order.id), orderCookies(token));
    },

    'POST /orders/:id/payment': (request, id) => {
      if (orders.findOrder(id)) return sendToPayment(request, id);
      return page(request, notFoundPage(request.language), { status: 404 });
    },
  };
}

/** Makes the answers with a payment link: JSON for the page's script, a redirect for a form. */
function createPaymentAnswers(deps: PaymentRouteDeps, page: AnswerPage) {
  function answerLink(
    { wantsJson }: ShopRequest,
    orderUrl: string,
    paymentLink: string | undefined,
    cookies: readonly Cookie[] = [],
  ): ShopAnswer {
    if (!wantsJson) return seeOther(paymentLink ?? orderUrl, cookies);
    return json(paymentLink ? 200 : 409, { orderUrl, paymentLink }, cookies);
  }

  function answerError(
    request: ShopRequest,
    id: string,
    error: unknown,
    cookies: readonly Cookie[] = [],
  ): ShopAnswer {
    const { language, wantsJson } = request;
    if (!(error instanceof PaymentRequestsError)) throw error;
    console.error(`Order ${id} cannot be paid now: ${error.message} (${error.requestId})`);
    if (wantsJson) return json(503, { orderUrl: orderPathOf(id) }, cookies);
    return page(request, unavailablePage(language, id), { status: 503, cookies });
  }

  return {
    async sendToPayment(
      request: ShopRequest,
      id: string,
      cookies: readonly Cookie[] = [],
    ): Promise<ShopAnswer> {
      try {
        const refreshed = await deps.refresh(id);
        const payment = refreshed && (await requestPayment(deps, refreshed.order));
        return answerLink(request, orderPathOf(id), payment?.paymentLink, cookies);
      } catch (error) {
        return answerError(request, id, error, cookies);
      }
    },

    /** The service e-mails the link; the customer sees the order. */
    async sendLink(
      request: ShopRequest,
      order: Order,
      cookies: readonly Cookie[],
    ): Promise<ShopAnswer> {
      try {
        await requestPayment(deps, order);
        return seeOther(orderPathOf(order.id), cookies);
      } catch (error) {
        return answerError(request, order.id, error, cookies);
      }
    },

    /** @returns null when the new order may replace this one; else the answer with this order */
    async refuseNewOrder(request: ShopRequest, order: Order): Promise<ShopAnswer | null> {
      try {
        if (await cancelReplacedOrder(deps, order)) return null;
        return answerLink(request, orderPathOf(order.id), undefined);
      } catch (error) {
        return answerError(request, order.id, error);
      }
    },
  };
}
