// Shows the buttons that print the page; the browser's own menu prints without them.
for (const each of document.querySelectorAll('[data-print]')) {
  const button = /** @type {HTMLButtonElement} */ (each);
  button.hidden = false;
  button.addEventListener('click', () => print());
}
