import type { Localized } from './language.ts';
import type { PictureName } from './pages/picture.ts';

export interface Product {
  readonly sku: string;
  readonly name: Localized;
  /** Kind and size in a few words. */
  readonly kind: Localized;
  readonly description: Localized;
  readonly priceCents: number;
  readonly picture: PictureName;
}

/** The shop's products. Prices come from here only: a browser sends a sku, never a price. */
export const CATALOGUE: readonly Product[] = [
  {
    sku: 'first-light',
    name: { en: 'First Light', fr: 'Première lueur' },
    kind: { en: 'Light roast, 250 g', fr: 'Torréfaction blonde, 250 g' },
    description: {
      en: 'Apricot, jasmine and honey. Made for mornings and pour-over.',
      fr: 'Abricot, jasmin et miel. Pour le matin et le filtre.',
    },
    priceCents: 1800,
    picture: 'bag-amber',
  },
  {
    sku: 'harbour',
    name: { en: 'Harbour', fr: 'Vieux-Port' },
    kind: { en: 'Medium roast, 250 g', fr: 'Torréfaction moyenne, 250 g' },
    description: {
      en: 'Cocoa, hazelnut, a little brown sugar. The one for every day.',
      fr: 'Cacao, noisette, un peu de cassonade. Celui de tous les jours.',
    },
    priceCents: 1575,
    picture: 'bag-teal',
  },
  {
    sku: 'night-train',
    name: { en: 'Night Train', fr: 'Train de nuit' },
    kind: { en: 'Dark roast, 250 g', fr: 'Torréfaction foncée, 250 g' },
    description: {
      en: 'Dark chocolate and molasses. Stands up to milk.',
      fr: 'Chocolat noir et mélasse. Le lait ne lui fait pas peur.',
    },
    priceCents: 1650,
    picture: 'bag-indigo',
  },
  {
    sku: 'slow-sunday',
    name: { en: 'Slow Sunday', fr: 'Dimanche tranquille' },
    kind: { en: 'Decaf, 250 g', fr: 'Décaféiné, 250 g' },
    description: {
      en: 'Caramel and orange, without the hurry.',
      fr: 'Caramel et orange, sans se presser.',
    },
    priceCents: 1725,
    picture: 'bag-rose',
  },
  {
    sku: 'kettle',
    name: { en: 'Pour-over kettle', fr: 'Bouilloire à col de cygne' },
    kind: { en: 'Steel, 0.9 L', fr: 'Acier, 0,9 L' },
    description: {
      en: 'A thin spout and a steady hand: that is all there is to it.',
      fr: 'Un bec fin et une main sûre\u00a0: il n’en faut pas plus.',
    },
    priceCents: 6400,
    picture: 'kettle',
  },
  {
    sku: 'dripper',
    name: { en: 'Dripper', fr: 'Porte-filtre' },
    kind: { en: 'Stoneware, 1–2 cups', fr: 'Grès, 1 ou 2 tasses' },
    description: {
      en: 'Keeps its warmth while you wait. Takes filters of size 2.',
      fr: 'Reste chaud pendant que vous attendez. Pour les filtres nº\u00a02.',
    },
    priceCents: 2850,
    picture: 'dripper',
  },
  {
    sku: 'cups',
    name: { en: 'A pair of cups', fr: 'Deux tasses' },
    kind: { en: 'Stoneware, 200 mL', fr: 'Grès, 200 mL' },
    description: {
      en: 'Two, because one of them is always in the sink.',
      fr: 'Deux, parce qu’il y en a toujours une dans l’évier.',
    },
    priceCents: 3200,
    picture: 'cups',
  },
  {
    sku: 'filters',
    name: { en: 'Paper filters', fr: 'Filtres en papier' },
    kind: { en: 'Size 2, 100 sheets', fr: 'Nº\u00a02, 100 filtres' },
    description: {
      en: 'Unbleached. A hundred quiet moments.',
      fr: 'Non blanchis. Cent moments tranquilles.',
    },
    priceCents: 925,
    picture: 'filters',
  },
];

const bySku = new Map(CATALOGUE.map((product) => [product.sku, product]));

export function findProduct(sku: string): Product | undefined {
  return bySku.get(sku);
}
