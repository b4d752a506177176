// Suggestions under every search of the console, and the palette: Ctrl-K opens the page of the
// search as a dialog. Without this script the page itself has all of it.
const TYPING_MS = 150;
/** The server has no shorter part in its index. */
const SHORTEST = 2;

// Ids of payment requests alone: nothing of a payer stays in the browser's storage. The server shows
// those that the person may read.
const RECENT = 'console-recent';
const MOST_RECENT = 5;
const REQUEST_PAGE = /^\/console\/m\/([^/]+)\/payment-requests\/([0-9a-f-]{36})$/;

/** @returns {string[]} */
function recentIds() {
  try {
    return JSON.parse(localStorage.getItem(RECENT) ?? '[]');
  } catch {
    return [];
  }
}

const [, , openId] = REQUEST_PAGE.exec(location.pathname) ?? [];
if (openId) {
  const ids = [openId, ...recentIds().filter((id) => id !== openId)].slice(0, MOST_RECENT);
  try {
    localStorage.setItem(RECENT, JSON.stringify(ids));
  } catch {}
}

/** @param {string} text */
const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** @param {Element} box */
const linksOf = (box) =>
  /** @type {HTMLAnchorElement[]} */ ([...box.querySelectorAll('li:not([hidden]) a')]);

/** @param {Response} answer */
async function readPage(answer) {
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/**
 * Gives a search suggestions: arrows move from the field into the links and back.
 * @param {HTMLFormElement} form
 * @param {Element} box The form, or the palette around it
 */
function suggestIn(form, box) {
  const field = /** @type {HTMLInputElement} */ (form.querySelector('input[type=search]'));
  const hits = document.createElement('div');
  hits.className = 'suggestions';
  const told = document.createElement('p');
  told.className = 'unseen';
  told.role = 'status';
  form.append(hits, told);
  /** @type {AbortController | undefined} */
  let asked;
  /** @type {number | undefined} */
  let timer;

  async function suggest() {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    if (field.value.trim().length < SHORTEST) return show();
    const body = new URLSearchParams({
      csrf: form.csrf.value,
      q: field.value,
      typing: box === form ? 'bar' : 'palette',
    });
    try {
      const answer = await fetch(form.action, { method: 'POST', body, signal });
      // The session has ended, or the server is busy: the form itself says so.
      if (answer.ok && !answer.redirected) show((await readPage(answer)).body.firstElementChild);
    } catch {}
  }

  /** @param {Element | null} [answer] */
  function show(answer) {
    hits.replaceChildren(...(answer?.childNodes ?? []));
    told.textContent = /** @type {HTMLElement | null} */ (answer)?.dataset.told ?? '';
  }

  field.addEventListener('input', () => {
    filterChoices(box, fold(field.value));
    clearTimeout(timer);
    timer = setTimeout(suggest, TYPING_MS);
  });
  box.addEventListener('keydown', (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const stops = [field, ...linksOf(box)];
      const at = stops.indexOf(/** @type {HTMLInputElement} */ (document.activeElement));
      const next = stops[at + (key === 'ArrowDown' ? 1 : -1)];
      if (at < 0 || !next) return;
      next.focus();
      event.preventDefault();
    } else if (key === 'Escape' && box === form) {
      show();
      field.focus();
    } else if (key === 'Enter' && event.target === field) {
      // A page or an act whose name was typed; else the form searches.
      const [choice] = field.value.trim() === '' ? [] : linksOf(choicesOf(box) ?? hits);
      if (!choice?.closest('[data-choices]')) return;
      choice.click();
      event.preventDefault();
    }
  });
}

/** @param {Element} box */
const choicesOf = (box) => box.querySelector('[data-choices]');

/**
 * Shows the pages and acts of which each typed word begins a word.
 * @param {Element} box
 * @param {string} typed
 */
function filterChoices(box, typed) {
  const words = typed.split(/\s+/).filter((word) => word !== '');
  for (const item of choicesOf(box)?.querySelectorAll('li') ?? []) {
    const named = ` ${fold(item.textContent ?? '')}`;
    item.hidden = !words.every((word) => named.includes(` ${word}`));
  }
  for (const list of choicesOf(box)?.querySelectorAll('ul') ?? []) {
    const isEmpty = linksOf(list).length === 0;
    list.hidden = isEmpty;
    const heading = /** @type {HTMLElement | null} */ (list.previousElementSibling);
    if (heading?.matches('h2')) heading.hidden = isEmpty;
  }
  const recent = /** @type {HTMLElement | null} */ (box.querySelector('[data-recent]'));
  if (recent) recent.hidden = words.length > 0;
}

/** @type {HTMLDialogElement | undefined} */
let dialog;

async function openPalette() {
  const here = /** @type {HTMLInputElement | null} */ (
    document.querySelector('main .palette input[type=search]')
  );
  if (here) return here.focus();
  const palette = await fetchPalette();
  if (!palette) return location.assign('/console/search');
  if (!dialog?.open) show(palette);
}

/** null: the session has ended, or the server is busy. */
async function fetchPalette() {
  const [, merchant = ''] = /^\/console\/m\/([^/]+)/.exec(location.pathname) ?? [];
  const query = new URLSearchParams({ at: merchant, recent: recentIds().join(' ') });
  try {
    const answer = await fetch(`/console/search?${query}`);
    if (!answer.ok || answer.redirected) return null;
    return /** @type {HTMLElement | null} */ ((await readPage(answer)).querySelector('.palette'));
  } catch {
    return null;
  }
}

/**
 * The first page shows the payment requests that this browser had open lately.
 * @param {Element} place
 */
async function showRecent(place) {
  const recent = (await fetchPalette())?.querySelector('[data-recent]');
  place.replaceChildren(...(recent?.childNodes ?? []));
}

/** @param {HTMLElement} palette */
function show(palette) {
  dialog?.remove();
  const shown = document.createElement('dialog');
  dialog = shown;
  shown.className = 'palette-dialog';
  shown.setAttribute('aria-label', palette.dataset.palette ?? '');
  shown.append(palette);
  offerActsOfPage(palette);
  document.body.append(shown);
  const form = /** @type {HTMLFormElement} */ (palette.querySelector('form'));
  suggestIn(form, palette);
  const close = /** @type {HTMLButtonElement} */ (palette.querySelector('[data-close]'));
  close.hidden = false;
  close.addEventListener('click', () => shown.close());
  shown.addEventListener('click', ({ target }) => target === shown && shown.close());
  shown.showModal();
  /** @type {HTMLInputElement} */ (form.querySelector('input[type=search]')).focus();
}

/**
 * Acts that the page shows as buttons come first.
 * @param {HTMLElement} palette
 */
function offerActsOfPage(palette) {
  const acts = /** @type {HTMLAnchorElement[]} */ ([
    ...document.querySelectorAll('main a.button[href]'),
  ]);
  if (acts.length === 0) return;
  const heading = document.createElement('h2');
  heading.textContent = palette.dataset.here ?? '';
  const list = document.createElement('ul');
  for (const act of acts) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = act.href;
    link.textContent = act.textContent;
    item.append(link);
    list.append(item);
  }
  choicesOf(palette)?.prepend(heading, list);
}

for (const each of document.querySelectorAll('form[data-suggest]')) {
  const form = /** @type {HTMLFormElement} */ (each);
  suggestIn(form, form.closest('.palette') ?? form);
}
const lately = document.querySelector('main > [data-lately], main > .palette [data-recent]');
if (lately && recentIds().length > 0) showRecent(lately);
document.querySelector('[data-open-palette]')?.addEventListener('click', (event) => {
  event.preventDefault();
  openPalette();
});
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
  event.preventDefault();
  openPalette();
});
