// Moves the secret of a one-time link from the address into the form, and out of the address bar.
const field = /** @type {HTMLInputElement | null} */ (document.querySelector('#link'));
const secret = location.hash.slice(1);
if (field && secret !== '') {
  field.value = secret;
  history.replaceState(null, '', location.pathname + location.search);
  for (const each of document.querySelectorAll('[data-pasted]')) {
    /** @type {HTMLElement} */ (each).hidden = true;
  }
  for (const each of document.querySelectorAll('[data-opened]')) {
    /** @type {HTMLElement} */ (each).hidden = false;
  }
}
