import { html } from '../http/html.ts';
import type { Language } from '../language.ts';
import { type Order, orderStateOf } from '../order.ts';
import { refundsPathOf } from '../refunds/refund.ts';
import { fill, TEXTS } from '../texts.ts';
import { headed, money, type ShopPage, type Shown } from './shop-page.ts';

/** For the staff: the latest orders, each with the way to its refunds. */
export function staffPage(shown: Shown, orders: readonly Order[]): ShopPage {
  const { language } = shown;
  const t = TEXTS[language].staff;
  const { name, refundedOf } = TEXTS[language].order;
  return {
    title: t.title,
    path: '/staff',
    body: html`<div class="card narrow">${headed(t.title)}
${orders.length === 0 && html`<p>${t.none}</p>`}
<ul class="orders">${orders.map((order) => {
      const { id, number, totalCents, refundedCents, paidCents } = order;
      const sums = { refunded: money(refundedCents, shown), paid: money(paidCents, shown) };
      return html`<li><a href="${refundsPathOf(id)}">${fill(name, { number })}</a>
<span>${money(totalCents, shown)}</span> <span class="kind">${t.states[stateOf(order)]}${
        refundedCents > 0 && html`. ${t.refunded} ${fill(refundedOf, sums)}`
      }</span></li>`;
    })}</ul></div>`,
  };
}

/** Answers a browser that did not open the staff's link. */
export function staffOnlyPage(language: Language): ShopPage {
  const { onlyTitle: title, onlyText } = TEXTS[language].staff;
  const { toTheShop } = TEXTS[language].messages;
  return {
    title,
    path: '/staff',
    body: html`<div class="card narrow">${headed(title)}<p>${onlyText}</p>
<p class="actions"><a class="button" href="/">${toTheShop}</a></p></div>`,
  };
}

function stateOf(order: Order): 'returned' | 'paid' | 'unpaid' {
  if (orderStateOf(order) === 'MONEY_RETURNED') return 'returned';
  return order.paidCents > 0 ? 'paid' : 'unpaid';
}
