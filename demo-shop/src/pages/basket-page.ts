import { type BasketLine, linesOf, MOST_OF_ONE, totalCentsOf } from '../basket.ts';
import { type Html, html } from '../http/html.ts';
import type { KeptBasket } from '../kept-basket.ts';
import type { Language } from '../language.ts';
import { type Order, orderPathOf } from '../order.ts';
import { fill, TEXTS } from '../texts.ts';
import { picture } from './picture.ts';
import { headed, money, type ShopPage, type Shown } from './shop-page.ts';

export function basketPage(shown: Shown, { basket, unpaidOrder }: KeptBasket): ShopPage {
  const { language } = shown;
  const t = TEXTS[language].basket;
  const lines = linesOf(basket);
  const total = money(totalCentsOf(lines), shown);
  const empty = html`<div class="card narrow">${headed(t.empty)}<p>${t.emptyText}</p>
<p class="actions"><a class="button" href="/">${t.toTheShop}</a></p></div>`;
  const full = html`${headed(t.title)}
<div class="split"><ul class="lines card">${lines.map((line) => basketLine(line, shown))}</ul>
<section class="card" aria-labelledby="sum"><h2 id="sum">${t.sum}</h2>
<dl class="sum"><div><dt>${t.goods}</dt><dd>${total}</dd></div>
<div><dt>${t.pickup}</dt><dd>${t.free}</dd></div>
<div class="total"><dt>${t.toPay}</dt><dd>${total}</dd></div></dl>
<p class="actions"><a class="button wide" href="/checkout">${t.checkOut}</a></p></section></div>`;
  return {
    title: t.title,
    path: '/basket',
    script: 'basket',
    body: html`${unpaidOrder && unpaidNote(unpaidOrder, language)}
${lines.length === 0 ? empty : full}`,
  };
}

function unpaidNote({ id, number }: Order, language: Language): Html {
  const t = TEXTS[language].basket;
  return html`<div class="note waiting"><p>${fill(t.unpaid, { number })}</p>
<p><a href="${orderPathOf(id)}">${fill(t.toTheOrder, { number })}</a></p></div>`;
}

/** With script, a change of the quantity is sent at once and the button is hidden. */
function basketLine({ product, quantity, lineCents }: BasketLine, shown: Shown): Html {
  const { language } = shown;
  const { sku, picture: drawing } = product;
  const { basket: t, products } = TEXTS[language];
  const { name, kind } = products[sku];
  const quantityOf = fill(t.theQuantityOf, { name });
  const field = `quantity-${sku}`;
  const options = Array.from({ length: MOST_OF_ONE + 1 }, (_, count) => {
    const label = count === 0 ? t.takeOut : String(count);
    return html`<option value="${count}"${count === quantity && html` selected`}>${label}</option>`;
  });
  return html`<li>${picture(drawing)}<div><h2>${name}</h2><p class="kind">${kind}</p>
<form method="post" action="/basket/change" class="quantity" data-quantity>
<input type="hidden" name="sku" value="${sku}">
<label for="${field}"><span class="unseen">${name}: </span>${t.quantity}</label>
<select id="${field}" name="quantity" autocomplete="off">${options}</select>
<button class="quiet">${t.change}<span class="unseen"> ${quantityOf}</span></button>
</form></div>
<p class="price">${money(lineCents, shown)}</p></li>`;
}
