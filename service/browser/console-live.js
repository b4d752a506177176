// Replaces the figures of a page when the server says that they have changed. The page stays where
// it is: no field, focus or place of reading is lost, and a button pauses it. The rows of a list stay
// too: a link above them says how many are new.
const SLOWEST_MS = 5000;
const RETRY_MS = 15000;

const figures = () => /** @type {HTMLElement | null} */ (document.querySelector('[data-live]'));
const newRows = /** @type {HTMLElement | null} */ (document.querySelector('#new-rows'));
const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('#live-switch'));
/** @type {EventSource | undefined} */
let source;
/** @type {number | undefined} */
let timer;
let shownAt = 0;
let isPaused = false;

/** @param {number} pauseMs */
function refreshIn(pauseMs) {
  clearTimeout(timer);
  timer = setTimeout(refresh, pauseMs);
}

async function refresh() {
  // A page in the background waits until a person looks at it.
  if (isPaused || document.hidden) return;
  try {
    const answer = await fetch(location.href, { headers: { 'x-refresh': '1' } });
    // The session has ended: the sign-in page says so.
    if (answer.redirected) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = /** @type {HTMLElement | null} */ (page.querySelector('[data-live]'));
    const shown = figures();
    if (!answer.ok || !next || !shown || isPaused) return refreshIn(RETRY_MS);
    if (newRows) {
      announce(newRows, shown, next);
      shown.dataset.live = next.dataset.live;
      shownAt = Date.now();
      return follow();
    }
    // A person reads the figures or copies them.
    const active = document.activeElement;
    const isHeld = active !== button && shown.contains(active);
    if (isHeld || !getSelection()?.isCollapsed) return refreshIn(SLOWEST_MS);
    // The switch keeps its state, and the focus.
    if (button) next.querySelector('#live-switch')?.replaceWith(button);
    shown.replaceWith(next);
    if (active === button) button?.focus();
    // Scripts that prepare parts of a page prepare the new ones.
    document.dispatchEvent(new Event('refreshed'));
    shownAt = Date.now();
    follow();
  } catch {
    refreshIn(RETRY_MS);
  }
}

/**
 * Says how many rows of a newer page this page lacks. Rows behind the last known one may have moved
 * up from the next page.
 *
 * @param {HTMLElement} place
 * @param {HTMLElement} shown
 * @param {HTMLElement} next
 */
function announce(place, shown, next) {
  /** @param {HTMLElement} list */
  const addressesIn = (list) =>
    [...list.querySelectorAll('a.row')].map((row) => row.getAttribute('href'));
  const known = new Set(addressesIn(shown));
  const fresh = addressesIn(next);
  const end = fresh.findLastIndex((address) => known.has(address));
  const hasMore = shown.querySelector('a[rel=next]') !== null;
  const before = hasMore && end >= 0 ? fresh.slice(0, end) : fresh;
  const count = before.filter((address) => !known.has(address)).length;
  if (count === 0) return;
  const number = end < 0 && hasMore ? `${count}+` : `${count}`;
  const link = document.createElement('a');
  link.className = 'button quiet';
  link.href = location.href;
  link.textContent =
    (count === 1 ? place.dataset.one : place.dataset.more?.replace('#', number)) ?? '';
  place.replaceChildren(link);
}

function follow() {
  source?.close();
  const address = figures()?.dataset.live;
  if (!address || isPaused) return;
  source = new EventSource(address);
  source.addEventListener('changed', () => {
    source?.close();
    refreshIn(Math.max(0, shownAt + SLOWEST_MS - Date.now()));
  });
  source.addEventListener('error', () => {
    // A stream that merely ended is opened again by the browser; a refused one is not.
    if (source?.readyState === EventSource.CLOSED) refreshIn(RETRY_MS);
  });
}

button?.removeAttribute('hidden');
button?.addEventListener('click', () => {
  isPaused = !isPaused;
  button.textContent = (isPaused ? button.dataset.resume : button.dataset.pause) ?? '';
  if (isPaused) source?.close();
  else refresh();
});
addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh();
});
addEventListener('pagehide', () => source?.close());
addEventListener('pageshow', (event) => (event.persisted ? refresh() : follow()));
