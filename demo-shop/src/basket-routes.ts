import { randomUUID } from 'node:crypto';
import { withQuantity } from './basket.ts';
import {
  addedCookie,
  basketCookie,
  basketCountOf,
  basketOf,
  NO_ADDED_COOKIE,
} from './basket-cookie.ts';
import { findProduct } from './catalogue.ts';
import { type Routes, seeOther } from './http/shop-request.ts';
import { basketPage } from './pages/basket-page.ts';
import { cataloguePage } from './pages/catalogue-page.ts';
import { checkoutPage } from './pages/checkout-page.ts';
import type { AnswerPage } from './pages/shop-page.ts';
import { EMPTY_CHECKOUT } from './read-checkout.ts';

/** The pages up to the checkout. */
export function basketRoutes(page: AnswerPage): Routes {
  return {
    'GET /': (request) => {
      const added = findProduct(request.cookies.get('added') ?? '');
      // The note appears once.
      const headers: Record<string, string> = added ? { 'set-cookie': NO_ADDED_COOKIE } : {};
      return page(cataloguePage(basketCountOf(request), added), 200, headers);
    },

    'POST /basket/add': (request) => {
      const basket = basketOf(request);
      const sku = request.form.get('sku') ?? '';
      if (!findProduct(sku)) return seeOther('/');
      const changed = withQuantity(basket, sku, (basket.get(sku) ?? 0) + 1);
      return seeOther('/', { 'set-cookie': [basketCookie(changed), addedCookie(sku)] });
    },

    'GET /basket': (request) => page(basketPage(basketOf(request))),

    'POST /basket/change': (request) => {
      const { form } = request;
      const quantity = Number(form.get('quantity') ?? Number.NaN);
      const changed = withQuantity(basketOf(request), form.get('sku') ?? '', quantity);
      return seeOther('/basket', { 'set-cookie': basketCookie(changed) });
    },

    'GET /checkout': (request) => {
      const basket = basketOf(request);
      if (basket.size === 0) return seeOther('/basket');
      const token = randomUUID();
      return page(checkoutPage({ basket, fields: EMPTY_CHECKOUT, faults: {}, token }));
    },
  };
}
