import { centsToAmount } from '@payment-requests/sdk';
import { type Html, type HtmlValue, html, markupOf } from '../http/html.ts';
import type { ShopAnswer } from '../http/shop-request.ts';

export interface ShopPage {
  readonly title: string;
  readonly body: Html;
  /** The number of items in the basket. */
  readonly basketCount: number;
  /** Data attributes of `<main>` for the browser's script. */
  readonly data?: Readonly<Record<string, string>>;
  /** Loads the script of the payment window. */
  readonly hasPayment?: boolean;
  /** The reload interval of this page without script. */
  readonly reloadSeconds?: number | undefined;
}

const MONEY = new Intl.NumberFormat('en-CA', { style: 'currency', currency: 'CAD' });

/** Formats cents for customers: $25.50. */
export function money(cents: number): string {
  return MONEY.format(Number(centsToAmount(cents)));
}

export interface PageLinks {
  /** The URL of checkout.js. */
  readonly checkoutScriptUrl: string;
  /** The sandbox's documentation, for developers. */
  readonly sandboxDocsUrl: string;
}

export type AnswerPage = ReturnType<typeof createPageAnswers>;

/** Makes the function that turns a page into an answer. */
export function createPageAnswers({ checkoutScriptUrl, sandboxDocsUrl }: PageLinks) {
  const payment = html`<link rel="modulepreload" href="/shop.js">
<link rel="modulepreload" href="${checkoutScriptUrl}" crossorigin>
<script type="module" src="/shop.js" data-checkout="${checkoutScriptUrl}"></script>`;
  const footer = footerOf(sandboxDocsUrl);

  return (page: ShopPage, status = 200, headers: ShopAnswer['headers'] = {}): ShopAnswer => {
    const { title, body, basketCount, data = {}, hasPayment = false, reloadSeconds } = page;
    const members = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`);
    const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Demo Shop</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/shop.css">
${hasPayment && payment}
${reloadSeconds && reload(reloadSeconds)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<aside class="demo" aria-label="Notice">A demonstration: no real money moves, and nothing is
shipped.</aside>
<header class="bar"><div>
<a class="brand" href="/">${MARK}<span>Demo Shop</span></a>
<nav aria-label="Shop"><a href="/">Shop</a>
<a class="basket" href="/basket">Basket${basketCount > 0 && countBadge(basketCount)}</a></nav>
</div></header>
${hasPayment && PAYMENT_WINDOW}
<main id="content" tabindex="-1"${members}>
${body}
</main>
${footer}
</body>
</html>
`;
    const type = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    return { status, headers: { ...type, ...headers }, body: markupOf(document) };
  };
}

/** The script's messages about the payment window; hidden until a window opens. */
const PAYMENT_WINDOW = html`<section id="payment-window" aria-label="Payment window" hidden><div>
<p role="status"></p>
<p class="actions"><button type="button" class="quiet" data-do="reopen">Show the window</button>
<button type="button" class="quiet" data-do="check">Check again</button></p>
</div></section>
<p id="news" class="unseen" role="status"></p>`;

function reload(seconds: number): Html {
  return html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`;
}

function countBadge(count: number): Html {
  return html` <span class="count"><span class="unseen">, </span>${count}<span class="unseen">
 ${count === 1 ? 'item' : 'items'}</span></span>`;
}

function footerOf(sandboxDocsUrl: string): Html {
  return html`<footer><div>
<p><strong>For developers.</strong> This shop runs against the production environment, on a
simulated e-transfer network. To try calls and webhooks without a browser, use the
<a href="${sandboxDocsUrl}">sandbox</a>: a payment request whose <code>payer.name</code> is
<code>depositSubmit</code> is paid after ten seconds, and <code>npm run listener</code> prints its
webhook.</p>
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
