/**
 * The payment window on a merchant's page. The window is opened inside the click, since a browser
 * blocks one that is opened later; the truth about the payment is what your own server says.
 *
 * @module
 */

/**
 * `creating`: your server is asked for the payment link. `paying`: the window shows it. `closed`:
 * the window is gone and the payment is not known to be over: offer "Reopen" and "Check again".
 * `over`: `isOver` said so. `leaving`: there can be no window, so this tab goes to the link.
 * `failed`: your server gave no link; nothing was opened.
 * @typedef {'creating' | 'paying' | 'closed' | 'over' | 'leaving' | 'failed'} CheckoutState
 */

/**
 * @typedef {object} CheckoutOptions
 * @property {() => Promise<{ readonly paymentLink: string }>} create asks your own server to create
 *   the payment request
 * @property {() => Promise<boolean>} isOver asks your own server how the order stands, and says
 *   whether nothing more is to be waited for. Called every few seconds; a rejection is tried again.
 * @property {(state: CheckoutState, error?: unknown) => void} [onState] called at every change
 * @property {string} [waitingText] stands in the window until the link is there
 */

/**
 * @typedef {object} Checkout
 * @property {() => void} reopen shows the window again; to be called inside a click
 * @property {() => void} check asks at once how the order stands
 * @property {() => void} stop asks no more; the window stays
 */

/** One name for all: a second click meets the same window. */
const WINDOW_NAME = 'payment-request';
const WINDOW_FEATURES = 'popup,width=480,height=760';

const POLL_MS = 2_000;
/** A payer who closes the window has often just paid: the news may be a moment behind. */
const GRACE_MS = 15_000;
const GRACE_POLL_MS = 1_000;
/** After that somebody will press a button, or the news comes much later. */
const LATE_POLL_MS = 10_000;
/** Nobody is looking any more; `check` and `reopen` start it again. */
const LONGEST_POLL_MS = 1_800_000;

/** Browsers inside other apps: what they open instead of a window has no way back. */
const IN_APP = /\b(FBAN|FBAV|Instagram|Line|MicroMessenger|Snapchat|TikTok|LinkedInApp)\b|; wv\)/;

/** @type {Checkout | undefined} what a second click during the creation gets */
let underWay;

/**
 * Opens the payment window. Call it inside the handler of a click, before anything is awaited.
 *
 * @param {CheckoutOptions} options
 * @returns {Checkout}
 * @example
 * button.addEventListener('click', () => {
 *   const checkout = openCheckout({
 *     create: () => fetch('/orders/1042/payment', { method: 'POST' }).then((r) => r.json()),
 *     isOver: async () => (await (await fetch('/orders/1042/status')).json()).isOver,
 *     onState: (state) => {
 *       reopenButton.hidden = state !== 'closed';
 *     },
 *   });
 *   reopenButton.onclick = () => checkout.reopen();
 * });
 */
export function openCheckout({ create, isOver, onState, waitingText = 'One moment…' }) {
  if (underWay) {
    underWay.reopen();
    return underWay;
  }
  let popup = openWindow('');
  /** @type {string | undefined} */
  let link;
  /** @type {CheckoutState | undefined} */
  let state;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let startedAt = Date.now();
  let closedAt = 0;
  const listening = new AbortController();

  /** @type {Checkout} */
  const checkout = {
    reopen() {
      if (popup && !popup.closed) return popup.focus();
      popup = openWindow(link ?? '');
      if (link === undefined) showWaiting(popup, waitingText);
      else if (popup) checkout.check();
      else leave(link);
    },
    check() {
      startedAt = Date.now();
      if (link !== undefined && state !== 'over') poll();
    },
    stop() {
      clearTimeout(timer);
      listening.abort();
    },
  };

  /** @param {CheckoutState} next @param {unknown} [error] */
  function move(next, error) {
    if (state === next) return;
    state = next;
    onState?.(next, error);
  }

  async function start() {
    underWay = checkout;
    move('creating');
    showWaiting(popup, waitingText);
    const isBlocked = popup === null;
    try {
      const { protocol, href } = new URL((await create()).paymentLink);
      if (!/^https?:$/.test(protocol)) throw new TypeError(`${protocol} is no payment link`);
      link = href;
    } catch (error) {
      popup?.close();
      checkout.stop();
      return move('failed', error);
    } finally {
      underWay = undefined;
    }
    listen(link);
    if (isBlocked && !popup) return leave(link);
    if (popup && !popup.closed) popup.location.replace(link);
    poll();
  }

  /** @param {string} to */
  function leave(to) {
    move('leaving');
    location.assign(to);
  }

  /** @param {string} to */
  function listen(to) {
    const { signal } = listening;
    const { origin } = new URL(to);
    // Only a reason to ask: what a message says is not believed.
    const onMessage = (/** @type {MessageEvent} */ event) => {
      if (event.source === popup && event.origin === origin) checkout.check();
    };
    addEventListener('message', onMessage, { signal });
    // Back on this page: timers may have slept.
    addEventListener('focus', checkout.check, { signal });
    addEventListener('pageshow', checkout.check, { signal });
  }

  async function poll() {
    clearTimeout(timer);
    let answer = false;
    try {
      answer = await isOver();
    } catch {
      // Your server is away, or the network: the next one tells.
    }
    if (listening.signal.aborted || state === 'over') return;
    clearTimeout(timer);
    if (answer) {
      checkout.stop();
      return move('over');
    }
    // A page on the way that cuts the tie to its opener looks closed too: nothing hangs on it.
    if (popup && !popup.closed) closedAt = 0;
    else closedAt ||= Date.now();
    move(closedAt ? 'closed' : 'paying');
    const now = Date.now();
    if (now - startedAt > LONGEST_POLL_MS) return;
    const isGrace = now - closedAt < GRACE_MS;
    timer = setTimeout(poll, closedAt ? (isGrace ? GRACE_POLL_MS : LATE_POLL_MS) : POLL_MS);
  }

  start();
  return checkout;
}

/** @param {string} url @returns {Window | null} null where there can be none */
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
    // There is none, or one that still shows an earlier payment: its page is not ours to write to.
  }
}
