// Writes the page's times in the zone of the page, or else of this browser, and counts down to the expiry of a payment
// request in its last minutes.
const MINUTE_MS = 60_000;
const COUNTED_MS = 10 * MINUTE_MS;
// A timer beyond 24 days would fire at once.
const LONGEST_WAIT_MS = 60 * MINUTE_MS;

const { locale, zone } = document.body.dataset;

const format = new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
  timeZone: zone,
});

/** @param {HTMLTimeElement} time */
function fullTime(time) {
  const parts = format.formatToParts(new Date(time.dateTime));
  const hour = parts.findIndex(({ type }) => type === 'hour');
  // No line ends within the time of day.
  const texts = parts.map(({ value }, at) => (at < hour ? value : value.replaceAll(' ', '\u00a0')));
  return texts.join('');
}

const distance = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' });
/** The largest unit of which there are at least two, as on the server. */
const UNITS = /** @type {const} */ ([
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
]);

/** @param {HTMLTimeElement} time */
function distanceOf(time) {
  const left = Date.parse(time.dateTime) - Date.now();
  const [unit, unitMs] = UNITS.find(([, ms]) => Math.abs(left) >= 2 * ms) ?? ['minute', MINUTE_MS];
  return distance.format(Math.trunc(left / unitMs), /** @type {'day'} */ (unit));
}

function showTimes() {
  for (const time of document.querySelectorAll('time')) {
    const isRelative = time.classList.contains('relative');
    if (isRelative) time.title = fullTime(time);
    else time.textContent = fullTime(time);
  }
}
showTimes();
// A distance from now grows while the page is open.
setInterval(() => {
  for (const each of document.querySelectorAll('time.relative')) {
    const time = /** @type {HTMLTimeElement} */ (each);
    time.textContent = distanceOf(time);
  }
}, MINUTE_MS);
// A script has put parts of a newer page in place.
document.addEventListener('refreshed', showTimes);

/** @param {HTMLElement} shown */
function countDown(shown) {
  const { left = '', minutes = '', last = '' } = shown.dataset;
  // By the server's count: the clock of this device may be wrong, but it runs on while it sleeps.
  const end = Date.now() + Number(left);
  const unit = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  });
  function show() {
    const leftMs = end - Date.now();
    if (leftMs <= 0) return;
    const whole = Math.floor(leftMs / MINUTE_MS);
    if (leftMs <= COUNTED_MS) {
      shown.textContent = whole > 0 ? minutes.replace('#', unit.format(whole)) : last;
    }
    // At a whole minute the text changes in the next moment: no minute is left out.
    const next = leftMs > COUNTED_MS ? leftMs - COUNTED_MS : leftMs % MINUTE_MS;
    setTimeout(show, Math.min(next + 50, LONGEST_WAIT_MS));
  }
  show();
}

for (const shown of document.querySelectorAll('[data-left]')) {
  countDown(/** @type {HTMLElement} */ (shown));
}

/** Counts down to a new try: an earlier one would be refused. @param {HTMLElement} link */
function waitFor(link) {
  const { wait = '', text = '' } = link.dataset;
  const end = Date.now() + Number(wait) * 1000;
  const label = link.textContent;
  const { lang } = document.documentElement;
  const options = /** @type {const} */ ({ style: 'unit', unit: 'second', unitDisplay: 'long' });
  const unit = new Intl.NumberFormat(lang, options);
  link.addEventListener('click', (event) => {
    if (link.ariaDisabled === 'true') event.preventDefault();
  });
  function show() {
    const left = Math.ceil((end - Date.now()) / 1000);
    link.ariaDisabled = left > 0 ? 'true' : null;
    link.textContent = left > 0 ? text.replace('#', unit.format(left)) : label;
    if (left > 0) setTimeout(show, 1000);
  }
  show();
}

for (const link of document.querySelectorAll('[data-wait]')) {
  waitFor(/** @type {HTMLElement} */ (link));
}
