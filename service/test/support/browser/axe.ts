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
  /** The findings of axe's rules, as `rule: element`. */
  violations(): Promise<string[]>;
}

/** The rules that look at colours. All others look at names, roles, places and sizes. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
/** The rules that another language may fail: of names, texts, and places of longer words. */
const OF_TEXTS = ['cat.language', 'cat.name-role-value', 'cat.text-alternatives', 'cat.forms'];
/** The rules that look at places and sizes, too: another width may change their answers. */
const OF_PLACES = ['scrollable-region-focusable', 'target-size'];
const OF_PLACES_ON = Object.fromEntries(OF_PLACES.map((rule) => [rule, { enabled: true }]));
/** The marks of a kind of element, unlike text, place and address. */
const NAMES = [
  'class',
  'role',
  'type',
  'aria-current',
  'aria-pressed',
  'aria-expanded',
  'disabled',
];
/** Attributes with words: one without the words of its language makes another kind. */
const WORDS = ['aria-label', 'alt', 'title', 'placeholder', 'value'];
/** The kind of an element: its name, class, role, state, and whether it has words. */
export const KIND_OF = `((one) => [one.tagName, one.textContent.trim() === '',
  ...${JSON.stringify(NAMES)}.map((name) => one.getAttribute(name)),
  ...${JSON.stringify(WORDS)}.map((name) => one.getAttribute(name)?.trim() === '')].join())`;

/**
 * Notes each element's place, whether it is shown, and its colours in this scheme.
 * `window.shownOfLook` are then the elements that were not shown at the last call, and
 * `window.colouredOfLook` those that were not shown, or had other colours, when the scheme was
 * looked at last; without elements within elements that are among them.
 * @returns isSame: each element has the place, size and visibility that it had at the last call;
 *   shown, coloured: the kinds of those elements, so that a kind can be known
 */
const NOTE_LOOK = `((scheme) => {
  const ofLook = window.ofLook ??= { colours: {} };
  const before = { ...ofLook, colours: ofLook.colours[scheme] ?? new Map() };
  const places = [], shown = new Set(), colours = new Map();
  for (const each of document.querySelectorAll('body, body *')) {
    const { x, y, width, height } = each.getBoundingClientRect();
    const { visibility, opacity, color, backgroundColor, backgroundImage } = getComputedStyle(each);
    places.push(x, y, width, height, visibility, opacity);
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    shown.add(each);
    colours.set(each, [color, backgroundColor, backgroundImage, opacity].join());
  }
  const topmost = (isOne) => [...shown].filter((each) => isOne(each) && !isOne(each.parentElement));
  window.shownOfLook = topmost((each) => shown.has(each) && !before.shown?.has(each));
  window.colouredOfLook = topmost((each) => colours.get(each) !== before.colours.get(each));
  Object.assign(ofLook, { places: places.join(), shown });
  ofLook.colours[scheme] = colours;
  const kindOf = (one) => [${KIND_OF}(one), colours.get(one)].join();
  const kindsOf = (each) => [each, ...each.querySelectorAll('*')].map((one) =>
    kindOf(one.parentElement ?? one) + '>' + kindOf(one));
  return { isSame: before.places === ofLook.places, shown: window.shownOfLook.flatMap(kindsOf),
    coloured: window.colouredOfLook.flatMap(kindsOf) };
})`;

/** The result of NOTE_LOOK. */
interface Noted {
  readonly isSame: boolean;
  readonly shown: readonly string[];
  readonly coloured: readonly string[];
}

/**
 * Shows a loaded page in every width and scheme, one after the other. The page is loaded, and given
 * axe, only once. The rules take most of the time. In another width than the first, the rules that
 * look at places run, all rules for what is shown only there, and the rules of colours for what has
 * other colours there. If the dark scheme moves, shows and hides nothing, only the rules of
 * colours run: the others would find what they have found.
 *
 * @param known takes the kinds of elements that only a second width shows, so that the pages of one
 *   test look at the same side bar once
 * @param isTranslation the page was looked at in another language: what has none, such as colours
 *   and the order of headings, is left out
 */
export async function* looksOf(
  page: Page,
  { known = new Set<string>(), isTranslation = false } = {},
): AsyncGenerator<Look> {
  await page.evaluate(SOURCE);
  const find = (where: Where) => violationsOf(page, { isTranslation, ...where });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of SCHEMES) {
      if (isTranslation && colorScheme === 'dark') continue;
      await page.emulateMedia({ colorScheme });
      const noted = await page.evaluate<Noted>(`${NOTE_LOOK}('${colorScheme}')`);
      const name = `${width} px, ${colorScheme}`;
      const isFirst = width === WIDTHS[0];
      yield { name, width, violations: () => (isFirst ? ofFirst(noted) : ofAnother(noted)) };
    }
  }

  function ofFirst({ isSame }: Noted): Promise<string[]> {
    return find(isSame ? { rules: OF_COLOURS } : {});
  }

  async function ofAnother({ isSame, shown, coloured }: Noted): Promise<string[]> {
    const found = isSame ? [] : await find({ rules: OF_PLACES });
    if (isNewOf(shown)) found.push(...(await find({ context: 'window.shownOfLook' })));
    if (!isTranslation && isNewOf(coloured)) {
      found.push(...(await find({ rules: OF_COLOURS, context: 'window.colouredOfLook' })));
    }
    return found;
  }

  function isNewOf(kinds: readonly string[]): boolean {
    const before = known.size;
    for (const kind of kinds) known.add(kind);
    return known.size > before;
  }
}

/** A loaded page has no violation in any width and scheme. */
export async function assertAccessible(page: Page): Promise<void> {
  for await (const look of looksOf(page)) {
    assert.deepEqual(await look.violations(), [], look.name);
  }
}

interface Where {
  /** Left out: all. */
  readonly rules?: readonly string[];
  /** The elements that are looked at, as an expression; left out: the document. */
  readonly context?: string;
  readonly isTranslation?: boolean;
}

/**
 * Tells nothing but violations: descriptions of every element that is right, and their way to this
 * process, took a third of the CPU.
 */
function violationsOf(
  page: Page,
  { rules, context = 'document', isTranslation = false }: Where,
): Promise<string[]> {
  const tags = isTranslation ? OF_TEXTS : TAGS;
  const options = {
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags },
    rules: isTranslation && !rules ? OF_PLACES_ON : {},
    reporter: 'no-passes',
  };
  return page.evaluate(`axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}
