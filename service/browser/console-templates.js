// The preview of a mail follows what a person types. Without the script its button shows it.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector('#template'));
const button = /** @type {HTMLButtonElement | null} */ (
  document.querySelector('[data-preview-mail]')
);

/** A person who types pauses so long between words. */
const PAUSE_MS = 500;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** A new frame each time: the pages of one would stand between this page and the one before. */
function show() {
  const frame = document.querySelector('iframe[name="preview"]');
  const fresh = /** @type {HTMLIFrameElement | undefined} */ (frame?.cloneNode());
  fresh?.removeAttribute('src');
  if (frame && fresh) frame.replaceWith(fresh);
  form?.requestSubmit(button);
}

if (form && button) {
  button.hidden = true;
  // Fields beside the form are its own, too.
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof Element) || !('form' in target) || target.form !== form) return;
    clearTimeout(timer);
    timer = setTimeout(show, PAUSE_MS);
  });
}
