import { html } from 'ghtml';
import { badge } from '#console/components/badge.ts';
import { type Fact, facts } from '#console/components/facts.ts';
import { instant } from '#console/components/instant.ts';
import { money } from '#console/components/money.ts';
import { type Column, column, rowHeader, table } from '#console/components/table.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { formatAmount } from '#lib/money.ts';
import type { Account } from '#merchants/accounts/account.ts';
import type { MerchantSettings } from '#merchants/read-merchant.ts';
import { PROFILE_TEXTS } from './change-forms.ts';
import { MERCHANTS_PATH } from './merchants-path.ts';
import { framed, originsField } from './onboard.ts';
import { OPERATOR_TEXTS } from './texts.ts';

export interface MerchantPageOptions {
  readonly hasAccounts: boolean;
  /** Of a form of the page. */
  readonly refusal?: string | undefined;
}

/** A merchant with all that operators set; read-only for those who may not act. */
export function renderMerchant(
  visit: Visit,
  merchant: MerchantSettings,
  { hasAccounts, refusal }: MerchantPageOptions,
): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  const { id, name, status } = merchant;
  const done = visit.query.get('done');
  const mayAct = visit.can('operator.merchants.change');
  const notice = done === 'suspended' || done === 'resumed' ? text(done) : null;
  return framed(visit, {
    title: name,
    refusal,
    ...(notice !== null && { notice }),
    lead: html`!${facts([
      [text('id'), html`<code>${id}</code>`],
      [text('status'), badge(text(status), status === 'ACTIVE' ? 'good' : 'bad')],
    ])}!${merchantLinks(visit, id)}!${mayAct ? statusForm(visit, merchant) : ''}
<h2>${text('limits')}</h2>!${limits(visit, merchant, mayAct)}
<h2>${text('profile')}</h2>!${profile(visit, merchant, mayAct)}
!${mayAct ? settingForms(visit, merchant) : originFacts(visit, merchant)}
!${hasAccounts ? accounts(visit, merchant) : ''}`,
  });
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
  return renderForm(visit, {
    action: `${base}/resume`,
    items: [],
    buttons: button(text('resume')),
  });
}

function limits(visit: Visit, merchant: MerchantSettings, mayAct: boolean): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const { id, refundsPerDayCents: cents } = merchant;
  if (!mayAct) {
    return facts([[text('refundsPerDay'), cents === 0 ? text('refundsOff') : money(visit, cents)]]);
  }
  return renderForm(visit, {
    action: `${MERCHANTS_PATH}/${id}/limits`,
    items: [
      {
        name: 'refundsPerDay',
        kind: 'amount',
        label: text('refundsPerDay'),
        value: formatAmount(cents),
        hint: text('refundsPerDayHint', { currency: visit.currency }),
      },
      button(text('save'), { kind: 'quiet' }),
    ],
  });
}

function profile(visit: Visit, { id, profile: shown }: MerchantSettings, mayAct: boolean): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const rows = PROFILE_TEXTS.map((name): Fact => [text(name), html`${shown[name] ?? '–'}`]);
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
  const base = `${MERCHANTS_PATH}/${id}`;
  const save = button(text('save'), { kind: 'quiet' });
  const fields = {
    'origins/return': originsField(visit, 'return', returnOrigins.join('\n')),
    'origins/webhook': originsField(visit, 'webhook', webhookOrigins.join('\n')),
    notices: {
      name: 'email',
      label: text('notices'),
      value: noticeEmail,
      hint: text('noticesHint'),
      maxLength: 254,
    },
  };
  return Object.entries(fields)
    .map(([path, field]) => renderForm(visit, { action: `${base}/${path}`, items: [field, save] }))
    .join('');
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
      : badge(text('accountReplaced'), 'neutral');
  };
  const columns: Column<Account>[] = [
    column(text('accountVersion'), ({ version }) => `${version}`),
    rowHeader(text('iban'), ({ iban }) => html`<code>${iban}</code>`),
    column(text('holder'), ({ holder }) => html`${holder}`),
    column(text('status'), state),
    column(text('accountSince'), ({ createdAt }) => instant(visit, createdAt)),
  ];
  const list =
    versions.length === 0
      ? html`<p>${text('accountNone')}</p>`
      : table(text('account'), columns, versions);
  const change = visit.can('operator.merchants.account')
    ? html`<p><a class="button quiet" href="/console${MERCHANTS_PATH}/${id}/account">
${text('change')}</a></p>`
    : '';
  return html`<h2>${text('account')}</h2>!${list}!${change}`;
}
