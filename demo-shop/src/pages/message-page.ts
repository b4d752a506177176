import { html } from '../http/html.ts';
import type { Language } from '../language.ts';
import { orderPathOf } from '../order.ts';
import { TEXTS } from '../texts.ts';
import { headed, type ShopPage } from './shop-page.ts';

export function notFoundPage(language: Language): ShopPage {
  const { notFound: title, notFoundText: text, toTheShop: label } = TEXTS[language].messages;
  return messagePage({ title, text, label, path: '/' });
}

/** The payment service does not answer. */
export function unavailablePage(language: Language, orderId: string): ShopPage {
  const { unavailable: title, unavailableText: text, toTheOrder } = TEXTS[language].messages;
  return messagePage({ title, text, label: toTheOrder, path: orderPathOf(orderId) });
}

/** A page that reports a problem and links to the next step. */
function messagePage(texts: Record<'title' | 'text' | 'label' | 'path', string>): ShopPage {
  const { title, text, label, path } = texts;
  return {
    title,
    path,
    body: html`<div class="card narrow">${headed(title)}<p>${text}</p>
<p class="actions"><a class="button" href="${path}">${label}</a></p></div>`,
  };
}
