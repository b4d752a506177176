import { countOf } from './basket.ts';
import { basketRoutes } from './basket-routes.ts';
import type { Cookie } from './http/cookies.ts';
import type { Routes, ShopAnswer, ShopRequest } from './http/shop-request.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { keptBasketOf } from './kept-basket.ts';
import { readLanguage } from './language.ts';
import { orderRoutes } from './order-routes.ts';
import { notFoundPage } from './pages/message-page.ts';
import { createPageAnswers, type PageLinks } from './pages/shop-page.ts';
import { createOrderRefresh } from './payment/refresh-order.ts';
import { paymentRoutes } from './payment-routes.ts';
import { type RefundRouteDeps, refundRoutes } from './refund-routes.ts';

export interface ShopDeps extends RefundRouteDeps {
  readonly links: PageLinks;
}

/** An order's id has 128 random bits in hex. */
const ORDER_PATH = /^\/orders\/([0-9a-f]{32})(?=\/|$)/;

/** A year: the language belongs to the person. */
const LANGUAGE_SECONDS = 31_536_000;

/** The shop without its server: a function from a request to its answer. */
export function createShop(shop: ShopDeps): (request: ShopRequest) => Promise<ShopAnswer> {
  const deps = { ...shop, refresh: createOrderRefresh(shop) };
  const countGoods = (request: ShopRequest) => countOf(keptBasketOf(request, deps.orders).basket);
  const page = createPageAnswers(deps.links, countGoods);
  const routes: Routes = {
    ...basketRoutes(deps, page),
    ...orderRoutes(deps, page),
    ...paymentRoutes(deps, page),
    ...refundRoutes(deps, page),
    ...inboxRoutes(deps, page),
  };

  function answer(request: ShopRequest): ShopAnswer | Promise<ShopAnswer> {
    const path = request.path.replace(ORDER_PATH, '/orders/:id');
    const route = routes[`${request.method} ${path}`];
    if (route) return route(request, ORDER_PATH.exec(request.path)?.[1] ?? '');
    const isKnownPath = Object.keys(routes).some((name) => name.endsWith(` ${path}`));
    return page(request, notFoundPage(request.language), { status: isKnownPath ? 405 : 404 });
  }

  return async (request) => {
    const { cookies = [], ...answered } = await answer(request);
    return { ...answered, cookies: [...cookies, ...languageCookies(request)] };
  };
}

/** Keeps the language that the customer has just chosen. */
function languageCookies({ query }: ShopRequest): readonly Cookie[] {
  const language = readLanguage(query.get('lang'));
  if (!language) return [];
  return [{ name: 'language', value: language, maxAgeSeconds: LANGUAGE_SECONDS }];
}
