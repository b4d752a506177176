import { html } from 'ghtml';
import type { Page } from '#http/pages/page.ts';
import type { Institution } from '../institutions.ts';
import { type GatewayPageOptions, gatewayPage, gatewayTexts } from './gateway-pages.ts';

/** Says where the payer is going; with script it goes there by itself after a moment. */
export function leavingPage(options: GatewayPageOptions, institution: Institution): Page {
  const { language, path } = options;
  const { text } = gatewayTexts[language];
  const values = { institution: institution.name };
  const title = text('leaving.title', values);
  return gatewayPage(options, title, {
    scripts: ['follow-link'],
    body: html`<h1>${title}</h1>
<p class="lead">${text('leaving.lead')}</p>
<p class="actions">
<a class="button" data-follow href="${path}/${institution.id}/sign-in"
>${text('leaving.continue', values)}</a>
<a class="button quiet" href="${path}/choose">${text('leaving.back')}</a></p>`,
  });
}
