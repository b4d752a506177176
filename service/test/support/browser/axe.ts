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
/** Elements that a person can press or fill in, and their least side in CSS pixels (WCAG 2.5.8). */
const TARGETS =
  'a[href], button, input, select, textarea, summary, [tabindex]:not(main, [role=region])';
const LEAST = 24;
/** Axe, whose rules of colours look at the elements of `window.colouredNow` alone. */
const AXE = `${SOURCE}
for (const id of ${JSON.stringify(OF_COLOURS)}) {
  const rule = axe.utils.getRule(id);
  const { matches } = rule;
  rule.matches = function (node, ...others) {
    return window.colouredNow.has(node) && matches.call(this, node, ...others);
  };
}`;
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
export const KIND_OF = `((kinds) => (one) => {
  if (kinds.has(one)) return kinds.get(one);
  const kind = [one.tagName, !/\\S/.test(one.textContent),
    ...${JSON.stringify(NAMES)}.map((name) => one.getAttribute(name)),
    ...${JSON.stringify(WORDS)}.map((name) => one.getAttribute(name)?.trim() === '')].join();
  kinds.set(one, kind);
  return kind;
})(new Map())`;

/**
 * Notes each element's place, whether it is shown, and its colours. `window.shownOfLook` are then
 * the elements that were not shown at the last call, without elements within elements that are
 * among them; `window.colouredOfLook` those with words or a value, by `coloured`.
 * @returns what follows has kinds of elements, so that a kind can be known;
 *   isSame: each element has the place, size and visibility that it had at the last call;
 *   shown: of `window.shownOfLook`; coloured: what contrast depends on, which are the colours, size
 *   and weight of words, the grounds behind them up to one that hides all others, and what lies over
 *   other things, since it may stand on any ground; links, labels and what is off by their kinds;
 *   tight: what is small or covered in part, with all that is near, and what scrolls
 */
const NOTE_LOOK = `(() => {
  const before = window.ofLook ?? {};
  const kindOf = ${KIND_OF};
  const kindIn = (one) => kindOf(one.parentElement ?? one) + '>' + kindOf(one);
  const places = [], shown = new Set(), grounds = new Map(), coloured = {}, targets = [], tight = [];
  for (const each of document.querySelectorAll('body, body *')) {
    const box = each.getBoundingClientRect();
    const { visibility, opacity, color, backgroundColor, backgroundImage, fontSize, fontWeight,
      overflow, position, textShadow } = getComputedStyle(each);
    places.push(box.x, box.y, box.width, box.height, visibility, opacity);
    const around = grounds.get(each.parentElement) ?? { ground: '', solid: 1, color: '' };
    const own = backgroundColor + ' ' + backgroundImage;
    const lifted = /absolute|fixed/.test(position) ? '>' + kindOf(each) : '';
    const hidesAll = backgroundColor.startsWith('rgb(') && backgroundImage === 'none';
    const ground = own === 'rgba(0, 0, 0, 0) none' ? around.ground + lifted
      : hidesAll ? own : around.ground + lifted + '>' + own;
    const solid = around.solid * opacity;
    grounds.set(each, { ground, solid, color });
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    shown.add(each);
    const isTarget = each.matches('${TARGETS}');
    if (isTarget) targets.push([each, box]);
    if (/auto|scroll/.test(overflow) &&
      (each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)) {
      tight.push([kindIn(each), each.tabIndex, each.querySelector('${TARGETS}') !== null].join());
    }
    const hasWords = isTarget ||
      [...each.childNodes].some(({ nodeType, data }) => nodeType === 3 && /\\S/.test(data));
    const isSpecial = each.closest('a, label, :disabled, [aria-disabled=true]') !== null;
    const kind = isSpecial ? kindIn(each) + around.color : '';
    const colours = [kind, fontSize, fontWeight, color, textShadow, ground, solid];
    if (hasWords) (coloured[colours] ??= []).push(each);
  }
  const sizeOf = ({ width, height }) =>
    [width, height].map((side) => Math.round(Math.min(side, ${LEAST})));
  for (const [each, box] of targets) {
    const near = (far) => targets.filter(([other, its]) => other !== each &&
      its.left - far < box.right && box.left - far < its.right &&
      its.top - far < box.bottom && box.top - far < its.bottom);
    if (Math.min(box.width, box.height) >= ${LEAST} && near(0).length === 0) continue;
    tight.push([kindIn(each), ...sizeOf(box), ...near(${LEAST}).flatMap(([other, its]) =>
      [kindOf(other), ...sizeOf(its), Math.round(its.x - box.x), Math.round(its.y - box.y)])].join());
  }
  const isNew = (each) => shown.has(each) && !before.shown?.has(each);
  window.shownOfLook = [...shown].filter((each) => isNew(each) && !isNew(each.parentElement));
  window.colouredOfLook = coloured;
  window.ofLook = { places: places.join(), shown };
  return { isSame: before.places === window.ofLook.places, tight, coloured: Object.keys(coloured),
    shown: before.shown ? window.shownOfLook.flatMap((each) =>
      [each, ...each.querySelectorAll('*')].map(kindIn)) : [] };
})()`;

/** The result of NOTE_LOOK. */
interface Noted {
  readonly isSame: boolean;
  readonly shown: readonly string[];
  readonly coloured: readonly string[];
  readonly tight: readonly string[];
}

/**
 * Everything that the rules of colours and places have seen in this process: the same colours have
 * the same contrast on the same grounds, and a kind of element is as large among the same neighbours.
 */
const knownColours = new Set<string>();
const knownPlaces = new Set<string>();

/**
 * Shows a loaded page in every width and scheme, one after the other. The page is loaded, and given
 * axe, only once. The rules take most of the time: on the narrow, light page all run. In the dark
 * scheme they would find what they have found, but for the rules of colours, unless it moves, shows
 * or hides something. In another width, all run for what is shown only there, and the rules of
 * places if something tight is new to this process. The rules of colours run for elements whose
 * colours are new to it. The dark scheme of another width is left out when nothing that the light one
 * shows is new: each of its colours was seen in the first width.
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
  await giveAxe(page);
  for (const width of WIDTHS) {
    const isOtherWidth = width !== WIDTHS[0];
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of isTranslation ? SCHEMES.slice(0, 1) : SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const noted = await page.evaluate<Noted>(NOTE_LOOK);
      const violations = () => violationsIn(noted, isOtherWidth);
      const isKnown = isOtherWidth && !hasNew(noted);
      yield { name: `${width} px, ${colorScheme}`, width, violations };
      if (isKnown) break;
    }
  }

  function hasNew({ shown, coloured }: Noted): boolean {
    return (
      !shown.every((kind) => known.has(kind)) || !coloured.every((one) => knownColours.has(one))
    );
  }

  async function violationsIn(noted: Noted, isOtherWidth: boolean): Promise<string[]> {
    const { isSame, shown, coloured, tight } = noted;
    const isTight = addTo(knownPlaces, tight);
    const colours = isTranslation ? [] : coloured.filter((kind) => !knownColours.has(kind));
    const rules = [
      ...(colours.length > 0 ? OF_COLOURS : []),
      ...(!isSame && isTight ? OF_PLACES : []),
    ];
    const isWhole = !isOtherWidth && !isSame;
    const found = [];
    if (isWhole) found.push(...(await find({ colours })));
    else if (rules.length > 0) found.push(...(await find({ colours, rules })));
    if (isOtherWidth && addTo(known, shown)) {
      found.push(...(await find({ colours, context: 'window.shownOfLook' })));
    }
    return found;
  }

  async function find(where: Where): Promise<string[]> {
    const { found, unclear } = await violationsOf(page, { isTranslation, ...where });
    const isUnclear = new Set(unclear);
    addTo(
      knownColours,
      where.colours.filter((kind) => !isUnclear.has(kind)),
    );
    return found;
  }
}

/** @returns whether one of them is new */
function addTo(known: Set<string>, kinds: readonly string[]): boolean {
  const before = known.size;
  for (const kind of kinds) known.add(kind);
  return known.size > before;
}

/** Pages that axe has been given. */
const given = new WeakSet<Page>();

/** A page that is looked at once more gets axe with its next loads: the browser compiles it once. */
async function giveAxe(page: Page): Promise<void> {
  if (await page.evaluate("'axe' in window")) return;
  await page.evaluate(AXE);
  if (given.has(page)) await page.addInitScript(`if (window === top) { ${AXE} }`);
  given.add(page);
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
  /** The kinds of `window.colouredOfLook` that the rules of colours look at. */
  readonly colours: readonly string[];
  /** The elements that are looked at, as an expression; left out: the document. */
  readonly context?: string;
  readonly isTranslation?: boolean;
}

interface Found {
  readonly found: string[];
  /** The kinds whose colours axe could not tell, such as of what is covered in part. */
  readonly unclear: readonly string[];
}

/**
 * Tells nothing but violations and doubts: descriptions of every element that is right, and their
 * way to this process, took a third of the CPU.
 */
function violationsOf(
  page: Page,
  { rules, colours, context = 'document', isTranslation = false }: Where,
): Promise<Found> {
  const tags = isTranslation ? OF_TEXTS : TAGS;
  const options = {
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags },
    rules: isTranslation && !rules ? OF_PLACES_ON : {},
    // It would load each style sheet once more, for a rule that finds nothing but doubts.
    preload: false,
  };
  return page.evaluate(`{
    const now = window.colouredNow = new Map(${JSON.stringify(colours)}.flatMap((kind) =>
      window.colouredOfLook[kind].map((each) => [each, kind])));
    axe.run(${context}, { ...${JSON.stringify(options)}, reporter: (results, _options, tell) => tell({
      found: results.flatMap(({ id, violations }) =>
        violations.map(({ node }) => id + ': ' + node.source)),
      unclear: results.flatMap(({ incomplete }) =>
        incomplete.map(({ node }) => now.get(node.element) ?? '')),
    }) })
  }`);
}
