// Offers to close a window that a script has opened: no other one lets itself be closed. Never
// closes it by itself.
const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-close]'));
if (button && (window.opener || history.length === 1)) {
  button.hidden = false;
  button.addEventListener('click', () => window.close());
}
for (const printer of document.querySelectorAll('[data-print]')) {
  /** @type {HTMLButtonElement} */ (printer).hidden = false;
  printer.addEventListener('click', () => window.print());
}
