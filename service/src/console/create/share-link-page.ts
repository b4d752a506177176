import { html } from 'ghtml';
import { facts } from '#console/components/facts.ts';
import { instant } from '#console/components/instant.ts';
import { money } from '#console/components/money.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { Database } from '#database/database.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { qrCodeSvg } from '#http/qr-codes/qr-code.ts';
import type { Clock } from '#lib/clock.ts';
import type { Environment } from '#lib/environment.ts';
import { findProfile } from '#merchants/profile/find-profile.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { isOpen } from '#payment-requests/model/statuses.ts';
import { type Email, emailFor, mailtoOf } from './email.ts';

const SHARE_LINK_TEXTS = pageTexts('console.create.share-link');

export interface ShareLinkDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly settings: PublicSettings;
}

/** The page that hands a payment request over: link, QR code, and the text of an e-mail. */
export function registerShareLinkPage(routes: ConsoleRoutes, deps: ShareLinkDeps): void {
  const { db, clock, settings } = deps;
  routes.page(
    '/m/:merchant/payment-requests/:id/share-link',
    'payment-requests.read',
    async (visit) => {
      const stored = await findOwnPaymentRequest(db, visit.merchantId, visit.params.id ?? '');
      const paymentRequest = paymentRequestAt(stored, clock.now());
      if (!isOpen(paymentRequest.status)) return closedPage(visit, paymentRequest);
      const link = `${settings.paymentLinkBase}/${paymentRequest.shortCode}`;
      const { displayName } = await findProfile(db, visit.merchantId);
      const email = emailFor(paymentRequest, {
        link,
        merchantName: displayName ?? paymentRequest.merchant.name,
        language: visit.language,
        currency: visit.currency,
        timeZone: visit.merchant?.timeZone ?? visit.bookZone,
        isTest: deps.environment === 'sandbox',
      });
      return openPage(visit, paymentRequest, link, email);
    },
  );
}

function openPage(visit: Visit, p: PaymentRequest, link: string, email: Email): ConsolePage {
  const { text } = SHARE_LINK_TEXTS[visit.language];
  const isNew = visit.query.get('done') === 'created';
  const known = facts([
    [text('amount'), money(visit, p.amountCents)],
    [text('payer'), html`${p.payer.name}`],
    [text('expires'), instant(visit, p.expiresAt)],
  ]);
  const another = visit.can('payment-requests.create')
    ? html`<a href="${newAddress(visit)}">${text('another')}</a>`
    : '';
  const mailto = mailtoOf(p.payer.email, email);
  const mail = html`<h2>${text('email')}</h2><p class="quiet">${text('emailLead')}</p>
<p class="hint">${text('subject')}</p>
!${copied(visit, 'email-subject', text('subject'), email.subject)}
<p class="hint">${text('text')}</p>
!${copied(visit, 'email-text', text('text'), email.text)}
<p class="actions"><a class="button quiet" href="${mailto}">${text('openMail')}</a></p>`;
  return {
    title: text('title'),
    section: 'payment-requests',
    scripts: ['copy-fields'],
    notice: isNew ? text('created') : null,
    body: html`<h1>${text('title')}</h1>!${known}
<p class="told small" role="status" data-copied="${text('copied')}"
 data-marked="${text('marked')}"></p><div class="share-link"><section><h2>${text('link')}</h2>
<p class="quiet">${text('linkLead')}</p>!${copied(visit, 'payment-link', text('link'), link)}
!${mail}</section><section><h2>${text('qrCode')}</h2><p class="quiet">${text('qrLead')}</p>
<div class="qr-code" role="img" aria-label="${text('qrCode')}">!${qrCodeSvg(link)}</div>
</section></div><p class="actions"><a href="${addressOf(visit, p)}">${text('open')}</a>
!${another}</p>`,
  };
}

/** A text to hand over, with the button that copies it; the button appears with scripts alone. */
function copied({ language }: Visit, id: string, label: string, value: string): string {
  const { text } = SHARE_LINK_TEXTS[language];
  return html`<div class="copied-text"><pre id="${id}" data-value="${value}" tabindex="0"
 aria-label="${label}">${value}</pre><button class="button quiet" type="button" data-copy="${id}"
 value="${label}" aria-label="${text('copyOf', { label })}" hidden>${text('copy')}</button></div>`;
}

function closedPage(visit: Visit, p: PaymentRequest): ConsolePage {
  const { text } = SHARE_LINK_TEXTS[visit.language];
  return {
    title: text('title'),
    section: 'payment-requests',
    body: html`<h1>${text('title')}</h1><p>${text('closed')}</p>
<p class="actions"><a class="button quiet" href="${addressOf(visit, p)}">${text('open')}</a></p>`,
  };
}

function addressOf({ merchantId }: Visit, { id }: PaymentRequest): string {
  return `/console/m/${merchantId}/payment-requests/${id}`;
}

function newAddress({ merchantId }: Visit): string {
  return `/console/m/${merchantId}/payment-requests/new`;
}
