import { html } from 'ghtml';
import { badge } from '#console/components/badges.ts';
import { type Fact, facts, tabs } from '#console/components/parts.ts';
import { NONE, table } from '#console/components/table.ts';
import { type Act, renderActs } from '#console/lists/acts.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { shownAccount } from '#lib/bank/account-number.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import type { Account } from '#merchants/accounts/account.ts';
import { logoPath } from '#merchants/profile/profile.ts';
import type { MerchantSettings } from '#merchants/read-merchant.ts';
import { messageRows } from './message-form.ts';
import { MERCHANTS_PATH, OPERATOR_TEXTS } from './parts.ts';
import { PROFILE_TEXTS } from './profile-fields.ts';
import { SETTINGS } from './settings.ts';

const CHANGE = 'operator.merchants.change';

export interface MerchantPageOptions {
  readonly hasAccounts: boolean;
  /** HTML of the steps that the merchant still lacks. */
  readonly checklist: string;
  /** `CELL` */
  readonly cell: number;
}

/** A merchant with all that operators set, and the way to change each for those who may act. */
export function renderMerchant(
  visit: Visit,
  merchant: MerchantSettings,
  { hasAccounts, checklist, cell }: MerchantPageOptions,
): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  const { id, name, status } = merchant;
  const head = {
    badge: badge(text(status), status === 'ACTIVE' ? 'good' : 'bad'),
    under: html`<code>${id}</code>`,
    back: { href: `/console${MERCHANTS_PATH}`, name: text('merchants') },
    acts: renderActs(visit, text, ACTS, merchant),
  };
  return {
    title: name,
    head,
    body: html`!${merchantLinks(visit, id)}!${checklist}
<div class="panels">!${section(text('settings'), facts(settingRows(visit, merchant)))}
!${profile(visit, merchant, cell)}
!${messages(visit, merchant)}</div>!${hasAccounts ? accounts(visit, merchant) : ''}`,
  };
}

function section(title: string, body: string, edit = ''): string {
  return html`<section class="card"><div class="card-head"><h2>${title}</h2>!${edit}</div>!${body}
</section>`;
}

/** The link to the form of a part; empty for those who may not act. */
function editLink(visit: Visit, { id }: MerchantSettings, path: string, name: string): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  if (!visit.can(path === 'account' ? 'operator.merchants.account' : CHANGE)) return '';
  return html`<a class="act" href="/console${MERCHANTS_PATH}/${id}/${path}"
 aria-label="${text('editOf', { name })}">${text('change')}</a>`;
}

function merchantLinks(visit: Visit, id: string): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const pages = [
    ['settings', `${MERCHANTS_PATH}/${id}`],
    ['overview', `/m/${id}/overview`],
    ['payments', `/m/${id}/payment-requests`],
    ['deliveries', `/m/${id}/deliveries`],
    ['templates', `/m/${id}/templates`],
    ['credentials', `/m/${id}/credentials`],
    ['team', `/m/${id}/team`],
    ['audit', `/operator/audit?merchant=${id}`],
  ] as const;
  const links = pages.map(([name, path]) => {
    return { href: `/console${path}`, name: text(name), isCurrent: name === 'settings' };
  });
  return tabs(text('pagesOf'), links);
}

const ACTS: readonly Act<MerchantSettings>[] = [
  {
    word: 'resume',
    may: CHANGE,
    method: 'POST',
    look: 'main',
    path: ({ id, status }) => (status === 'ACTIVE' ? null : `${MERCHANTS_PATH}/${id}/resume`),
  },
  {
    word: 'suspend',
    may: CHANGE,
    look: 'danger',
    path: ({ id, status }) => (status === 'ACTIVE' ? `${MERCHANTS_PATH}/${id}/suspend` : null),
  },
];

function settingRows(visit: Visit, merchant: MerchantSettings): Fact[] {
  return SETTINGS.map((setting) => {
    const { label } = setting.field(visit, merchant);
    const edit = editLink(visit, merchant, setting.path, label);
    return [label, html`!${setting.shown(visit, merchant) || NONE} !${edit}`];
  });
}

function messages(visit: Visit, merchant: MerchantSettings): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const edit = editLink(visit, merchant, 'messages', text('messages'));
  return section(text('messages'), facts(messageRows(visit, merchant.messageSettings)), edit);
}

function profile(visit: Visit, merchant: MerchantSettings, cell: number): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const shown = merchant.profile;
  const rows = PROFILE_TEXTS.map(
    (name): Fact => [text(`profile.${name}`), shown[name] && html`${shown[name]}`],
  );
  const src = logoPath(`${cellMark(cell)}${shown.logoHash}`);
  const logo = shown.logoHash && html`<img class="logo" src="${src}" alt="${text('logo')}">`;
  const edit = editLink(visit, merchant, 'profile', text('profile'));
  const known = [...rows, [text('logo'), logo] as const].filter(([, value]) => value);
  const empty = html`<p class="quiet">${text('profileNone')}</p>`;
  return section(text('profile'), known.length > 0 ? facts(known) : empty, edit);
}

const ACCOUNTS: ListColumns<Account> = {
  accountVersion: show.cell(({ version }) => `${version}`),
  accountNumber: show.cell((each) => html`<code>${shownAccount(each.accountNumber)}</code>`),
  holder: show.text(({ holder }) => holder),
  status: show.cell(stateOf),
  accountSince: show.time(({ createdAt }) => createdAt),
};

function stateOf({ closedAt, replacedAt }: Account, { language }: Visit): string {
  const { text } = OPERATOR_TEXTS[language];
  if (closedAt !== null) return badge(text('accountClosed'), 'bad');
  return replacedAt === null
    ? badge(text('accountOpen'), 'good')
    : badge(text('accountReplaced'), 'neutral');
}

function accounts(visit: Visit, merchant: MerchantSettings): string {
  const { accounts: versions } = merchant;
  const { text } = OPERATOR_TEXTS[visit.language];
  const list =
    versions.length === 0
      ? html`<p>${text('accountNone')}</p>`
      : table(text('account'), titled(visit, text, ACCOUNTS, 1), versions);
  return section(text('account'), list, editLink(visit, merchant, 'account', text('account')));
}
