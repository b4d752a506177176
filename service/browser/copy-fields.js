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

function prepare() {
  const told = /** @type {HTMLElement | null} */ (document.querySelector('[data-copied]'));
  for (const each of document.querySelectorAll('[data-copy]')) {
    const button = /** @type {HTMLButtonElement} */ (each);
    const field = document.getElementById(button.dataset.copy ?? '');
    if (!field || !told) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
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
    });
  }
}
prepare();
document.addEventListener('refreshed', prepare);
