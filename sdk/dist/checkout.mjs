/**
 * The payment window on a merchant's page. Your own server decides whether the payment is over.
 *
 * @module
 */

/**
 * `creating`: your server creates the payment request. `paying`: the window shows the payment link.
 * `closed`: the window is closed and the payment may still be open: offer "Reopen" and "Check
 * again". `over`: `isOver` answered true. `leaving`: no window is possible, so this tab goes to the
 * link. `failed`: your server gave no link; no payment page opened.
 * @typedef {'creating' | 'paying' | 'closed' | 'over' | 'leaving' | 'failed'} CheckoutState
 */

/**
 * @typedef {object} CheckoutOptions
 * @property {() => Promise<{ readonly paymentLink: string }>} create asks your own server to create
 *   the payment request
 * @property {() => Promise<boolean>} isOver asks your own server for the order's state; true ends
 *   the polling. The script calls it every few seconds and ignores a rejection.
 * @property {(state: CheckoutState, error?: unknown) => void} [onState] gets every change of state
 * @property {string} [waitingText] the window shows it until the link is known
 */

/**
 * @typedef {object} Checkout
 * @property {() => void} reopen shows the window again; call it inside a click
 * @property {() => void} check polls the order's state at once
 * @property {() => void} stop ends the polling; the window stays open
 */

/** A second click reuses the window. */
const WINDOW_NAME = 'payment-request';
const WINDOW_FEATURES = 'popup,width=480,height=760';

const POLL_MS = 2_000;
/** A payer who closes the window has often just paid; the status follows within seconds. */
const GRACE_MS = 15_000;
const GRACE_POLL_MS = 1_000;
/** After the grace period the status changes much later. */
const LATE_POLL_MS = 10_000;
/** Half an hour: the payer has left the page. `check` and `reopen` restart the polling. */
const LONGEST_POLL_MS = 1_800_000;

/** Browsers inside other apps: a window that they open offers no way back. */
const IN_APP = /\b(FBAN|FBAV|Instagram|Line|MicroMessenger|Snapchat|TikTok|LinkedInApp)\b|; wv\)/;

/** @type {Checkout | undefined} the checkout in creation; a second click gets it too */
let pending;

/**
 * Opens the payment window. Call it inside the handler of a click, before any `await`.
 *
 * @param {CheckoutOptions} options
 * @returns {Checkout}
 * @example
 * button.addEventListener('click', () => {
 *   const checkout = openCheckout({
 *     create: () => fetch('/orders/1042/payment', { method: 'POST' }).then((r) => r.json()),
 *     isOver: () => fetch('/orders/1042/is-over').then((r) => r.json()),
 *   });
 *   reopenButton.onclick = () => checkout.reopen();
 * });
 */
export function openCheckout({ create, isOver, onState, waitingText = 'One moment…' }) {
  if (pending) {
    pending.reopen();
    return pending;
  }
  let popup = openWindow('');
  /** @type {string | undefined} */
  let link;
  /** @type {CheckoutState | undefined} */
  let state;
  const ended = new AbortController();

  /** @param {CheckoutState} next @param {unknown} [error] */
  function move(next, error) {
    if (state === next) return;
    state = next;
    if (next === 'over' || next === 'failed') ended.abort();
    onState?.(next, error);
  }

  /** @param {string} to */
  function leave(to) {
    move('leaving');
    location.assign(to);
  }

  const poll = createPoller({
    isOver,
    // A page that drops its opener looks closed too. Only state and poll interval depend on it.
    isClosed: () => !popup || popup.closed,
    onAnswer: (isOver, isClosed) => move(isOver ? 'over' : isClosed ? 'closed' : 'paying'),
    signal: ended.signal,
  });

  /** @type {Checkout} */
  const checkout = {
    reopen() {
      if (popup && !popup.closed) return popup.focus();
      popup = openWindow(link ?? '');
      if (link === undefined) showWaiting(popup, waitingText);
      else if (popup) poll();
      else leave(link);
    },
    check: () => link !== undefined && poll(),
    stop: () => ended.abort(),
  };

  async function start() {
    const isBlocked = popup === null;
    try {
      const { href, origin } = readPaymentLink((await create()).paymentLink);
      link = href;
      listen(poll, (event) => event.source === popup && event.origin === origin, ended.signal);
    } catch (error) {
      popup?.close();
      return move('failed', error);
    } finally {
      pending = undefined;
    }
    if (isBlocked && !popup) return leave(link);
    if (popup && !popup.closed) popup.location.replace(link);
    poll();
  }

  pending = checkout;
  move('creating');
  showWaiting(popup, waitingText);
  start();
  return checkout;
}

/**
 * For the page behind `returnUrl`: closes the payment window if the page is shown in it; the tab
 * that opened the window shows the page instead.
 *
 * @returns {boolean} false when no window closes
 */
export function closePaymentWindow() {
  try {
    const { location: shown } = opener;
    if (window.name !== WINDOW_NAME) return false;
    if (shown.pathname !== location.pathname) shown.assign(location.href);
    opener.focus();
    close();
    return closed;
  } catch {
    // This page has no opener, or the opener's origin is another one.
    return false;
  }
}

/** @param {string} paymentLink @returns {URL} */
function readPaymentLink(paymentLink) {
  const url = new URL(paymentLink);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${url.protocol} is no payment link`);
  return url;
}

/**
 * @param {object} options
 * @param {CheckoutOptions['isOver']} options.isOver
 * @param {() => boolean} options.isClosed
 * @param {(isOver: boolean, isClosed: boolean) => void} options.onAnswer
 * @param {AbortSignal} options.signal ends the polling
 * @returns {() => void} polls now, and then at an interval
 */
function createPoller({ isOver, isClosed, onAnswer, signal }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let startedAt = 0;
  let closedAt = 0;
  signal.addEventListener('abort', () => clearTimeout(timer));

  async function poll() {
    clearTimeout(timer);
    let answer = false;
    try {
      answer = await isOver();
    } catch {
      // Your server or the network is unavailable; the next poll answers.
    }
    if (signal.aborted) return;
    clearTimeout(timer);
    const now = Date.now();
    closedAt = isClosed() ? closedAt || now : 0;
    onAnswer(answer, closedAt > 0);
    if (answer || now - startedAt > LONGEST_POLL_MS) return;
    const afterClosingMs = now - closedAt < GRACE_MS ? GRACE_POLL_MS : LATE_POLL_MS;
    timer = setTimeout(poll, closedAt ? afterClosingMs : POLL_MS);
  }

  return () => {
    startedAt = Date.now();
    if (!signal.aborted) poll();
  };
}

/**
 * @param {() => void} poll
 * @param {(event: MessageEvent) => boolean} isOurs
 * @param {AbortSignal} signal ends the listening
 */
function listen(poll, isOurs, signal) {
  // A message only triggers a poll; its content is not trusted.
  addEventListener('message', (event) => isOurs(event) && poll(), { signal });
  // Browsers pause the timers of a hidden page; a poll follows the return to this page.
  addEventListener('focus', poll, { signal });
  addEventListener('pageshow', poll, { signal });
}

/** @param {string} url @returns {Window | null} null when no window is possible */
function openWindow(url) {
  if (IN_APP.test(navigator.userAgent)) return null;
  const opened = window.open(url, WINDOW_NAME, WINDOW_FEATURES);
  opened?.focus();
  return opened;
}

/** @param {Window | null} popup @param {string} text */
function showWaiting(popup, text) {
  try {
    const page = /** @type {Window} */ (popup).document;
    page.title = text;
    page.body.style.cssText = 'color-scheme:light dark;font:1.25rem system-ui;margin:3rem 1.5rem';
    page.body.textContent = text;
  } catch {
    // No window exists, or it still shows an earlier payment, whose origin forbids writing.
  }
}
