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

  const ask = createAsking({
    isOver,
    // A page on the way that cuts the tie to its opener looks closed too: nothing hangs on it.
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
      else if (popup) ask();
      else leave(link);
    },
    check: () => link !== undefined && ask(),
    stop: () => ended.abort(),
  };

  async function start() {
    const isBlocked = popup === null;
    try {
      const { protocol, href, origin } = new URL((await create()).paymentLink);
      if (!/^https?:$/.test(protocol)) throw new TypeError(`${protocol} is no payment link`);
      link = href;
      listen(ask, (event) => event.source === popup && event.origin === origin, ended.signal);
    } catch (error) {
      popup?.close();
      return move('failed', error);
    } finally {
      underWay = undefined;
    }
    if (isBlocked && !popup) return leave(link);
    if (popup && !popup.closed) popup.location.replace(link);
    ask();
  }

  underWay = checkout;
  move('creating');
  showWaiting(popup, waitingText);
  start();
  return checkout;
}

/**
 * @param {object} options
 * @param {CheckoutOptions['isOver']} options.isOver
 * @param {() => boolean} options.isClosed
 * @param {(isOver: boolean, isClosed: boolean) => void} options.onAnswer
 * @param {AbortSignal} options.signal ends it
 * @returns {() => void} asks now, and again and again
 */
function createAsking({ isOver, isClosed, onAnswer, signal }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let startedAt = 0;
  let closedAt = 0;
  signal.addEventListener('abort', () => clearTimeout(timer));

  async function ask() {
    clearTimeout(timer);
    let answer = false;
    try {
      answer = await isOver();
    } catch {
      // Your server is away, or the network: the next one tells.
    }
    if (signal.aborted) return;
    clearTimeout(timer);
    const now = Date.now();
    closedAt = isClosed() ? closedAt || now : 0;
    onAnswer(answer, closedAt > 0);
    if (answer || now - startedAt > LONGEST_POLL_MS) return;
    const afterClosingMs = now - closedAt < GRACE_MS ? GRACE_POLL_MS : LATE_POLL_MS;
    timer = setTimeout(ask, closedAt ? afterClosingMs : POLL_MS);
  }

  return () => {
    startedAt = Date.now();
    if (!signal.aborted) ask();
  };
}

/**
 * @param {() => void} ask
 * @param {(event: MessageEvent) => boolean} isOurs
 * @param {AbortSignal} signal ends it
 */
function listen(ask, isOurs, signal) {
  // Only a reason to ask: what a message says is not believed.
  addEventListener('message', (event) => isOurs(event) && ask(), { signal });
  // Back on this page: timers may have slept.
  addEventListener('focus', ask, { signal });
  addEventListener('pageshow', ask, { signal });
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
