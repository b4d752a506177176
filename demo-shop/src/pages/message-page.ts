import { html } from '../http/html.ts';
import { headed, type ShopPage } from './shop-page.ts';

/** Something that went another way than the customer wanted, and where to go from here. */
export function messagePage(
  { title, text, href, label }: Record<'title' | 'text' | 'href' | 'label', string>,
  basketCount: number,
): ShopPage {
  return {
    title,
    basketCount,
    body: html`<div class="card narrow">${headed(title)}<p>${text}</p>
<p class="actions"><a class="button" href="${href}">${label}</a></p></div>`,
  };
}
