import { type Basket, countOf, readBasket, writeBasket } from './basket.ts';
import type { ShopRequest } from './http/shop-request.ts';

/** A month; the basket names products and no person. */
const BASKET_SECONDS = 2_592_000;
/** The next page shows the added product; a minute is enough to load it. */
const ADDED_SECONDS = 60;

export function basketOf({ cookies }: ShopRequest): Basket {
  return readBasket(cookies.get('basket'));
}

export function basketCountOf(request: ShopRequest): number {
  return countOf(basketOf(request));
}

export function basketCookie(basket: Basket): string {
  return cookie('basket', writeBasket(basket), BASKET_SECONDS);
}

export const NO_BASKET_COOKIE = cookie('basket', '', 0);

/** @param sku of the catalogue; any other text could add attributes to the cookie */
export function addedCookie(sku: string): string {
  return cookie('added', sku, ADDED_SECONDS);
}

export const NO_ADDED_COOKIE = cookie('added', '', 0);

function cookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax`;
}
