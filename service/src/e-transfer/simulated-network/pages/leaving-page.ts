import { html } from 'ghtml';
import type { Page } from '#http/pages/page.ts';
import type { Institution } from '../institutions.ts';
import { type GatewayPageOptions, gatewayPage, valuesOf } from './gateway-pages.ts';
import { gatewayTexts } from './gateway-texts.ts';

/**
 * Says where the payer goes, and for which payment. The page waits for the payer: a page that moves
 * on by itself cuts off slow readers (WCAG 2.2.1).
 */
export function leavingPage(options: GatewayPageOptions, institution: Institution): Page {
  const { language, path } = options;
  const { text } = gatewayTexts[language];
  const name = { institution: institution.name };
  const title = text('leaving.title', name);
  return gatewayPage(options, title, {
    body: html`<h1>${title}</h1>
<p class="lead">${text('leaving.lead', valuesOf(options))}</p>
<p>${text('leaving.safe')}</p>
<p class="actions">
<a class="button" href="${path}/${institution.id}/sign-in">${text('leaving.continue', name)}</a>
<a class="button bare" href="${path}/choose">${text('leaving.back')}</a></p>`,
  });
}
