import { html } from 'ghtml';
import { postForm } from '#console/components/form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { readEndpointHealth } from '#webhooks/inspection/read-endpoint-health.ts';
import type { WebhookPagesDeps } from '../deps.ts';
import { merchantHref, merchantPath } from '../paths.ts';
import { ENDPOINT_ACT_TEXTS } from './act-texts.ts';

/** Says what a deletion ends, and asks for it. */
export async function showDeletion({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text, rich } = ENDPOINT_ACT_TEXTS[visit.language];
  const { endpoint, health } = await readEndpointHealth(
    db,
    visit.merchantId,
    visit.params.id ?? '',
  );
  const url = { html: html`<code>${endpoint.url}</code>` };
  const owed = text('deleteOwed', { count: health.pending });
  const body = html`<p class="actions"><button class="button danger">${text('deleteGo')}</button>
<a class="button quiet" href="${merchantHref(visit, 'endpoints', endpoint.id)}"
>${text('cancel')}</a></p>`;
  return {
    title: text('deleteTitle'),
    section: 'endpoints',
    body: html`<h1>${text('deleteTitle')}</h1><p>!${rich('deleteLead', { url })}</p>
!${health.pending > 0 ? html`<p class="notice bad">${owed}</p>` : ''}<p>${text('deleteKept')}</p>
!${postForm(visit, { action: merchantPath(visit, 'endpoints', endpoint.id, 'delete'), body })}`,
  };
}
