import { html } from 'ghtml';
import type { Page } from '#http/pages/page.ts';
import { findInstitution, INSTITUTIONS_IN_ORDER, type Institution } from '../institutions.ts';
import {
  errorLine,
  form,
  type GatewayPageOptions,
  gatewayPage,
  gatewayTexts,
  valuesOf,
} from './gateway-pages.ts';
import { institutionMark } from './gateway-style.ts';

export interface ChoosePageOptions extends GatewayPageOptions {
  /** The id of the institution that was chosen before. */
  readonly chosen: string | null;
  /** Why the last choice was none: nothing chosen, or an institution that is down, by its id. */
  readonly fault: { readonly institution: string | null } | null;
}

/** Which institution? Choosing is one thing and sending another (journey §1). */
export function choosePage(options: ChoosePageOptions): Page {
  const { language, payment, token, fault } = options;
  const { text } = gatewayTexts[language];
  const values = valuesOf(options);
  const title = text('choose.title', values);
  const down = findInstitution(fault?.institution);
  const message = down
    ? text('choose.unavailable', { institution: down.name })
    : fault && text('choose.missing');
  const popular = INSTITUTIONS_IN_ORDER.filter(({ isPopular }) => isPopular);
  const others = INSTITUTIONS_IN_ORDER.filter(({ isPopular }) => !isPopular);
  return gatewayPage(options, title, {
    scripts: ['institution-search'],
    body: html`<div class="wide"><div><h1>${title}</h1>
!${form(
      token,
      html`<p class="lead" id="lead">${text('choose.lead')}</p>
!${errorLine('error', message)}
<fieldset aria-describedby="${message ? 'error' : 'lead'}"><legend>${text('choose.legend')}</legend>
<template><p class="field"><label for="search">${text('choose.search')}</label>
<input id="search" type="search" autocomplete="off"></p>
<p id="found" class="small" role="status" data-text="${text('choose.found')}"></p></template>
<div data-search>
!${part(options, text('choose.popular'), popular)}
!${part(options, text('choose.others'), others)}</div></fieldset>
<p class="actions"><button class="button">${text('choose.continue')}</button></p>`,
    )}</div>
<aside class="phone" aria-labelledby="phone"><h2 id="phone">${text('phone.title')}</h2>
<p>${text('phone.text')}</p>
<img src="${payment.qrCodeLink}" alt="${text('phone.alt')}" width="224" height="224" loading="lazy">
</aside></div>`,
  });
}

function part(
  options: ChoosePageOptions,
  heading: string,
  institutions: readonly Institution[],
): string {
  const choices = institutions.map((institution) => choice(options, institution));
  return html`<div class="part" data-part><h2>${heading}</h2>
<div class="choices">!${choices.join('\n')}</div></div>`;
}

function choice({ language, chosen }: ChoosePageOptions, institution: Institution): string {
  const { id, name, isDownForMaintenance } = institution;
  const state = isDownForMaintenance ? 'disabled' : chosen === id ? 'checked' : '';
  const note = isDownForMaintenance
    ? html`<small>${gatewayTexts[language].text('choose.down')}</small>`
    : '';
  return html`<label class="choice"><input type="radio" name="institution" value="${id}" !${state}>
!${institutionMark(institution)}<span>${name}!${note}</span></label>`;
}
