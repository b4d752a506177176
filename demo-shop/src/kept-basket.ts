import { type Basket, readBasket, writeBasket } from './basket.ts';
import type { Cookie } from './http/cookies.ts';
import type { ShopRequest } from './http/shop-request.ts';
import { keepsBasket, type Order, orderStateOf } from './order.ts';
import type { OrderStore } from './order-store.ts';

/** A month; the cookies name no person. */
const KEPT_SECONDS = 2_592_000;

/** The random UUID of a checkout page. */
const TOKEN = /^[0-9a-f-]{36}$/;

export function readToken(text: string | null | undefined): string | undefined {
  return text && TOKEN.test(text) ? text : undefined;
}

export interface KeptBasket {
  readonly basket: Basket;
  /** The customer's last order, while it is not paid: its goods are in the basket. */
  readonly unpaidOrder: Order | undefined;
}

/** Finds the order that this browser placed last. Its token, unlike its id, is in no URL. */
export function ownOrderOf({ cookies }: ShopRequest, orders: OrderStore): Order | undefined {
  const token = readToken(cookies.get('order'));
  return token === undefined ? undefined : orders.findOrderByToken(token);
}

/**
 * Reads the basket. An order's goods stay in the basket until the order is paid, so that the
 * customer can come back, change them and check out again.
 */
export function keptBasketOf(request: ShopRequest, orders: OrderStore): KeptBasket {
  const order = ownOrderOf(request, orders);
  const unpaidOrder = order && keepsBasket(orderStateOf(order)) ? order : undefined;
  const cookie = request.cookies.get('basket');
  if (cookie === undefined) return { basket: readBasket(goodsOf(unpaidOrder)), unpaidOrder };
  const [goods, number] = cookie.split('~');
  // A changed basket of an order that has been paid since: its goods are bought.
  const isPaid = number !== undefined && number !== String(unpaidOrder?.number);
  return { basket: readBasket(isPaid ? '' : goods), unpaidOrder };
}

function goodsOf(order: Order | undefined): string {
  return order ? writeBasket(new Map(order.lines.map(({ sku, quantity }) => [sku, quantity]))) : '';
}

/** Keeps the basket, with the number of the unpaid order whose goods it changes. */
export function basketCookie({ basket, unpaidOrder }: KeptBasket): Cookie {
  const mark = unpaidOrder ? `~${unpaidOrder.number}` : '';
  return { name: 'basket', value: writeBasket(basket) + mark, maxAgeSeconds: KEPT_SECONDS };
}

/** The cookies after an order: from now on the basket is the order's, until it is paid. */
export function orderCookies(token: string): readonly Cookie[] {
  return [
    { name: 'basket', value: '', maxAgeSeconds: 0 },
    { name: 'order', value: token, maxAgeSeconds: KEPT_SECONDS },
  ];
}
