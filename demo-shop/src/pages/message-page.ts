import { html } from '../http/html.ts';
import { headed, type ShopPage } from './shop-page.ts';

/** A page that reports a problem and links to the next step. */
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

export function notFoundPage(basketCount: number): ShopPage {
  return messagePage(
    {
      title: 'There is nothing here',
      text: 'The address may be mistyped, or the page no longer exists.',
      href: '/',
      label: 'Go to the shop',
    },
    basketCount,
  );
}
