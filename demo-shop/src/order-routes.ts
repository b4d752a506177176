import { RETURN_PAGE_HEADERS } from './http/security-headers.ts';
import type { Routes } from './http/shop-request.ts';
import { ownOrderOf } from './kept-basket.ts';
import type { OrderStore } from './order-store.ts';
import { developerPage } from './pages/developer-page.ts';
import { notFoundPage } from './pages/message-page.ts';
import { orderPage } from './pages/order-page.ts';
import type { AnswerPage } from './pages/shop-page.ts';
import type { RefreshOrder } from './payment/refresh-order.ts';

export interface OrderRouteDeps {
  readonly orders: OrderStore;
  readonly refresh: RefreshOrder;
  readonly currency: string;
}

/** The pages of an order. */
export function orderRoutes(
  { orders, refresh, currency }: OrderRouteDeps,
  page: AnswerPage,
): Routes {
  return {
    // `returnUrl` leads here. The return proves nothing: the page says what the server knows.
    'GET /orders/:id': async (request, id) => {
      const refreshed = await refresh(id);
      if (!refreshed) return page(request, notFoundPage(request.language), { status: 404 });
      const isOwn = ownOrderOf(request, orders)?.id === id;
      const headers = RETURN_PAGE_HEADERS;
      const shown = { language: request.language, currency };
      return page(request, orderPage(shown, { ...refreshed, isOwn }), { headers });
    },

    'GET /orders/:id/webhooks': (request, id) => {
      const order = orders.findOrder(id);
      if (!order) return page(request, notFoundPage(request.language), { status: 404 });
      const notifications = orders.listNotifications(id);
      const isOwn = ownOrderOf(request, orders)?.id === id;
      return page(request, developerPage(request.language, { order, notifications, isOwn }));
    },
  };
}
