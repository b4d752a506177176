import { type Basket, countOf, linesOf, totalCentsOf } from '../basket.ts';
import { type Html, html } from '../http/html.ts';
import type { CheckoutFaults, CheckoutFields } from '../read-checkout.ts';
import { headed, money, type ShopPage } from './shop-page.ts';

const LABELS: Readonly<Record<keyof CheckoutFields, string>> = {
  name: 'Your name',
  email: 'E-mail address',
  mobileNumber: 'Mobile number',
  tender: 'How would you like to pay?',
};

export interface Checkout {
  readonly basket: Basket;
  readonly fields: CheckoutFields;
  readonly faults: CheckoutFaults;
  /** Identifies this page, so that a page that is sent twice places one order. */
  readonly token: string;
}

export function checkoutPage({ basket, fields, faults, token }: Checkout): ShopPage {
  const lines = linesOf(basket);
  const total = money(totalCentsOf(lines));
  const isFaulty = Object.keys(faults).length > 0;
  return {
    title: isFaulty ? 'Error: check out' : 'Check out',
    basketCount: countOf(basket),
    hasPayment: true,
    body: html`${headed('Check out')}
${isFaulty && faultSummary(faults)}
<div class="split">
<form id="checkout" class="card" method="post" action="/orders" data-pay novalidate>
<section aria-labelledby="who"><h2 id="who">Who is it for?</h2>
${textField('name', { fields, faults, autocomplete: 'name' })}
${textField('email', { fields, faults, autocomplete: 'email', type: 'email' })}
${textField('mobileNumber', {
  fields,
  faults,
  autocomplete: 'tel',
  type: 'tel',
  hint: 'Instead of an e-mail address, or besides.',
})}</section>
${tenderChoice(fields, faults)}
<p class="actions"><button class="wide">Place the order: ${total}</button></p>
<input type="hidden" name="token" value="${token}">
</form>
<section class="card" aria-labelledby="sum"><h2 id="sum">Your order</h2>
<dl class="sum">${lines.map(
      ({ product, quantity, lineCents }) =>
        html`<div><dt>${quantity} × ${product.name}</dt><dd>${money(lineCents)}</dd></div>`,
    )}
<div class="total"><dt>To pay</dt><dd>${total}</dd></div></dl>
<p><a href="/basket">Change the basket</a></p></section></div>`,
  };
}

interface FieldOptions {
  readonly fields: CheckoutFields;
  readonly faults: CheckoutFaults;
  readonly autocomplete: string;
  readonly type?: string;
  readonly hint?: string;
}

function textField(name: keyof CheckoutFields, options: FieldOptions): Html {
  const { fields, faults, autocomplete, type = 'text', hint } = options;
  const fault = faults[name];
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${name}">${LABELS[name]}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault && faultText(name, fault)}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"
 value="${fields[name]}"${fault && html` aria-invalid="true"`}${
   described && html` aria-describedby="${described}"`
 }></div>`;
}

function tenderChoice({ tender }: CheckoutFields, { tender: fault }: CheckoutFaults): Html {
  return html`<fieldset${fault && html` aria-describedby="tender-fault"`}>
<legend>${LABELS.tender}</legend>
${fault && faultText('tender', fault)}
${tenderOption('E_TRANSFER', tender, {
  title: 'e-Transfer from your bank',
  text: 'A window opens, in which you choose your bank, sign in and confirm.',
})}
${tenderOption('AT_PICKUP', tender, {
  title: 'At the counter',
  text: 'We keep your order for a week. Pay when you pick it up.',
})}</fieldset>`;
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

function faultText(name: string, fault: string): Html {
  return html`<p class="fault" id="${name}-fault"><span class="unseen">Error: </span>${fault}</p>`;
}

function faultSummary(faults: CheckoutFaults): Html {
  const links = Object.entries(faults).map(([name, fault]) => {
    const target = name === 'tender' ? 'tender-E_TRANSFER' : name;
    return html`<li><a href="#${target}">${fault}</a></li>`;
  });
  return html`<div class="card faults" role="alert"><h2>Please look at this again</h2>
<ul>${links}</ul></div>`;
}
