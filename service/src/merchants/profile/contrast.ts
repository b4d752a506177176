/** The backgrounds of the pages beside which the accent stands (browser/styles/base/tokens.css). */
export const PAGE_BACKGROUNDS = {
  light: ['#f7f6f2', '#ffffff'],
  dark: ['#131311', '#1c1c19'],
} as const;

/** WCAG 2.2, 1.4.11: graphics. The accent is a stripe beside the merchant's name, never text. */
export const LEAST_CONTRAST = 3;

export interface WeakContrast {
  readonly scheme: keyof typeof PAGE_BACKGROUNDS;
  /** A single decimal, cut and not rounded up, as in 1.7: 2.99 does not read as 3. */
  readonly ratio: number;
  /** A shade of the same colour that passes. */
  readonly suggestion: string;
}

/** Finds the scheme in which an accent is hard to see; null: it can be seen in both. */
export function findWeakContrast(colour: string): WeakContrast | null {
  for (const scheme of ['light', 'dark'] as const) {
    const ratio = Math.min(...PAGE_BACKGROUNDS[scheme].map((page) => contrast(colour, page)));
    if (ratio >= LEAST_CONTRAST) continue;
    const suggestion = shadeThatPasses(colour, scheme === 'light' ? '#000000' : '#ffffff');
    return { scheme, ratio: Math.floor(ratio * 10) / 10, suggestion };
  }
  return null;
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes in a fiftieth at a time: some mixture of every colour with black or white passes. */
function shadeThatPasses(colour: string, toward: string): string {
  for (let part = 0; part <= 50; part++) {
    const mixed = mix(colour, toward, part / 50);
    const pages = [...PAGE_BACKGROUNDS.light, ...PAGE_BACKGROUNDS.dark];
    if (pages.every((page) => contrast(mixed, page) >= LEAST_CONTRAST)) return mixed;
  }
  throw new Error(`No shade of ${colour} toward ${toward} can be seen on every page.`);
}

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour)
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(one: string, other: string, part: number): string {
  const others = channelsOf(other);
  const mixed = channelsOf(one).map((value, at) =>
    Math.round(value * (1 - part) + (others[at] ?? 0) * part),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
