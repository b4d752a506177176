import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);
/** WCAG 2.2 A and AA, and what axe calls good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** In CSS pixels. */
export const WIDTHS = [320, 1280];
const SCHEMES = ['light', 'dark'] as const;

/** How a page stands before the person: `320 px, dark`. */
export interface Look {
  readonly name: string;
  readonly width: number;
  /** The findings of all of axe's rules, as `rule: element`. */
  violations(): Promise<string[]>;
}

/** The rules that look at colours. All others look at names, roles, places and sizes. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
/** The rules that look at places and sizes, too: another width may change their answers. */
const OF_PLACES = [...OF_COLOURS, 'scrollable-region-focusable', 'target-size'];
/** Whether each element has the place, size and visibility that it had at the last call. */
const STANDS_STILL = `(() => {
  const places = JSON.stringify([...document.querySelectorAll('*')].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const { visibility, opacity } = getComputedStyle(each);
    return [x, y, width, height, visibility, opacity];
  }));
  const isSame = window.placesOfLook === places;
  window.placesOfLook = places;
  return isSame;
})()`;
/** Notes which elements are shown. @returns how many of them were not at the last call */
const NOTE_SHOWN = `(() => {
  const shown = [...document.querySelectorAll('body, body *')].filter((each) =>
    each.checkVisibility({ visibilityProperty: true }));
  const before = window.shownOfLook;
  const isNew = (each) => !before?.has(each);
  window.newOfLook = shown.filter((each) => isNew(each) && !isNew(each.parentElement));
  window.shownOfLook = new Set(shown);
  return window.newOfLook.length;
})()`;

/**
 * Shows a loaded page in every width and scheme, one after the other. The page is loaded, and given
 * axe, only once. The rules take most of the time. In another width than the first, the rules that
 * look at places run, and all rules for what is shown only there. Where the dark scheme moves, shows
 * and hides nothing, only the rules of colours run: the others would find what they have found.
 */
export async function* looksOf(page: Page): AsyncGenerator<Look> {
  await page.evaluate(SOURCE);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const isKnown = await page.evaluate<boolean>(STANDS_STILL);
      const newCount = await page.evaluate<number>(NOTE_SHOWN);
      const isFirst = width === WIDTHS[0];
      const name = `${width} px, ${colorScheme}`;
      yield {
        name,
        width,
        async violations() {
          if (isKnown && colorScheme === 'dark') return violationsOf(page, OF_COLOURS);
          if (isFirst) return violationsOf(page);
          const ofPlaces = await violationsOf(page, OF_PLACES);
          const ofNew = newCount > 0 ? await violationsOf(page, undefined, 'window.newOfLook') : [];
          return [...ofPlaces, ...ofNew];
        },
      };
    }
  }
}

/** A loaded page has no violation in any width and scheme. */
export async function assertAccessible(page: Page): Promise<void> {
  for await (const look of looksOf(page)) {
    assert.deepEqual(await look.violations(), [], look.name);
  }
}

/**
 * Tells nothing but violations: descriptions of every element that is right, and their way to this
 * process, took a third of the CPU.
 * @param rules left out: all
 * @param context the elements that are looked at, as an expression
 */
function violationsOf(
  page: Page,
  rules?: readonly string[],
  context = 'document',
): Promise<string[]> {
  const options = {
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: TAGS },
    reporter: 'no-passes',
  };
  return page.evaluate(`axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}
