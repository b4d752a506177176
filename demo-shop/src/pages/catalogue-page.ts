import { CATALOGUE, type Product } from '../catalogue.ts';
import { type Html, html } from '../http/html.ts';
import type { Language } from '../language.ts';
import { fill, TEXTS } from '../texts.ts';
import { picture } from './picture.ts';
import { money, type ShopPage, type Shown } from './shop-page.ts';

/** @param added the product that the customer has just added */
export function cataloguePage(shown: Shown, added?: Product): ShopPage {
  const { language } = shown;
  const t = TEXTS[language].catalogue;
  return {
    title: t.title,
    path: '/',
    body: html`${added && addedNote(added, language)}
<div class="welcome"><h1>${t.title}</h1>
<p>${t.welcome}</p>
</div>
<ul class="wares">${CATALOGUE.map((product) => productCard(product, shown))}</ul>`,
  };
}

function productCard(product: Product, shown: Shown): Html {
  const { language } = shown;
  const { sku, priceCents, picture: drawing } = product;
  const { catalogue: t, products } = TEXTS[language];
  const { name, kind, description } = products[sku];
  const toTheBasket = fill(t.toTheBasket, { name });
  return html`<li class="card ware">${picture(drawing)}
<div class="text"><h2>${name}</h2><p class="kind">${kind}</p>
<p>${description}</p></div>
<form method="post" action="/basket/add"><p class="price">${money(priceCents, shown)}</p>
<input type="hidden" name="sku" value="${sku}">
<button class="second">${t.add}<span class="unseen"> ${toTheBasket}</span></button></form>
</li>`;
}

function addedNote({ sku }: Product, language: Language): Html {
  const { catalogue: t, products } = TEXTS[language];
  return html`<div class="note" role="status"><p>${fill(t.added, products[sku])}</p>
<p><a href="/basket">${t.goToBasket}</a></p></div>`;
}
