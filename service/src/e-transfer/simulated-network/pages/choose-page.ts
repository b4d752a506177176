import { html } from 'ghtml';
import { timeLeft } from '#http/pages/bill.ts';
import type { Page } from '#http/pages/page.ts';
import { statusIcon } from '#http/pages/status-icons.ts';
import type { StepElsewhere } from '../gateway-session-store.ts';
import { findInstitution, INSTITUTIONS_IN_ORDER, type Institution } from '../institutions.ts';
import {
  askedBill,
  askedTitle,
  errorLine,
  type GatewayPageOptions,
  gatewayPage,
  valuesOf,
} from './gateway-pages.ts';
import { gatewayTexts, institutionMark } from './gateway-style.ts';

export interface ChoosePageOptions extends GatewayPageOptions {
  /** The id of the institution that was chosen before. */
  readonly chosen: string | null;
  /** The institution that this browser used at last. */
  readonly last: Institution | undefined;
  /** Why the last choice was none: nothing chosen, or an institution that is down, by its id. */
  readonly fault: { readonly institution: string | null } | null;
  /** How far another browser is; null: none has chosen an institution. */
  readonly elsewhere: StepElsewhere | null;
}

/** The form's id; the switch of the language lies outside of the form. */
const FORM = 'choose';

/** Which institution? Choosing is one thing and sending another (journey §1). */
export function choosePage(options: ChoosePageOptions): Page {
  const { payment, language, fault, elsewhere } = options;
  const { text } = gatewayTexts[language];
  const values = valuesOf(options);
  // The list is folded where the payer has not begun with it.
  const isAside = elsewhere !== null && fault === null && options.chosen === null;
  const title = text(isAside ? 'elsewhere.title' : 'choose.title', values);
  // No name of the institution: it is the other payer's own matter (decision 0037).
  const lead = elsewhere && html`<p class="lead">${text(`elsewhere.${elsewhere}`, values)}</p>`;
  const there = html`<div class="there"><div>!${statusIcon('wait')}<h1>${title}</h1>
!${lead ?? ''}</div>!${askedBill(options)}</div><details class="here"><summary
>${text('elsewhere.here')}</summary>`;
  const back = html`<p class="way-out"><a href="${options.path}">${text('elsewhere.back')}</a></p>`;
  const down = findInstitution(fault?.institution);
  const message = down
    ? text('choose.unavailable', { institution: down.name })
    : fault && text('choose.missing');
  return gatewayPage(options, title, {
    scripts: ['institution-choice', 'shown-times'],
    hasError: message !== null,
    languageForm: { id: FORM, submit: submitButton(options, 'aside') },
    body: html`<div class="wide"><div>!${isAside ? there : ''}
!${askedTitle(options)}!${elsewhere ? html`<p>${text('elsewhere.also')}</p>` : ''}
!${timeLeft(language, payment.expiresInMs)}
<form method="post" id="${FORM}"><fieldset !${message && 'aria-describedby="error"'}>
<legend>${text('choose.legend')}</legend>!${errorLine(message)}
!${searchBox(options)}<div data-search>!${parts(options).join('\n')}</div></fieldset></form>
<p class="actions go">!${submitButton(options, 'button')}</p>!${isAside ? `${back}</details>` : ''}
<div class="ends">!${
      // Narrow pages have the code folded, and phones have none.
      elsewhere ? '' : phoneCode(options, 'handoff', text('phone.other'))
    }!${wayOut(options)}</div></div>
!${elsewhere ? '' : phoneCode(options, 'phone', text('phone.title'))}</div>`,
  });
}

/**
 * The button holds the form's token. The switch of the language submits the same form by GET, and
 * an address must not hold the token. The first button of the document is that of the Enter key: it
 * stands before the switch of the language, out of sight. The visible one lies outside of the form,
 * so that the whole column holds it in sight.
 */
function submitButton({ language, token }: ChoosePageOptions, look: 'button' | 'aside'): string {
  const { text } = gatewayTexts[language];
  const label = text('choose.continue');
  return look === 'aside'
    ? html`<button class="unseen" form="${FORM}" name="token" value="${token}" tabindex="-1"
 aria-hidden="true">${label}</button>`
    : html`<button class="button" form="${FORM}" name="token" value="${token}"
><span class="unchosen">${text('choose.first')}</span><span class="chosen"
 data-to="${text('choose.continueTo')}">${label}</span></button>`;
}

/** The merchant's own page, as the merchant wrote its address; the status stays as it is. */
function wayOut({ language, payment }: ChoosePageOptions): string {
  const { merchantReturnUrl: url } = payment;
  if (url === null) return '';
  const label = gatewayTexts[language].text('choose.leave');
  return html`<p class="way-out"><a href="${url}" rel="noreferrer">${label}</a></p>`;
}

/** A script shows it: without script there is nothing to search with. */
function searchBox(options: ChoosePageOptions): string {
  const { text } = gatewayTexts[options.language];
  const label = text('choose.search');
  return html`<template><p class="field"><label class="unseen" for="search">${label}</label>
<input id="search" type="search" autocomplete="off" placeholder="${label}"></p>
<p id="found" class="small" role="status" data-text="${text('choose.found')}"
 data-none="${text('choose.none', valuesOf(options))}"></p></template>`;
}

/** The code that a phone goes on with, folded or beside; the page follows. */
function phoneCode(
  { language, payment }: ChoosePageOptions,
  kind: 'handoff' | 'phone',
  title: string,
): string {
  const { text } = gatewayTexts[language];
  const code = html`<p>${text('phone.text')}</p>
<img src="${payment.qrCodeLink}" alt="${text('phone.alt')}" width="224" height="224"
 loading="lazy">`;
  return kind === 'handoff'
    ? html`<details class="handoff"><summary>${title}</summary>!${code}</details>`
    : html`<aside class="phone" aria-label="${title}"><h2>${title}</h2>!${code}</aside>`;
}

/** The institutions under their headings; each stands under the first that fits. */
function parts(options: ChoosePageOptions): readonly string[] {
  const { text } = gatewayTexts[options.language];
  const parts = Map.groupBy(INSTITUTIONS_IN_ORDER, ({ id, isPopular }) =>
    id === options.last?.id ? 'last' : isPopular ? 'popular' : 'others',
  );
  return (['last', 'popular', 'others'] as const).map((name) => {
    const choices = parts.get(name)?.map((institution) => choice(options, institution));
    if (!choices) return '';
    return html`<div class="part" data-part><h2>${text(`choose.${name}`)}</h2>
<div class="choices">!${choices.join('\n')}</div></div>`;
  });
}

function choice({ language, chosen }: ChoosePageOptions, institution: Institution): string {
  const { id, name, isDownForMaintenance } = institution;
  const state = isDownForMaintenance ? 'disabled' : chosen === id ? 'checked' : '';
  const note = isDownForMaintenance
    ? html`<small>${gatewayTexts[language].text('choose.down')}</small>`
    : '';
  return html`<label class="choice"><input type="radio" name="institution" value="${id}" !${state}>
!${institutionMark(institution)}<span><span data-name>${name}</span>!${note}</span></label>`;
}
