// The console's shortcuts. Each is a single key, so a person can switch them off: speech input and
// trembling hands press keys that nobody meant (WCAG 2.1.4).
const SWITCH = 'console-shortcuts';

/** Without storage in the browser, shortcuts are on, and the switch holds for the page. */
let isOff = false;
try {
  isOff = localStorage.getItem(SWITCH) === 'off';
} catch {}

const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('a.row')]);

/** @param {number} step */
function moveBy(step) {
  const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  // Without a row in focus, down leads to the first and up to the last.
  const start = at === -1 && step < 0 ? rows.length : at;
  const next = rows[Math.min(Math.max(start + step, 0), rows.length - 1)];
  next?.focus();
  return next !== undefined;
}

// Words that say more on hover lie above the link of their row.
document.addEventListener('click', ({ target }) => {
  const time = /** @type {HTMLElement | null} */ (target)?.closest?.('td time');
  if (!time || time.closest('a')) return;
  const row = time.closest('tr')?.querySelector('a.row');
  /** @type {HTMLElement | null | undefined} */ (row)?.click();
});

/** @param {string} selector */
function focusOn(selector) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  found?.focus();
  return found !== null;
}

/** @param {string} selector */
function follow(selector) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  found?.click();
  return found !== null;
}

function openFilters() {
  const filters = /** @type {HTMLDetailsElement | null} */ (document.querySelector('#filters'));
  if (filters) filters.open = true;
  return focusOn('#filters input, #filters select');
}

/** @type {Record<string, () => boolean>} Each tells whether it had something to do. */
const acts = {
  j: () => moveBy(1),
  k: () => moveBy(-1),
  f: openFilters,
  n: () => follow('a[rel=next]'),
  p: () => follow('a[rel=first]'),
  c: () => follow('[data-key=c]'),
  '/': () => focusOn('form[role=search] input[type=search]'),
  '?': () => follow('a[data-shortcuts-page]'),
};
/** Elsewhere the arrows scroll the page. */
const inRows = { ArrowDown: acts.j, ArrowUp: acts.k };

/** @param {EventTarget | null} target */
function isTyping(target) {
  const element = /** @type {HTMLElement | null} */ (target);
  return element?.closest?.('input, select, textarea, [contenteditable]') !== null;
}

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (ctrlKey || metaKey || altKey || defaultPrevented || isTyping(target)) return;
  const isInRows = rows.includes(/** @type {HTMLElement} */ (target));
  const arrow = isInRows ? inRows[/** @type {keyof typeof inRows} */ (key)] : undefined;
  const act = arrow ?? (isOff || !Object.hasOwn(acts, key) ? undefined : acts[key]);
  if (act?.()) event.preventDefault();
});

for (const each of document.querySelectorAll('.keys')) {
  /** @type {HTMLElement} */ (each).hidden = isOff;
}

const choice = /** @type {HTMLInputElement | null} */ (document.querySelector('#shortcuts-on'));
if (choice) {
  choice.checked = !isOff;
  /** @type {HTMLElement} */ (choice.closest('p')).hidden = false;
  choice.addEventListener('change', () => {
    isOff = !choice.checked;
    try {
      localStorage.setItem(SWITCH, isOff ? 'off' : 'on');
    } catch {}
  });
}
