import { type Basket, linesOf, totalCentsOf } from '../basket.ts';
import { type Html, html } from '../http/html.ts';
import type { Language } from '../language.ts';
import { type CheckoutFaults, type CheckoutFields, PATTERNS } from '../read-checkout.ts';
import { fill, TEXTS } from '../texts.ts';
import { headed, money, type ShopPage, type Shown } from './shop-page.ts';

export interface Checkout {
  readonly basket: Basket;
  readonly fields: CheckoutFields;
  readonly faults: CheckoutFaults;
  /** Identifies this page, so that a page that is sent twice places one order. */
  readonly token: string;
}

export function checkoutPage(shown: Shown, checkout: Checkout): ShopPage {
  const { language } = shown;
  const { basket, faults, token } = checkout;
  const t = TEXTS[language].checkout;
  const lines = linesOf(basket);
  const total = money(totalCentsOf(lines), shown);
  const isFaulty = Object.keys(faults).length > 0;
  const field = (name: keyof typeof PATTERNS, options: FieldOptions) =>
    textField(name, options, checkout, language);
  return {
    title: isFaulty ? t.faultyTitle : t.title,
    path: '/checkout',
    script: 'shop',
    body: html`${headed(t.title)}
${isFaulty && faultSummary(faults, language)}
<div class="split">
<form id="checkout" class="card" method="post" action="/orders" data-pay novalidate>
<section aria-labelledby="who"><h2 id="who">${t.who}</h2>
${field('name', { autocomplete: 'name', attributes: html` required` })}
${field('email', { autocomplete: 'email', type: 'email', attributes: CONTACT })}
${field('mobileNumber', {
  autocomplete: 'tel',
  type: 'tel',
  hint: t.mobileNumberHint,
  attributes: CONTACT,
})}</section>
${tenderChoice(checkout, language)}
<p class="actions"><button class="wide">${fill(t.placeOrder, { total })}</button></p>
<input type="hidden" name="token" value="${token}">
</form>
<section class="card" aria-labelledby="sum"><h2 id="sum">${t.yourOrder}</h2>
<dl class="sum">${lines.map(
      ({ product: { sku }, quantity, lineCents }) =>
        html`<div><dt>${quantity} × ${TEXTS[language].products[sku].name}</dt>
<dd>${money(lineCents, shown)}</dd></div>`,
    )}
<div class="total"><dt>${TEXTS[language].basket.toPay}</dt><dd>${total}</dd></div></dl>
<p><a href="/basket">${t.changeBasket}</a></p></section></div>`,
  };
}

interface FieldOptions {
  readonly autocomplete: string;
  readonly type?: string;
  readonly hint?: string;
  readonly attributes: Html;
}

/** The script asks for one of these fields. */
const CONTACT = html` data-contact`;

function textField(
  name: keyof typeof PATTERNS,
  { autocomplete, type = 'text', hint, attributes }: FieldOptions,
  { fields, faults }: Checkout,
  language: Language,
): Html {
  const fault = faults[name];
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${name}">${TEXTS[language].checkout[name]}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault && faultText(name, fault, language)}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"
 pattern="${PATTERNS[name]}"${attributes} value="${fields[name]}"${
   fault && html` aria-invalid="true"`
 }${described && html` aria-describedby="${described}"`}></div>`;
}

function tenderChoice({ fields, faults }: Checkout, language: Language): Html {
  const t = TEXTS[language].checkout;
  const fault = faults.tender;
  return html`<fieldset${fault && html` aria-describedby="tender-fault"`}>
<legend>${t.tender}</legend>
${fault && faultText('tender', fault, language)}
${tenderOption('E_TRANSFER', fields.tender, { title: t.eTransfer, text: t.eTransferText })}
${tenderOption('PAY_LATER', fields.tender, { title: t.payLater, text: t.payLaterText })}
${tenderOption('AT_PICKUP', fields.tender, { title: t.atPickup, text: t.atPickupText })}
</fieldset>`;
}

function tenderOption(
  value: string,
  chosen: string,
  { title, text }: { readonly title: string; readonly text: string },
): Html {
  const id = `tender-${value}`;
  return html`<div class="choice"><input type="radio" id="${id}" name="tender" value="${value}"
 aria-describedby="${id}-text"${value === chosen && html` checked`}>
<label for="${id}">${title}</label><p class="hint" id="${id}-text">${text}</p></div>`;
}

type FaultName = NonNullable<CheckoutFaults[keyof CheckoutFaults]>;

function faultText(name: string, fault: FaultName, language: Language): Html {
  const { checkout, faults } = TEXTS[language];
  return html`<p class="fault" id="${name}-fault"><span class="unseen">${checkout.error}</span>
${faults[fault]}</p>`;
}

/** Gets the focus: a screen reader then reads it, and its links lead to the fields. */
function faultSummary(faults: CheckoutFaults, language: Language): Html {
  const { checkout, faults: texts } = TEXTS[language];
  const links = Object.entries(faults).map(([name, fault]) => {
    const target = name === 'tender' ? 'tender-E_TRANSFER' : name;
    return html`<li><a href="#${target}">${texts[fault]}</a></li>`;
  });
  return html`<div class="card faults" role="alert" tabindex="-1" autofocus>
<h2>${checkout.lookAgain}</h2>
<ul>${links}</ul></div>`;
}
