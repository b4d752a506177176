import { html } from 'ghtml';
import { timeLeft } from '#http/pages/bill.ts';
import type { Page } from '#http/pages/page.ts';
import type { Institution } from '../institutions.ts';
import { TEST_ACCOUNT } from '../test-users.ts';
import {
  askedBill,
  form,
  type GatewayPageOptions,
  gatewayPage,
  orderFacts,
  valuesOf,
} from './gateway-pages.ts';
import { gatewayTexts } from './gateway-style.ts';

export interface ConfirmPageOptions extends GatewayPageOptions {
  readonly institution: Institution;
  readonly username: string;
}

/** Pay or decline, with everything that a payer must know before (journey §1). */
export function confirmPage(options: ConfirmPageOptions): Page {
  const { payment, language, institution, username, token, path } = options;
  const { text, rich } = gatewayTexts[language];
  const account = text('confirm.account', { institution: institution.name, digits: TEST_ACCOUNT });
  const facts = [[text('confirm.from'), account] as const, ...orderFacts(options)];
  const title = text('confirm.title');
  const values = valuesOf(options);
  return gatewayPage(options, title, {
    institution,
    scripts: ['shown-times'],
    // The bar of the answers is in sight beside everything that stands in its parent.
    body: form(
      token,
      html`<div class="columns decide"><div><h1>${title}</h1>
<p class="lead">!${rich('confirm.lead', { username })}
<a href="${path}/choose">${text('confirm.other')}</a></p></div>
!${askedBill(options, facts)}<div class="note">!${timeLeft(language, payment.expiresInMs)}
<p class="small">${text('confirm.note', values)}</p></div><p class="actions go">
<button class="button" name="decision" value="confirm">${text('confirm.pay', values)}</button>
<button class="button quiet" name="decision" value="decline">${text('confirm.decline')}</button>
</p><p class="beside"><a href="${path}/choose">${text('confirm.back')}</a></p></div>`,
    ),
  });
}
