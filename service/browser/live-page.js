// Shows the page anew when the server says that what it shows has changed: by server-sent events,
// or by asking now and then where those do not get through.
const POLL_MS = 5000;
const SLOWEST_POLL_MS = 30000;
// A proxy may hold events back: then the first one never comes.
const OPEN_WITHIN_MS = 10000;

const address = /** @type {HTMLElement | null} */ (document.querySelector('[data-live]'))?.dataset
  .live;
/** @type {EventSource | undefined} */
let source;
/** @type {number | undefined} */
let timer;

const reload = () => location.replace(location.href);

/** @param {number} pauseMs */
function poll(pauseMs) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    try {
      const answer = await fetch(address ?? '', { headers: { accept: 'application/json' } });
      if ((await answer.json()).hasChanged) return reload();
      poll(answer.ok ? POLL_MS : SLOWEST_POLL_MS);
    } catch {
      poll(Math.min(pauseMs * 2, SLOWEST_POLL_MS));
    }
  }, pauseMs);
}

function pollInstead() {
  source?.close();
  poll(POLL_MS);
}

function follow() {
  if (!address) return;
  if (!('EventSource' in window)) return poll(POLL_MS);
  source = new EventSource(address);
  timer = setTimeout(pollInstead, OPEN_WITHIN_MS);
  source.addEventListener('ready', () => clearTimeout(timer));
  source.addEventListener('changed', reload);
  source.addEventListener('error', () => {
    // A stream that merely ended is opened again by the browser; a refused one is not.
    if (source?.readyState === EventSource.CLOSED) pollInstead();
  });
}

function stop() {
  source?.close();
  clearTimeout(timer);
}

// The page's own change must not overtake the target of a form.
addEventListener('submit', stop);
addEventListener('pagehide', stop);
// A page that comes back from the browser's memory may be out of date.
addEventListener('pageshow', (event) => (event.persisted ? reload() : follow()));
