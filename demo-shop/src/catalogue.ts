import type { PictureName } from './pages/picture.ts';

export interface Product {
  readonly sku: string;
  readonly name: string;
  /** Kind and size in a few words. */
  readonly kind: string;
  readonly description: string;
  readonly priceCents: number;
  readonly picture: PictureName;
}

/** The shop's products. Prices come from here only: a browser sends a sku, never a price. */
export const CATALOGUE: readonly Product[] = [
  {
    sku: 'first-light',
    name: 'First Light',
    kind: 'Light roast, 250 g',
    description: 'Apricot, jasmine and honey. Made for mornings and pour-over.',
    priceCents: 1800,
    picture: 'bag-amber',
  },
  {
    sku: 'harbour',
    name: 'Harbour',
    kind: 'Medium roast, 250 g',
    description: 'Cocoa, hazelnut, a little brown sugar. The one for every day.',
    priceCents: 1575,
    picture: 'bag-teal',
  },
  {
    sku: 'night-train',
    name: 'Night Train',
    kind: 'Dark roast, 250 g',
    description: 'Dark chocolate and molasses. Stands up to milk.',
    priceCents: 1650,
    picture: 'bag-indigo',
  },
  {
    sku: 'slow-sunday',
    name: 'Slow Sunday',
    kind: 'Decaf, 250 g',
    description: 'Caramel and orange, without the hurry.',
    priceCents: 1725,
    picture: 'bag-rose',
  },
  {
    sku: 'kettle',
    name: 'Pour-over kettle',
    kind: 'Steel, 0.9 L',
    description: 'A thin spout and a steady hand: that is all there is to it.',
    priceCents: 6400,
    picture: 'kettle',
  },
  {
    sku: 'dripper',
    name: 'Dripper',
    kind: 'Stoneware, 1–2 cups',
    description: 'Keeps its warmth while you wait. Takes filters of size 2.',
    priceCents: 2850,
    picture: 'dripper',
  },
  {
    sku: 'cups',
    name: 'A pair of cups',
    kind: 'Stoneware, 200 mL',
    description: 'Two, because one of them is always in the sink.',
    priceCents: 3200,
    picture: 'cups',
  },
  {
    sku: 'filters',
    name: 'Paper filters',
    kind: 'Size 2, 100 sheets',
    description: 'Unbleached. A hundred quiet moments.',
    priceCents: 925,
    picture: 'filters',
  },
];

const bySku = new Map(CATALOGUE.map((product) => [product.sku, product]));

export function findProduct(sku: string): Product | undefined {
  return bySku.get(sku);
}
