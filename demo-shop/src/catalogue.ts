import type { PictureName } from './pages/picture.ts';
import type { Texts } from './texts.ts';

export interface Product {
  /** The texts have its name, kind and description by this key. */
  readonly sku: keyof Texts['products'];
  readonly priceCents: number;
  readonly picture: PictureName;
}

/** The shop's products. Prices come from here only: a browser sends a sku, never a price. */
export const CATALOGUE: readonly Product[] = [
  { sku: 'first-light', priceCents: 1800, picture: 'bag-amber' },
  { sku: 'harbour', priceCents: 1575, picture: 'bag-teal' },
  { sku: 'night-train', priceCents: 1650, picture: 'bag-indigo' },
  { sku: 'slow-sunday', priceCents: 1725, picture: 'bag-rose' },
  { sku: 'kettle', priceCents: 6400, picture: 'kettle' },
  { sku: 'dripper', priceCents: 2850, picture: 'dripper' },
  { sku: 'cups', priceCents: 3200, picture: 'cups' },
  { sku: 'filters', priceCents: 925, picture: 'filters' },
];

const bySku = new Map<string, Product>(CATALOGUE.map((product) => [product.sku, product]));

export function findProduct(sku: string): Product | undefined {
  return bySku.get(sku);
}
