import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);
/** WCAG 2.2 A and AA, and what axe calls good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDTHS = [320, 1280];
const SCHEMES = ['light', 'dark'] as const;

/** How a page stands before the person: `320 px, dark`. */
export interface Look {
  readonly name: string;
  readonly width: number;
  /** The findings of all of axe's rules, as `rule: element`. */
  violations(): Promise<string[]>;
}

/**
 * Shows a loaded page in every width and scheme, one after the other. Each look is examined with
 * all rules; the page is loaded, and given axe, only once, as that is most of the time.
 */
export async function* looksOf(page: Page): AsyncGenerator<Look> {
  await page.evaluate(SOURCE);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      yield { name: `${width} px, ${colorScheme}`, width, violations: () => violationsOf(page) };
    }
  }
}

/** In the page alone: the usual mode opens another page for each run, and there are no frames. */
async function violationsOf(page: Page): Promise<string[]> {
  // Told nothing but violations, axe need not describe every element that is right.
  const { violations } = await new AxeBuilder({ page, axeSource: 'void axe' })
    .options({ runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
