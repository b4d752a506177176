// Copies the plain value of a field. The buttons are hidden where no script runs: the text can be
// selected there.
const COPIED_MS = 4000;

/** @param {HTMLElement} field The value is marked where the browser lets no script copy. */
async function copy(field) {
  const { iban, reference, value } = field.dataset;
  try {
    await navigator.clipboard.writeText(iban ?? reference ?? value ?? field.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(field);
    return false;
  }
}

/** @type {number | undefined} */
let timer;

/** @type {WeakSet<Element>} */
const ready = new WeakSet();

function readyAll() {
  const told = /** @type {HTMLElement | null} */ (document.querySelector('[data-copied]'));
  for (const each of document.querySelectorAll('[data-copy]')) {
    const button = /** @type {HTMLButtonElement} */ (each);
    const field = document.getElementById(button.dataset.copy ?? '');
    if (!field || !told || ready.has(button)) continue;
    ready.add(button);
    button.hidden = false;
    button.addEventListener('click', () => copyBy(button, field, told));
  }
}

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} field
 * @param {HTMLElement} told
 */
async function copyBy(button, field, told) {
  const isCopied = await copy(field);
  for (const other of document.querySelectorAll('.copied')) other.classList.remove('copied');
  if (isCopied) button.classList.add('copied');
  const { copied = '', marked = '' } = told.dataset;
  told.textContent = (isCopied ? copied : marked).replace('#', () => button.value);
  clearTimeout(timer);
  timer = setTimeout(() => {
    button.classList.remove('copied');
    told.textContent = '';
  }, COPIED_MS);
}

readyAll();
// A script has put parts of a newer page in place.
document.addEventListener('refreshed', readyAll);
