// The script of the shop's pages. The script opens the payment window inside the click and shows
// the order's state from the shop's server. Every form also works without this script.

/** @typedef {import('@payment-requests/sdk/checkout').Checkout} Checkout */
/** @typedef {import('@payment-requests/sdk/checkout').CheckoutState} CheckoutState */

/** The poll interval while no payment window polls; the customer may pay on another device. */
const POLL_MS = 3_000;
/** Half an hour: the customer has left the page. */
const LONGEST_POLL_MS = 1_800_000;

/** @param {string} selector @returns {HTMLElement} */
function find(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`The page has no ${selector}.`);
  return found;
}

const script = find('script[data-checkout]');
/** @type {typeof import('@payment-requests/sdk/checkout')} */
const { closePaymentWindow, openCheckout } = await import(script.dataset.checkout ?? '');

/** @type {Checkout | undefined} */
let checkout;
/** @type {CheckoutState | undefined} */
let state;

/**
 * Whether a payment window can follow. The server's page names the faults of an incomplete form: a
 * window would open for nothing.
 * @param {HTMLFormElement} form
 */
function isComplete(form) {
  const contacts = [...form.querySelectorAll('input[data-contact]')];
  const hasContact = contacts.some((input) => /** @type {any} */ (input).value.trim() !== '');
  return form.checkValidity() && (hasContact || contacts.length === 0);
}

/** @param {HTMLFormElement} form */
function pay(form) {
  checkout?.stop();
  let orderUrl = find('main').dataset.order ?? '';
  checkout = openCheckout({
    async create() {
      const answer = await fetch(form.action, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams(/** @type {any} */ (new FormData(form))),
      });
      const order = await answer.json();
      if (order.orderUrl) {
        orderUrl = order.orderUrl;
        history.replaceState(null, '', orderUrl);
      }
      if (!order.paymentLink) throw new Error(`The shop answered ${answer.status}.`);
      return order;
    },
    isOver: () => showOrder(orderUrl),
    async onState(next) {
      showState(next);
      // A page of the shop then shows the form's faults or the order's state.
      if (next !== 'failed') return;
      if (orderUrl) await showOrder(orderUrl);
      else form.submit();
    },
  });
}

/** @param {CheckoutState | undefined} next */
function showState(next) {
  state = next;
  const section = find('#payment-window');
  // After the confirmation only the page shows the state, so that the customer does not pay again.
  const isAsked = find('main').dataset.payable !== 'no';
  const hadFocus = section.contains(document.activeElement);
  section.hidden = state === undefined || state === 'over' || !isAsked;
  if (section.hidden && hadFocus) find('main').focus({ preventScroll: true });
  const sentence = find('#payment-window [role=status]');
  sentence.textContent = (state && section.dataset[state]) ?? '';
  find('#payment-window [data-do=show]').hidden = state !== 'paying';
  find('#payment-window [data-do=reopen]').hidden = state !== 'closed';
  find('#payment-window [data-do=check]').hidden = state !== 'closed';
}

/**
 * Replaces the shown order by the server's current page.
 * @param {string} orderUrl @returns {Promise<boolean>} whether the order needs no more polling
 */
async function showOrder(orderUrl) {
  const answer = await fetch(orderUrl, { headers: { accept: 'text/html' } });
  if (!answer.ok) throw new Error(`The shop answered ${answer.status}.`);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [next, shown] = [page.querySelector('main'), find('main')];
  if (!next) throw new Error('The shop sent no page.');
  const isOver = next.dataset.over === 'yes';
  // A page that follows itself waits while a person fills its form. A checkout gives way.
  const isSamePage = next.dataset.order === shown.dataset.order;
  const inputs = isSamePage ? [...shown.querySelectorAll('input')] : [];
  if (inputs.some(({ value, defaultValue }) => value !== defaultValue)) return isOver;
  if (next.dataset.state !== shown.dataset.state || !isSamePage) {
    const hadFocus = shown.contains(document.activeElement);
    shown.replaceWith(next);
    document.title = page.title;
    for (const part of ['.bar', 'footer']) {
      find(part).replaceWith(/** @type {Element} */ (page.querySelector(part)));
    }
    find('#news').textContent = next.querySelector('h1')?.textContent ?? '';
    if (hadFocus) next.focus({ preventScroll: true });
    showState(isOver ? undefined : state);
  } else if (next.innerHTML !== shown.innerHTML && !shown.contains(document.activeElement)) {
    shown.innerHTML = next.innerHTML;
  }
  return isOver;
}

/** Polls the state of an order whose page was opened without a payment window. */
function follow() {
  const startedAt = Date.now();
  const timer = setInterval(async () => {
    const { order, over, payable } = find('main').dataset;
    if (Date.now() - startedAt > LONGEST_POLL_MS) return clearInterval(timer);
    const isAsking = state !== undefined && state !== 'failed' && payable !== 'no';
    if (!order || over === 'yes' || isAsking || document.hidden) return;
    // The next poll reads the state.
    await showOrder(order).catch(() => {});
  }, POLL_MS);
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !('pay' in form.dataset)) return;
  const tender = new FormData(form).get('tender') ?? 'E_TRANSFER';
  if (tender !== 'E_TRANSFER' || !isComplete(form)) return;
  event.preventDefault();
  pay(form);
});
for (const name of ['show', 'reopen']) {
  find(`#payment-window [data-do=${name}]`).addEventListener('click', () => checkout?.reopen());
}
find('#payment-window [data-do=check]').addEventListener('click', () => checkout?.check());
// `returnUrl` leads to the order's page, also in the payment window: the first tab shows it then.
if (!find('main').dataset.order || !closePaymentWindow()) follow();
