import { randomUUID } from 'node:crypto';
import { readQuantity, withQuantity } from './basket.ts';
import { findProduct } from './catalogue.ts';
import type { Cookie } from './http/cookies.ts';
import { type Routes, type ShopRequest, seeOther } from './http/shop-request.ts';
import { basketCookie, keptBasketOf } from './kept-basket.ts';
import type { OrderStore } from './order-store.ts';
import { basketPage } from './pages/basket-page.ts';
import { cataloguePage } from './pages/catalogue-page.ts';
import { checkoutPage } from './pages/checkout-page.ts';
import type { AnswerPage } from './pages/shop-page.ts';
import { fieldsOf } from './read-checkout.ts';

/** The next page shows the added product; a minute is enough to load it. */
const ADDED_SECONDS = 60;
const NOTHING_ADDED: Cookie = { name: 'added', value: '', maxAgeSeconds: 0 };

/** The pages up to the checkout. */
export function basketRoutes(
  { orders, currency }: { readonly orders: OrderStore; readonly currency: string },
  page: AnswerPage,
): Routes {
  const shownTo = ({ language }: ShopRequest) => ({ language, currency });
  return {
    'GET /': (request) => {
      const added = findProduct(request.cookies.get('added') ?? '');
      // The note appears once.
      const cookies = added ? [NOTHING_ADDED] : [];
      return page(request, cataloguePage(shownTo(request), added), { cookies });
    },

    'POST /basket/add': (request) => {
      const product = findProduct(request.form.get('sku') ?? '');
      if (!product) return seeOther('/');
      const { basket, unpaidOrder } = keptBasketOf(request, orders);
      const changed = withQuantity(basket, product.sku, (basket.get(product.sku) ?? 0) + 1);
      const added = { name: 'added', value: product.sku, maxAgeSeconds: ADDED_SECONDS };
      return seeOther('/', [basketCookie({ basket: changed, unpaidOrder }), added]);
    },

    'GET /basket': (request) =>
      page(request, basketPage(shownTo(request), keptBasketOf(request, orders))),

    'POST /basket/change': (request) => {
      const product = findProduct(request.form.get('sku') ?? '');
      const quantity = readQuantity(request.form.get('quantity'));
      if (!product || quantity === null) return seeOther('/basket');
      const { basket, unpaidOrder } = keptBasketOf(request, orders);
      const changed = withQuantity(basket, product.sku, quantity);
      return seeOther('/basket', [basketCookie({ basket: changed, unpaidOrder })]);
    },

    'GET /checkout': (request) => {
      const { basket, unpaidOrder } = keptBasketOf(request, orders);
      if (basket.size === 0) return seeOther('/basket');
      const fields = fieldsOf(unpaidOrder);
      const token = randomUUID();
      return page(request, checkoutPage(shownTo(request), { basket, fields, faults: {}, token }));
    },
  };
}
