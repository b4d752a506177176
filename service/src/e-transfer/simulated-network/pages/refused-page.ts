import { html } from 'ghtml';
import type { Page } from '#http/pages/page.ts';
import { statusIcon } from '#http/pages/status-icons.ts';
import { hasText } from '#http/pages/texts.ts';
import type { RefusalReason } from '../../refusal-reason.ts';
import type { Institution } from '../institutions.ts';
import {
  askedBill,
  form,
  type GatewayPageOptions,
  gatewayPage,
  valuesOf,
} from './gateway-pages.ts';
import { gatewayTexts } from './gateway-style.ts';

export interface RefusedPageOptions extends GatewayPageOptions {
  readonly institution: Institution;
  readonly reason: RefusalReason;
  /** Refusals that the payer may still correct after this one. */
  readonly triesLeft: number;
}

/** The payer may pay from another account before the merchant learns of it (decision 0036). */
export function refusedPage(options: RefusedPageOptions): Page {
  const { language, path, token, institution, reason, triesLeft } = options;
  const { text } = gatewayTexts[language];
  const values = { ...valuesOf(options), institution: institution.name, left: triesLeft };
  const title = text('refused.title', values);
  // A refusal that no payer can correct ends the payment at once, and has no words here.
  const words = `refused.${reason}`;
  return gatewayPage(options, title, {
    scripts: ['shown-times'],
    body: html`<div class="columns"><div>!${statusIcon('bad')}<h1>${title}</h1>
<p class="lead">${text('refused.lead')}
 ${hasText('payer.gateway', words) ? text(words, values) : ''}</p>
<p>${text('refused.next', values)}</p>
!${form(
      token,
      html`<p class="actions"><a class="button" href="${path}/choose"
>${text('refused.another')}</a>
<button class="button quiet" name="decision" value="again">${text('refused.again', values)}</button>
<button class="button bare" name="decision" value="stop">${text('refused.stop', values)}</button>
</p>`,
    )}</div>!${askedBill(options)}</div>`,
  });
}
