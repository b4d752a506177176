import {
  type Basket,
  type BasketLine,
  countOf,
  linesOf,
  MOST_OF_ONE,
  totalCentsOf,
} from '../basket.ts';
import { type Html, html } from '../http/html.ts';
import { picture } from './picture.ts';
import { headed, money, type ShopPage } from './shop-page.ts';

export function basketPage(basket: Basket): ShopPage {
  const lines = linesOf(basket);
  const basketCount = countOf(basket);
  if (lines.length === 0) {
    return {
      title: 'Your basket',
      basketCount,
      body: html`<div class="card narrow">${headed('Your basket is empty')}
<p>Nothing in it yet. That is easily helped.</p>
<p class="actions"><a class="button" href="/">See what we have</a></p></div>`,
    };
  }
  return {
    title: 'Your basket',
    basketCount,
    body: html`${headed('Your basket')}
<div class="split"><ul class="lines card">${lines.map(basketLine)}</ul>
<section class="card" aria-labelledby="sum"><h2 id="sum">Sum</h2>
<dl class="sum"><div><dt>Goods</dt><dd>${money(totalCentsOf(lines))}</dd></div>
<div><dt>Pickup at the counter</dt><dd>Free</dd></div>
<div class="total"><dt>To pay</dt><dd>${money(totalCentsOf(lines))}</dd></div></dl>
<p class="actions"><a class="button wide" href="/checkout">Check out</a></p></section></div>`,
  };
}

function basketLine({ product, quantity, lineCents }: BasketLine): Html {
  const { sku, name, kind, picture: drawing } = product;
  const field = `quantity-${sku}`;
  const options = Array.from({ length: MOST_OF_ONE + 1 }, (_, count) => {
    const label = count === 0 ? '0 (take out)' : String(count);
    return html`<option value="${count}"${count === quantity && html` selected`}>${label}</option>`;
  });
  return html`<li>${picture(drawing)}<div><h2>${name}</h2><p class="kind">${kind}</p>
<form method="post" action="/basket/change" class="quantity">
<input type="hidden" name="sku" value="${sku}">
<label for="${field}"><span class="unseen">${name}: </span>Quantity</label>
<select id="${field}" name="quantity">${options}</select>
<button class="quiet">Change<span class="unseen"> the quantity of ${name}</span></button></form>
</div>
<p class="price">${money(lineCents)}</p></li>`;
}
