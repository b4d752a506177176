// Offers to close a window that a script has opened: no other one lets itself be closed. Never
// closes it by itself.
const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-close]'));
if (button && (window.opener || history.length === 1)) {
  button.hidden = false;
  button.addEventListener('click', () => window.close());
  // A payment window is closed; the page of the shop behind it goes on.
  if (window.opener) {
    for (const other of document.querySelectorAll('.actions .button')) {
      if (other !== button) other.classList.add('quiet');
    }
  }
}
for (const printer of document.querySelectorAll('[data-print]')) {
  /** @type {HTMLButtonElement} */ (printer).hidden = false;
  printer.addEventListener('click', () => window.print());
}
