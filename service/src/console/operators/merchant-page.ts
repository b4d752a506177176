import { html } from 'ghtml';
import { badge } from '#console/components/badge.ts';
import { type Fact, facts } from '#console/components/facts.ts';
import { postForm, textField } from '#console/components/form.ts';
import { instant } from '#console/components/instant.ts';
import { money } from '#console/components/money.ts';
import { table } from '#console/components/table.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { formatAmount } from '#lib/money.ts';
import type { Account } from '#merchants/accounts/account.ts';
import type { MerchantSettings } from '#merchants/read-merchant.ts';
import { MERCHANTS_PATH } from './merchant-list.ts';
import { framed, originsField } from './onboard.ts';
import { OPERATOR_TEXTS } from './texts.ts';

export interface MerchantPageOptions {
  readonly hasAccounts: boolean;
  /** The refusal of a form of the page. */
  readonly fault?: string;
}

/** A merchant with all that operators set; read-only for those who may not act. */
export function renderMerchant(
  visit: Visit,
  merchant: MerchantSettings,
  { hasAccounts, fault = '' }: MerchantPageOptions,
): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  const { id, name, status } = merchant;
  const done = visit.query.get('done');
  const mayAct = visit.can('operator.merchants.change');
  const page = framed(visit, name, {
    fault,
    body: html`!${facts([
      [text('id'), html`<code>${id}</code>`],
      [text('status'), badge(text(status), status === 'ACTIVE' ? 'good' : 'bad')],
    ])}!${merchantLinks(visit, id)}!${mayAct ? statusForm(visit, merchant) : ''}
<h2>${text('limits')}</h2>!${limits(visit, merchant, mayAct)}
<h2>${text('profile')}</h2>!${profile(visit, merchant, mayAct)}
!${mayAct ? settingForms(visit, merchant) : originFacts(visit, merchant)}
!${hasAccounts ? accounts(visit, merchant) : ''}`,
  });
  const notice = done === 'suspended' || done === 'resumed' ? text(done) : null;
  return { ...page, ...(notice !== null && { notice }) };
}

function merchantLinks(visit: Visit, id: string): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  return html`<nav aria-label="${text('pagesOf')}"><ul class="tabs">
<li><a href="/console/m/${id}/overview">${text('overview')}</a></li>
<li><a href="/console/m/${id}/payment-requests">${text('payments')}</a></li>
<li><a href="/console/m/${id}/deliveries">${text('deliveries')}</a></li>
<li><a href="/console/m/${id}/credentials">${text('credentials')}</a></li>
<li><a href="/console/operator/audit?merchant=${id}">${text('audit')}</a></li></ul></nav>`;
}

function statusForm(visit: Visit, { id, status }: MerchantSettings): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const base = `${MERCHANTS_PATH}/${id}`;
  if (status === 'ACTIVE') {
    return html`<p class="actions"><a class="button danger" href="/console${base}/suspend">
${text('suspend')}</a></p>`;
  }
  const body = html`<div class="actions"><button class="button">${text('resume')}</button></div>`;
  return postForm(visit, { action: `${base}/resume`, body });
}

function limits(visit: Visit, merchant: MerchantSettings, mayAct: boolean): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const { id, refundsPerDayCents: cents } = merchant;
  if (!mayAct) {
    return facts([[text('refundsPerDay'), cents === 0 ? text('refundsOff') : money(visit, cents)]]);
  }
  const body = html`!${textField({
    name: 'refundsPerDay',
    label: text('refundsPerDay'),
    value: formatAmount(cents),
    hint: text('refundsPerDayHint', { currency: visit.currency }),
    maxLength: 14,
  })}<button class="button quiet">${text('save')}</button>`;
  return postForm(visit, { action: `${MERCHANTS_PATH}/${id}/limits`, body });
}

function profile(visit: Visit, { id, profile: shown }: MerchantSettings, mayAct: boolean): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const names = ['displayName', 'supportEmail', 'supportPhone', 'website', 'accentColour'] as const;
  const rows = names.map((name): Fact => [text(name), html`${shown[name] ?? '–'}`]);
  const logo: Fact = [text('logo'), html`${shown.logoHash?.slice(0, 12) ?? '–'}`];
  const change = mayAct
    ? html`<p><a class="button quiet" href="/console${MERCHANTS_PATH}/${id}/profile">
${text('change')}</a></p>`
    : '';
  return facts([...rows, logo]) + change;
}

function settingForms(visit: Visit, merchant: MerchantSettings): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const { id, returnOrigins, webhookOrigins, noticeEmail } = merchant;
  const save = html`<button class="button quiet">${text('save')}</button>`;
  const origins = (['return', 'webhook'] as const).map((use) => {
    const list = use === 'return' ? returnOrigins : webhookOrigins;
    const body = originsField(visit, use, list.join('\n')) + save;
    return postForm(visit, { action: `${MERCHANTS_PATH}/${id}/origins/${use}`, body });
  });
  const email = textField({
    name: 'email',
    label: text('notices'),
    value: noticeEmail ?? '',
    hint: text('noticesHint'),
    maxLength: 254,
  });
  const notices = postForm(visit, {
    action: `${MERCHANTS_PATH}/${id}/notices`,
    body: email + save,
  });
  return origins.join('') + notices;
}

function originFacts(visit: Visit, merchant: MerchantSettings): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const { returnOrigins, webhookOrigins, noticeEmail } = merchant;
  return facts([
    [text('origins.return'), html`${returnOrigins.join(', ') || '–'}`],
    [text('origins.webhook'), html`${webhookOrigins.join(', ') || '–'}`],
    [text('notices'), html`${noticeEmail ?? '–'}`],
  ]);
}

function accounts(visit: Visit, { id, accounts: versions }: MerchantSettings): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const state = ({ closedAt, replacedAt }: Account) => {
    if (closedAt !== null) return badge(text('accountClosed'), 'bad');
    return replacedAt === null
      ? badge(text('accountOpen'), 'good')
      : badge(text('accountReplaced'), 'plain');
  };
  const list =
    versions.length === 0
      ? html`<p>${text('accountNone')}</p>`
      : table(
          text('account'),
          [
            { title: text('accountVersion'), cell: ({ version }) => `${version}` },
            {
              title: text('iban'),
              cell: ({ iban }) => html`<code>${iban}</code>`,
              isRowHeader: true,
            },
            { title: text('holder'), cell: ({ holder }) => html`${holder}` },
            { title: text('status'), cell: state },
            { title: text('accountSince'), cell: ({ createdAt }) => instant(visit, createdAt) },
          ],
          versions,
        );
  const change = visit.can('operator.merchants.account')
    ? html`<p><a class="button quiet" href="/console${MERCHANTS_PATH}/${id}/account">
${text('change')}</a></p>`
    : '';
  return html`<h2>${text('account')}</h2>!${list}!${change}`;
}
