import { html } from 'ghtml';
import { button, formPage } from '#console/forms/render-form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { readEndpointHealth } from '#webhooks/inspection/read-endpoint-health.ts';
import type { WebhookPagesDeps } from '../deps.ts';
import { merchantHref } from '../paths.ts';
import { ENDPOINT_ACT_TEXTS } from './act-texts.ts';

/** Says what a deletion ends, and asks for it. */
export async function showDeletion({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text, rich } = ENDPOINT_ACT_TEXTS[visit.language];
  const { merchantId, params } = visit;
  const { endpoint, health } = await readEndpointHealth(db, merchantId, params.id ?? '');
  const url = { html: html`<code>${endpoint.url}</code>` };
  const owed = text('deleteOwed', { count: health.pending });
  return formPage(visit, {
    title: text('deleteTitle'),
    back: { href: merchantHref(visit, 'endpoints', endpoint.id), name: text('endpoint') },
    lead: html`<p>!${rich('deleteLead', { url })}</p>
!${health.pending > 0 ? html`<p class="notice bad">${owed}</p>` : ''}<p>${text('deleteKept')}</p>
`,
    items: [],
    buttons: button(text('deleteGo'), { kind: 'danger' }),
  });
}
