// Goes where the page's one link leads after a moment, in which a person can read why. The page is
// left out of the history: going back from there must not lead here again.
const READ_MS = 1800;
const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector('[data-follow]'));
/** @type {number | undefined} */
let timer;
addEventListener('pageshow', () => {
  if (link) timer = setTimeout(() => location.replace(link.href), READ_MS);
});
addEventListener('pagehide', () => clearTimeout(timer));
