// Counts the times until an instant down, in the units in which the page wrote them.
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** @param {number} ms */
function duration(ms) {
  const left = Math.max(0, Math.floor(ms / SECOND_MS));
  const units = [
    [Math.floor(left / 3600), 'h'],
    [Math.floor(left / 60) % 60, 'min'],
    [left % 60, 's'],
  ];
  const first = left >= 3600 ? 0 : left >= 60 ? 1 : 2;
  const shown = units.slice(first, first + 2).filter(([count], at) => at === 0 || count !== 0);
  return shown.map((unit) => unit.join(' ')).join(' ');
}

/** @type {WeakSet<Element>} */
const counted = new WeakSet();

function countAll() {
  for (const each of document.querySelectorAll('[data-counted]')) {
    if (counted.has(each)) continue;
    counted.add(each);
    count(/** @type {HTMLElement} */ (each));
  }
}

/** @param {HTMLElement} shown */
function count(shown) {
  const { counted: left = '', sentence = '#' } = shown.dataset;
  // By the server's count: the clock of this device may be wrong, but it runs on while it sleeps.
  const end = Date.now() + Number(left);
  function show() {
    const leftMs = end - Date.now();
    shown.textContent = sentence.replace('#', duration(leftMs));
    if (leftMs <= 0 || !shown.isConnected) return;
    setTimeout(show, leftMs >= HOUR_MS ? MINUTE_MS : SECOND_MS);
  }
  show();
}

countAll();
document.addEventListener('refreshed', countAll);
