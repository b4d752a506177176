import { html } from 'ghtml';
import { type Page, WAITING_REFRESH_SECONDS } from '#http/pages/page.ts';
import { statusIcon } from '#http/pages/status-icons.ts';
import { askedBill, type GatewayPageOptions, gatewayPage, valuesOf } from './gateway-pages.ts';
import { gatewayTexts } from './gateway-style.ts';

export interface AskingPageOptions extends GatewayPageOptions {
  /** The institution that is asked; null in a browser that has not confirmed. */
  readonly institution: string | null;
}

/** A payer has confirmed, and the institution has not answered yet. */
export function askingPage(options: AskingPageOptions): Page {
  const { language, path, institution } = options;
  const { text, rich } = gatewayTexts[language];
  const values = { ...valuesOf(options), institution: institution ?? '' };
  const title = text(institution === null ? 'asking.otherTitle' : 'asking.title', values);
  return gatewayPage(options, title, {
    refreshSeconds: WAITING_REFRESH_SECONDS,
    scripts: ['shown-times'],
    body: html`<div class="columns"><div>!${statusIcon('wait')}<h1>${title}</h1>
<p class="lead">${text('asking.lead')}</p><p>!${rich('asking.next')}</p>
<p class="actions"><a class="button quiet" href="${path}">${text('asking.again')}</a></p></div>
!${askedBill(options)}</div>`,
  });
}
