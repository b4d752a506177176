import { findProduct, type Product } from './catalogue.ts';

/** The quantity of each product, in the order in which the customer added the products. */
export type Basket = ReadonlyMap<string, number>;

export interface BasketLine {
  readonly product: Product;
  readonly quantity: number;
  readonly lineCents: number;
}

/** A household's order. Nine of every product stay far below the service's MAX_AMOUNT. */
export const MOST_OF_ONE = 9;

/** Reads the cookie, `sku:quantity.sku:quantity`. Unknown products and quantities are ignored. */
export function readBasket(text: string | undefined): Basket {
  const basket = new Map<string, number>();
  for (const part of (text ?? '').split('.')) {
    const [sku = '', count = ''] = part.split(':');
    if (findProduct(sku) && /^[1-9]$/.test(count)) basket.set(sku, Number(count));
  }
  return basket;
}

export function writeBasket(basket: Basket): string {
  return [...basket].map(([sku, quantity]) => `${sku}:${quantity}`).join('.');
}

/** Reads a form's quantity; null for anything but a whole number of at most three digits. */
export function readQuantity(text: string | null): number | null {
  return /^\d{1,3}$/.test(text ?? '') ? Number(text) : null;
}

/** Sets the quantity of a product; 0 removes the product, MOST_OF_ONE is the maximum. */
export function withQuantity(basket: Basket, sku: string, quantity: number): Basket {
  const changed = new Map(basket);
  if (!findProduct(sku) || !Number.isSafeInteger(quantity)) return changed;
  if (quantity <= 0) changed.delete(sku);
  else changed.set(sku, Math.min(quantity, MOST_OF_ONE));
  return changed;
}

export function linesOf(basket: Basket): BasketLine[] {
  return [...basket].flatMap(([sku, quantity]) => {
    const product = findProduct(sku);
    return product ? [{ product, quantity, lineCents: product.priceCents * quantity }] : [];
  });
}

export function totalCentsOf(lines: readonly Pick<BasketLine, 'lineCents'>[]): number {
  return lines.reduce((sum, { lineCents }) => sum + lineCents, 0);
}

export function countOf(basket: Basket): number {
  return [...basket.values()].reduce((sum, quantity) => sum + quantity, 0);
}
