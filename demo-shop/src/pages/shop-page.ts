import { centsToAmount } from '@payment-requests/sdk';
import { type Html, type HtmlValue, html, markupOf } from '../http/html.ts';
import type { ShopAnswer, ShopRequest } from '../http/shop-request.ts';
import { LANGUAGES, type Language, LOCALES } from '../language.ts';
import { pluralOf, TEXTS } from '../texts.ts';

export interface ShopPage {
  readonly title: string;
  readonly body: Html;
  /** The path of the page in another language; a path of the request could be forged. */
  readonly path: string;
  /** Data attributes of `<main>` for the browser's script. */
  readonly data?: Readonly<Record<string, string>>;
  /** The script of the page: of the payment window, or of the basket. */
  readonly script?: 'shop' | 'basket';
  /** The reload interval of this page without script. */
  readonly reloadSeconds?: number | undefined;
  /** The page with an order's data for developers. */
  readonly orderDataPath?: string;
}

/** How a page shows texts and amounts. */
export interface Shown {
  readonly language: Language;
  /** ISO 4217: the currency of the shop's payment requests. */
  readonly currency: string;
}

/** Formats cents for customers: $25.50, or 25,50 $. */
export function money(cents: number, { language, currency }: Shown): string {
  const format = { style: 'currency', currency } as const;
  return new Intl.NumberFormat(LOCALES[language], format).format(Number(centsToAmount(cents)));
}

export interface PageLinks {
  /** The URL of checkout.js. */
  readonly checkoutScriptUrl: string;
  /** The sandbox's documentation, for developers. */
  readonly sandboxDocsUrl: string;
}

export type AnswerPage = ReturnType<typeof createPageAnswers>;

type AnswerParts = Partial<Pick<ShopAnswer, 'status' | 'headers' | 'cookies'>>;

/** Makes the function that turns a page into an answer. */
export function createPageAnswers(
  { checkoutScriptUrl, sandboxDocsUrl }: PageLinks,
  countGoods: (request: ShopRequest) => number,
) {
  const scripts = {
    shop: html`<link rel="modulepreload" href="/shop.js">
<link rel="modulepreload" href="${checkoutScriptUrl}" crossorigin>
<script type="module" src="/shop.js" data-checkout="${checkoutScriptUrl}"></script>`,
    basket: html`<script type="module" src="/basket.js"></script>`,
  };

  return (request: ShopRequest, page: ShopPage, parts: AnswerParts = {}): ShopAnswer => {
    const { language } = request;
    const { title, body, data = {}, script, reloadSeconds } = page;
    const { frame } = TEXTS[language];
    const members = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`);
    const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Demo Shop</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/shop.css">
${script && scripts[script]}
${reloadSeconds && reload(reloadSeconds)}
</head>
<body>
<a class="skip" href="#content">${frame.skip}</a>
<aside class="demo" aria-label="${frame.noticeLabel}">${frame.notice}</aside>
${header(page, language, countGoods(request))}
${script === 'shop' && paymentWindow(language)}
${script && html`<p id="news" class="unseen" role="status"></p>`}
<main id="content" tabindex="-1"${members}>
${body}
</main>
${footer(page, language, sandboxDocsUrl)}
</body>
</html>
`;
    const type = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    return {
      status: parts.status ?? 200,
      headers: { ...type, 'content-language': language, ...parts.headers },
      cookies: parts.cookies ?? [],
      body: markupOf(document),
    };
  };
}

function header({ path }: ShopPage, language: Language, count: number): Html {
  const { frame } = TEXTS[language];
  const badge = html` <span class="count"><span class="unseen">, </span>${count}<span
 class="unseen"> ${pluralOf(frame.items, count, language)}</span></span>`;
  const others = LANGUAGES.filter((each) => each !== language);
  return html`<header class="bar"><div>
<a class="brand" href="/">${MARK}<span>Demo Shop</span></a>
<nav aria-label="${frame.shop}"><a class="home" href="/">${frame.shop}</a>
<a href="/basket">${frame.basket}${count > 0 && badge}</a>
${others.map((other) => languageLink(path, other))}</nav>
</div></header>`;
}

function languageLink(path: string, language: Language): Html {
  const switched = html`<span class="long">${TEXTS[language].language}</span><span class="short"
 aria-hidden="true">${language.toUpperCase()}</span>`;
  return html`<a href="${path}?lang=${language}" hreflang="${language}" lang="${language}">${
    switched
  }</a>`;
}

/** The script's messages about the payment window, one for each state; hidden until it opens. */
function paymentWindow(language: Language): Html {
  const { frame, paymentWindow: texts } = TEXTS[language];
  const { show, reopen, check, ...states } = texts;
  const data = Object.entries(states).map(([state, text]) => html` data-${state}="${text}"`);
  return html`<section id="payment-window" aria-label="${frame.windowLabel}" hidden${data}><div>
<p role="status"></p>
<p class="actions"><button type="button" class="quiet" data-do="show">${show}</button>
<button type="button" class="quiet" data-do="reopen">${reopen}</button>
<button type="button" class="quiet" data-do="check">${check}</button></p>
</div></section>`;
}

function reload(seconds: number): Html {
  return html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`;
}

function footer({ orderDataPath }: ShopPage, language: Language, sandboxDocsUrl: string): Html {
  const { frame } = TEXTS[language];
  return html`<footer><div>
<p><strong>${frame.developers}</strong> ${frame.developersText}</p>
<ul>${orderDataPath && html`<li><a href="${orderDataPath}">${frame.orderData}</a></li>`}
<li><a href="${sandboxDocsUrl}">${frame.sandbox}</a></li></ul>
</div></footer>`;
}

/** A heading with other markup beside it. */
export function headed(heading: string, beside: HtmlValue = null): Html {
  return html`<div class="headed"><h1>${heading}</h1>${beside}</div>`;
}

const MARK = html`<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
<path d="M5 11h18v9a7 7 0 0 1-7 7h-4a7 7 0 0 1-7-7z" fill="currentColor"/>
<path d="M23 13.5c6-1.5 6 8.5-.5 7.5M10 7c-2-2 2-3 0-5m5 5c-2-2 2-3 0-5" fill="none"
 stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>`;
