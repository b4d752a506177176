import { html } from '../http/html.ts';
import { type Language, LOCALES } from '../language.ts';
import { type Order, orderStateOf } from '../order.ts';
import { refundsPathOf } from '../refunds/refund.ts';
import { fill, TEXTS } from '../texts.ts';
import { headed, money, type ShopPage, type Shown } from './shop-page.ts';

/**
 * For the staff: the latest orders, each with the way to its refunds.
 *
 * @param options `search`: what the staff looked for; '' for nothing
 */
export function staffPage(
  shown: Shown,
  orders: readonly Order[],
  { search, hasInbox }: { readonly search: string; readonly hasInbox: boolean },
): ShopPage {
  const { language } = shown;
  const time = new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const t = TEXTS[language].staff;
  const { name, refundedOf } = TEXTS[language].order;
  return {
    title: t.title,
    path: '/staff',
    body: html`<div class="card narrow">${headed(t.title)}
<form class="find" method="get" action="/staff" role="search"><label for="q">${t.search}</label>
<div><input type="text" id="q" name="q" value="${search}" maxlength="100">
<button class="second">${t.find}</button></div></form>
${orders.length === 0 && html`<p>${search === '' ? t.none : t.nothing}</p>`}
${search !== '' && html`<p><a href="/staff">${t.all}</a></p>`}
<ul class="orders">${orders.map((order) => {
      const { id, number, totalCents, refundedCents, paidCents, placedAt } = order;
      const contact = order.email ?? order.mobileNumber;
      const sums = { refunded: money(refundedCents, shown), paid: money(paidCents, shown) };
      return html`<li><a href="${refundsPathOf(id)}">${fill(name, { number })}</a>
<span>${money(totalCents, shown)}</span>
<span class="kind">${order.name}${contact !== null && html`, ${contact}`}</span>
<span class="kind"><time datetime="${placedAt}">${time.format(new Date(placedAt))} UTC</time>.
${t.states[stateOf(order)]}${
  refundedCents > 0 && html`. ${t.refunded} ${fill(refundedOf, sums)}`
}</span></li>`;
    })}</ul>
${hasInbox && html`<p><a href="/staff/inbox">${t.toTheInbox}</a></p>`}</div>`,
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
