import { findProduct } from '../catalogue.ts';
import { type Html, html } from '../http/html.ts';
import type { Language } from '../language.ts';
import {
  isOver,
  isPayable,
  type Order,
  type OrderState,
  orderPathOf,
  orderStateOf,
} from '../order.ts';
import { fill, reasonText, TEXTS, type Texts } from '../texts.ts';
import { money, type ShopPage, type Shown } from './shop-page.ts';

interface StateLook {
  /** Colours the card. */
  readonly mood: 'waiting' | 'good' | 'bad';
  /** The label of the button to the payment page, if the state has a button. */
  readonly pay?: 'pay' | 'goToPayment' | 'tryAgain' | 'newPayment';
  /** The number of finished steps: ordered, paid, released. */
  readonly steps: 1 | 2 | 3;
}

/** The look of every order state; the type makes the table exhaustive. */
const LOOKS: Readonly<Record<OrderState, StateLook>> = {
  AT_PICKUP: { mood: 'waiting', steps: 1 },
  UNPAID: { mood: 'waiting', steps: 1, pay: 'pay' },
  AWAITING_PAYMENT: { mood: 'waiting', steps: 1, pay: 'goToPayment' },
  LINK_SENT: { mood: 'waiting', steps: 1, pay: 'goToPayment' },
  SETTLING: { mood: 'waiting', steps: 1 },
  PAID_NOT_CONFIRMED: { mood: 'good', steps: 2 },
  RELEASED: { mood: 'good', steps: 3 },
  MONEY_RETURNED: { mood: 'bad', steps: 1 },
  DECLINED: { mood: 'waiting', steps: 1, pay: 'newPayment' },
  FAILED: { mood: 'bad', steps: 1, pay: 'tryAgain' },
  EXPIRED: { mood: 'waiting', steps: 1, pay: 'newPayment' },
  CANCELLED: { mood: 'waiting', steps: 1, pay: 'newPayment' },
};

/** The reload interval without script; slower than the script, because it loads the page. */
const RELOAD_SECONDS = 10;

export interface OrderPageOptions {
  readonly order: Order;
  /** False when the payment service did not answer; the order is then the last known one. */
  readonly isCurrent: boolean;
  /** Whether this browser placed the order; only its customer reads the name and the address. */
  readonly isOwn: boolean;
}

export function orderPage(shown: Shown, options: OrderPageOptions): ShopPage {
  const { language } = shown;
  const { order, isCurrent, isOwn } = options;
  const { order: t, states } = TEXTS[language];
  const state = orderStateOf(order);
  const { heading, text } = states[state];
  const { mood, pay, steps } = LOOKS[state];
  const { number } = order;
  const name = fill(t.name, { number });
  const over = isOver(state);
  const path = orderPathOf(order.id);
  // Everybody with the payment link finds this page: a refusal of an account is for its customer.
  const reason =
    isOwn && isPayable(state) && reasonText(order.payment?.reasonCode ?? null, language);
  return {
    title: fill(t.title, { number, heading }),
    path,
    script: 'shop',
    orderDataPath: `${path}/webhooks`,
    data: {
      order: path,
      state,
      over: over ? 'yes' : 'no',
      payable: isPayable(state) ? 'yes' : 'no',
    },
    reloadSeconds: over ? undefined : RELOAD_SECONDS,
    body: html`<div class="split">
<section class="card order-state ${mood}"><p class="kind">${name}</p>
<h1>${heading}</h1>
${reason && html`<p>${reason}</p>`}<p>${text}</p>
${!isCurrent && html`<p class="note">${t.notCurrent}</p>`}
${pay && payForm(order, fill(t[pay], { total: money(order.totalCents, shown) }))}
${isOwn && isPayable(state) && toTheBasket(language)}
${stepList(steps, t)}
</section>
${goods(order, isOwn, shown)}</div>`,
  };
}

function payForm({ id }: Order, label: string): Html {
  return html`<form method="post" action="${orderPathOf(id)}/payment" data-pay>
<p class="actions"><button>${label}</button></p></form>`;
}

function toTheBasket(language: Language): Html {
  return html`<p><a href="/basket">${TEXTS[language].checkout.changeBasket}</a></p>`;
}

function stepList(finished: number, { steps, done, toDo }: Texts['order']): Html {
  const items = steps.map((step, index) => {
    const [look, progress] = index < finished ? ['done', done] : ['open', toDo];
    return html`<li class="${look}">${step}<span class="unseen">: ${progress}</span></li>`;
  });
  return html`<ol class="steps">${items}</ol>`;
}

function goods(order: Order, isOwn: boolean, shown: Shown): Html {
  const { language } = shown;
  const { lines, totalCents, payment, releasedAt, refundedCents } = order;
  const t = TEXTS[language].order;
  const institution = releasedAt !== null && isOwn && payment?.institution;
  const customer = fill(t.customer, { name: order.name });
  const receipt = institution && fill(t.receipt, { institution });
  return html`<section class="card" aria-labelledby="goods"><h2 id="goods">${t.goods}</h2>
<dl class="sum">${lines.map(
    ({ sku, name, quantity, lineCents }) =>
      html`<div><dt>${quantity} × ${nameOf(sku, language) ?? name}</dt>
<dd>${money(lineCents, shown)}</dd></div>`,
  )}
<div class="total"><dt>${t.sum}</dt><dd>${money(totalCents, shown)}</dd></div>
${refundedCents > 0 && refunded(order, shown)}</dl>
${isOwn && html`<p>${customer}<br>${order.email ?? order.mobileNumber}</p>`}
${receipt && html`<p>${receipt}<code>${payment?.networkReference}</code></p>`}
</section>`;
}

function refunded({ refundedCents, paidCents }: Order, shown: Shown): Html {
  const t = TEXTS[shown.language].order;
  const sums = { refunded: money(refundedCents, shown), paid: money(paidCents, shown) };
  return html`<div><dt>${t.refunded}</dt><dd>${fill(t.refundedOf, sums)}</dd></div>`;
}

/** Undefined for a product that the shop no longer has. */
function nameOf(sku: string, language: Language): string | undefined {
  const product = findProduct(sku);
  return product && TEXTS[language].products[product.sku].name;
}
