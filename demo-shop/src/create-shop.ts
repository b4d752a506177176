import { basketCountOf } from './basket-cookie.ts';
import { basketRoutes } from './basket-routes.ts';
import type { Routes, ShopAnswer, ShopRequest } from './http/shop-request.ts';
import { type OrderRouteDeps, orderRoutes } from './order-routes.ts';
import { notFoundPage } from './pages/message-page.ts';
import { createPageAnswers, type PageLinks } from './pages/shop-page.ts';

export interface ShopDeps extends OrderRouteDeps {
  readonly links: PageLinks;
}

/** An order's id has 128 random bits in hex. */
const ORDER_PATH = /^\/orders\/([0-9a-f]{32})(?=\/|$)/;

/** The shop without its server: a function from a request to its answer. */
export function createShop(deps: ShopDeps): (request: ShopRequest) => Promise<ShopAnswer> {
  const page = createPageAnswers(deps.links);
  const routes: Routes = { ...basketRoutes(page), ...orderRoutes(deps, page) };
  return async (request) => {
    const path = request.path.replace(ORDER_PATH, '/orders/:id');
    const route = routes[`${request.method} ${path}`];
    if (route) return route(request, ORDER_PATH.exec(request.path)?.[1] ?? '');
    const isKnownPath = Object.keys(routes).some((name) => name.endsWith(` ${path}`));
    return page(notFoundPage(basketCountOf(request)), isKnownPath ? 405 : 404);
  };
}
