import { CATALOGUE, type Product } from '../catalogue.ts';
import { type Html, html } from '../http/html.ts';
import { picture } from './picture.ts';
import { money, type ShopPage } from './shop-page.ts';

/** @param added the product that the customer has just added */
export function cataloguePage(basketCount: number, added?: Product): ShopPage {
  return {
    title: 'Coffee, and what it takes',
    basketCount,
    body: html`${added && addedNote(added)}
<div class="welcome"><h1>Coffee, and what it takes</h1>
<p>Roasted on Tuesdays in small batches. Pick up your order at our counter, any day from eight.</p>
</div>
<ul class="wares">${CATALOGUE.map(productCard)}</ul>`,
  };
}

function productCard({
  sku,
  name,
  kind,
  description,
  priceCents,
  picture: drawing,
}: Product): Html {
  return html`<li class="card ware">${picture(drawing)}
<div class="text"><h2>${name}</h2><p class="kind">${kind}</p><p>${description}</p></div>
<form method="post" action="/basket/add"><p class="price">${money(priceCents)}</p>
<input type="hidden" name="sku" value="${sku}">
<button class="second">Add<span class="unseen"> ${name} to the basket</span></button></form></li>`;
}

function addedNote({ name }: Product): Html {
  return html`<p class="note" role="status">${name} is in your basket.
<a href="/basket">Go to the basket</a></p>`;
}
