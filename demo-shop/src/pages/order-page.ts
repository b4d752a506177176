import { type Html, html } from '../http/html.ts';
import { isOver, isPayable, type Order, type OrderState, orderStateOf } from '../order.ts';
import type { Notification, NotificationOutcome } from '../order-store.ts';
import { money, type ShopPage } from './shop-page.ts';

interface StateText {
  readonly heading: string;
  readonly text: string;
  /** Colours the card. */
  readonly mood: 'waiting' | 'good' | 'bad';
  /** The label of the button to the payment page, if the state has a button. */
  readonly pay?: string;
  /** The number of finished steps: ordered, paid, released. */
  readonly steps: 1 | 2 | 3;
}

/** The page's text for every order state; the type makes the table exhaustive. */
const TEXTS: Readonly<Record<OrderState, StateText>> = {
  AT_PICKUP: {
    heading: 'Your order is reserved',
    text: 'We keep it at the counter for a week. You pay when you pick it up.',
    mood: 'waiting',
    steps: 1,
  },
  UNPAID: {
    heading: 'Your order is waiting for its payment',
    text: 'No payment has been started yet. We pack it as soon as it is paid.',
    mood: 'waiting',
    pay: 'Pay',
    steps: 1,
  },
  AWAITING_PAYMENT: {
    heading: 'Your order is waiting for its payment',
    text: 'Finish the payment at your bank. This page follows by itself.',
    mood: 'waiting',
    pay: 'Go to the payment',
    steps: 1,
  },
  SETTLING: {
    heading: 'Your bank is settling the payment',
    text:
      'You have confirmed it, and your bank is not done with it yet. There is nothing for you to ' +
      'do: please do not pay again. This page follows by itself.',
    mood: 'waiting',
    steps: 1,
  },
  PAID_NOT_CONFIRMED: {
    heading: 'Your payment has arrived',
    text:
      'We are waiting for the payment service to notify us, and release your order the moment it ' +
      'does. You need not pay again, nor stay on this page.',
    mood: 'good',
    steps: 2,
  },
  RELEASED: {
    heading: 'Paid. Your order is released',
    text: 'We are packing it now. You can pick it up at our counter from tomorrow at eight.',
    mood: 'good',
    steps: 3,
  },
  FAILED: {
    heading: 'The payment did not go through',
    text: 'Your order is not paid. You can try again, with the same bank or another one.',
    mood: 'bad',
    pay: 'Try again',
    steps: 1,
  },
  EXPIRED: {
    heading: 'The payment page has expired',
    text: 'No payment arrived in time. We kept your order: start a new payment when you like.',
    mood: 'bad',
    pay: 'Start a new payment',
    steps: 1,
  },
  CANCELLED: {
    heading: 'The payment was cancelled',
    text: 'Your order is not paid. Start a new payment if you still want it.',
    mood: 'bad',
    pay: 'Start a new payment',
    steps: 1,
  },
};

const STEPS = ['Ordered', 'Paid', 'Released'] as const;

/** The reload interval without script; slower than the script, because it loads the page. */
const RELOAD_SECONDS = 10;

export interface OrderPageOptions {
  readonly order: Order;
  /** False when the payment service did not answer; the order is then the last known one. */
  readonly isCurrent: boolean;
  readonly notifications: readonly Notification[];
  readonly basketCount: number;
}

export function orderPage(options: OrderPageOptions): ShopPage {
  const { order, isCurrent, notifications, basketCount } = options;
  const state = orderStateOf(order);
  const { heading, text, mood, pay, steps } = TEXTS[state];
  const over = isOver(state);
  return {
    title: `Order ${order.number}: ${heading}`,
    basketCount,
    hasPayment: true,
    data: {
      order: `/orders/${order.id}`,
      state,
      over: over ? 'yes' : 'no',
      payable: isPayable(state) ? 'yes' : 'no',
    },
    reloadSeconds: over ? undefined : RELOAD_SECONDS,
    body: html`<div class="split"><div>
<section class="card order-state ${mood}"><p class="kind">Order ${order.number}</p>
<h1>${heading}</h1>
${reasonOf(order, state)}<p>${text}</p>
${!isCurrent && NOT_CURRENT}
${pay && isPayable(state) && payForm(order, pay)}
${stepList(steps)}
</section>
${behindTheCounter(order, state, notifications)}</div>
${goods(order)}</div>`,
  };
}

const NOT_CURRENT = html`<p class="note">The payment service does not answer just now, so this is
what we knew last. Nothing is lost.</p>`;

function reasonOf({ payment }: Order, state: OrderState): Html | false {
  return (
    (state === 'FAILED' && payment?.statusMessage && html`<p>${payment.statusMessage}</p>`) || false
  );
}

function payForm({ id, totalCents }: Order, label: string): Html {
  // Without script the payment page opens in another tab, and this page reloads itself.
  return html`<form method="post" action="/orders/${id}/payment" target="payment-request" data-pay>
<p class="actions"><button>${label}: ${money(totalCents)}</button></p></form>`;
}

function stepList(done: number): Html {
  const items = STEPS.map((step, index) => {
    const progress = index < done ? 'done' : 'to do';
    return html`<li class="${index < done ? 'done' : 'open'}">${step}<span class="unseen">:
${progress}</span></li>`;
  });
  return html`<ol class="steps">${items}</ol>`;
}

function goods({ lines, totalCents, name, email, mobileNumber, payment, releasedAt }: Order): Html {
  const receipt = releasedAt !== null && payment?.networkReference;
  return html`<section class="card" aria-labelledby="goods"><h2 id="goods">What you ordered</h2>
<dl class="sum">${lines.map(
    (line) =>
      html`<div><dt>${line.quantity} × ${line.name}</dt><dd>${money(line.lineCents)}</dd></div>`,
  )}
<div class="total"><dt>Sum</dt><dd>${money(totalCents)}</dd></div></dl>
<p>For ${name}, ${email ?? mobileNumber}</p>
${receipt && html`<p>Paid with ${payment?.institution}, reference <code>${receipt}</code></p>`}
</section>`;
}

const OUTCOMES: Readonly<Record<NotificationOutcome, string>> = {
  RELEASED: 'order released',
  NOTED: 'noted, nothing released',
  PAID_AGAIN: 'paid a second time: a person gives the money back',
  AMOUNT_DIFFERS: 'another amount than the order’s: a person looks into it',
  UNKNOWN: 'not about an order of ours',
};

/** For developers: the shop's data and their sources. */
function behindTheCounter(
  { payment, releasedAt }: Order,
  state: OrderState,
  notifications: readonly Notification[],
): Html {
  return html`<details class="card"><summary>Behind the counter</summary>
<dl><div><dt>Status, as read from the service</dt>
<dd>${payment ? html`<code>${payment.status}</code>` : 'no payment request yet'}</dd></div>
<div><dt>Released by a webhook</dt><dd>${releasedAt ?? 'not yet'}</dd></div>
<div><dt>Order state</dt><dd><code>${state}</code></dd></div></dl>
<h2>Webhooks</h2>
${notifications.length === 0 && html`<p>None so far.</p>`}
<ul>${notifications.map(
    ({ eventType, status, outcome, firstReceivedAt, timesReceived }) =>
      html`<li><code>${eventType}</code> with status <code>${status}</code>, ${firstReceivedAt}:
${OUTCOMES[outcome]}${timesReceived > 1 && repeats(timesReceived)}</li>`,
  )}</ul></details>`;
}

function repeats(timesReceived: number): Html {
  return html`; came ${timesReceived} times, repeats ignored`;
}
