// The pages for developers, which need no script, get copy buttons, results while typing, and the
// values of the signed-in merchant.
const TYPING_MS = 150;

/** Makes a button for each block of code; the script `copy-fields` shows it and copies. */
function addCopyButtons() {
  for (const block of document.querySelectorAll('.code:not(:has(.copy))')) {
    const code = block.querySelector('code');
    if (!code) continue;
    code.id ||= `code-${document.querySelectorAll('.copy').length}`;
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'button quiet copy', textContent: 'Copy' });
    button.setAttribute('aria-label', 'Copy the code');
    button.dataset.copy = code.id;
    button.hidden = true;
    block.prepend(button);
  }
}

/** @param {HTMLFormElement} form */
function searchWhileTyping(form) {
  const input = form.querySelector('input');
  if (!input) return;
  const results = document.createElement('div');
  results.className = 'results';
  results.hidden = true;
  form.append(results);
  /** @type {number | undefined} */
  let timer;
  let latest = 0;

  async function show() {
    const mine = ++latest;
    const query = input?.value.trim() ?? '';
    keepQuery(query);
    if (query.length < 2) {
      results.hidden = true;
      return;
    }
    const answer = await fetch(`/docs?q=${encodeURIComponent(query)}`).catch(() => null);
    if (!answer?.ok || mine !== latest) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const found = page.getElementById('results');
    if (!found || mine !== latest) return;
    results.replaceChildren(...found.childNodes);
    results.hidden = false;
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(show, TYPING_MS);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      latest += 1;
      results.hidden = true;
      input.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || results.hidden) return;
    event.preventDefault();
    const stops = [input, ...results.querySelectorAll('a')];
    const place = stops.findIndex((each) => document.activeElement === each);
    stops[Math.min(Math.max(place + step, 0), stops.length - 1)]?.focus();
  });
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Node && !form.contains(target)) results.hidden = true;
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !form.contains(target)) results.hidden = true;
  });
  // A reader who comes back from a result finds the search again.
  const kept = new URLSearchParams(location.search).get('q');
  if (input.value || !kept) return;
  input.value = kept;
  show();
}

/** Keeps what was typed in the address of this page. @param {string} query */
function keepQuery(query) {
  const url = new URL(location.href);
  if (query) url.searchParams.set('q', query);
  else url.searchParams.delete('q');
  history.replaceState(history.state, '', url);
}

/**
 * Fills in the values that the console answers to the signed-in person; the page itself is the same
 * for every reader.
 * @param {string} [merchant] the id of the chosen merchant
 */
async function fillOwnValues(merchant) {
  const line = /** @type {HTMLElement | null} */ (document.querySelector('.own'));
  const query = merchant ? `?merchant=${encodeURIComponent(merchant)}` : '';
  // Without a session the answer leads to the sign-in, where no script follows.
  const answer = await fetch(`/console/docs-values${query}`, {
    headers: { 'x-refresh': '1' },
    redirect: 'manual',
  }).catch(() => null);
  const { merchants = [], values = null } = answer?.ok ? await answer.json() : {};
  for (const place of document.querySelectorAll('[data-own]')) {
    fill(/** @type {HTMLElement} */ (place), values);
  }
  if (!line) return;
  line.hidden = !values;
  const more = line.querySelector('span');
  if (more) more.hidden = !values?.username || !values.apiKey;
  if (merchants.length > 1) offerMerchants(line, merchants, values.id);
}

/**
 * @param {HTMLElement} place has its own text again where the merchant has no value for it
 * @param {Record<string, string | null> | null} values
 */
function fill(place, values) {
  const own = values?.[place.dataset.own ?? ''] ?? '';
  if (place instanceof HTMLInputElement) {
    if (place.value === (place.dataset.filled ?? '')) place.value = own;
    place.dataset.filled = own;
    return;
  }
  place.dataset.blank ??= place.textContent ?? '';
  const { blank } = place.dataset;
  // The guides' examples are calls of the sandbox: they take no value of a production.
  const isOther = blank.startsWith('sbx_') && !own.startsWith('sbx_');
  place.textContent = isOther || !own ? blank : own;
  place.toggleAttribute('data-filled', place.textContent !== blank);
}

/**
 * @param {Element} line
 * @param {{ id: string, name: string }[]} merchants
 * @param {string} chosen
 */
function offerMerchants(line, merchants, chosen) {
  const name = line.querySelector('strong');
  if (!name) return;
  const select = document.createElement('select');
  select.setAttribute('aria-label', 'Merchant');
  select.append(...merchants.map((each) => new Option(each.name, each.id)));
  select.value = chosen;
  select.addEventListener('change', () => fillOwnValues(select.value));
  name.replaceWith(select);
}

/** Hides the problems without the typed words. @param {HTMLElement} line */
function filterProblems(line) {
  const input = line.querySelector('input');
  const told = line.querySelector('[role]');
  if (!input || !told) return;
  line.hidden = false;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/);
    const sections = [...document.querySelectorAll('.problems')];
    let count = 0;
    for (const section of sections) {
      const rows = [...section.querySelectorAll('dl > div')];
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.toggleAttribute('hidden', !words.every((word) => text.includes(word)));
      }
      const shown = rows.filter((row) => !row.hasAttribute('hidden')).length;
      section.toggleAttribute('hidden', shown === 0);
      count += shown;
    }
    told.textContent = `${count} of ${document.querySelectorAll('.problems dt').length} shown`;
  });
}

/** The boxes that a reader has ticked stay ticked in this browser. */
function keepTicks() {
  const boxes = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll('.task input')]);
  const key = `docs-ticks ${location.pathname}`;
  const textOf = (/** @type {HTMLInputElement} */ box) => box.parentElement?.textContent ?? '';
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '[]');
    for (const box of boxes) box.checked = kept.includes(textOf(box));
  } catch {
    // A browser that stores nothing begins without ticks.
  }
  document.addEventListener('change', ({ target }) => {
    if (!boxes.some((box) => box === target)) return;
    try {
      const ticked = boxes.filter(({ checked }) => checked).map(textOf);
      localStorage.setItem(key, JSON.stringify(ticked));
    } catch {
      // A browser that stores nothing keeps none.
    }
  });
}

addCopyButtons();
// Another script has put code in place; `copy-fields` comes behind this one.
document.addEventListener('refreshed', addCopyButtons);
const form = document.querySelector('form.search');
if (form instanceof HTMLFormElement) searchWhileTyping(form);
fillOwnValues();
const filter = document.querySelector('.filter');
if (filter instanceof HTMLElement) filterProblems(filter);
keepTicks();
