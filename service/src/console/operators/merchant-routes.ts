import { html } from 'ghtml';
import { actForViewer, redirectAfter } from '#console/approvals/act-for-viewer.ts';
import { checklist } from '#console/checklist/checklist.ts';
import { badge } from '#console/components/badges.ts';
import { type Fact, facts, tabs } from '#console/components/parts.ts';
import { NONE, table } from '#console/components/table.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { type Act, renderActs } from '#console/lists/acts.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import type { Action } from '#console/model/access-matrix.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { known } from '#console/shell/known.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { shownAccount } from '#lib/bank/account-number.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import { isId } from '#lib/new-id.ts';
import type { Account } from '#merchants/accounts/account.ts';
import { accountInputOf } from '#merchants/accounts/read-account.ts';
import { setMessages } from '#merchants/messages/set-messages.ts';
import { logoPath } from '#merchants/profile/profile.ts';
import { setProfile } from '#merchants/profile/set-profile.ts';
import { type MerchantSettings, readMerchant } from '#merchants/read-merchant.ts';
import { resumeMerchant, suspendMerchant } from '#merchants/suspend-merchant.ts';
import {
  accountPage,
  messageRows,
  messagesPage,
  profilePage,
  readMessages,
  suspendPage,
} from './change-forms.ts';
import { PROFILE_TEXTS, readProfileForm } from './onboard.ts';
import { MERCHANTS_PATH, OPERATOR_TEXTS, tryAct } from './parts.ts';
import { type MerchantForm, SETTINGS, settingForm } from './settings.ts';

const PATH = `${MERCHANTS_PATH}/:id`;
const CHANGE = 'operator.merchants.change';
const ACCOUNT = 'operator.merchants.account';

const FORMS: readonly MerchantForm[] = [
  ...SETTINGS.map(settingForm),
  {
    path: 'profile',
    size: 'logo',
    done: 'profileSaved',
    show: profilePage,
    save: (deps, _, { id: merchantId }, sent) =>
      setProfile(deps, { merchantId, ...readProfileForm(sent) }),
  },
  {
    path: 'messages',
    done: 'messagesSaved',
    show: messagesPage,
    save: (deps, _, { id }, sent) => setMessages(deps, id, readMessages(sent)),
  },
];

/** The page of a merchant, and what operators change about it. */
export function registerMerchantPages(routes: ConsoleRoutes): void {
  const page = (path: string, action: Action, show: MerchantForm['show']) =>
    routes.page(PATH + path, action, async (deps, visit) =>
      show(visit, await merchantOf(deps, visit), deps),
    );
  page('', 'operator.merchants.read', async (visit, merchant, deps) => {
    const steps = await checklist(deps, visit, merchant.id);
    const { cell, operators } = deps;
    return renderMerchant(visit, merchant, { ...operators, cell, checklist: steps });
  });
  page('/suspend', CHANGE, suspendPage);
  for (const [path, set, done] of [
    ['/suspend', suspendMerchant, 'suspended'],
    ['/resume', resumeMerchant, 'resumed'],
  ] as const) {
    routes.act(PATH + path, CHANGE, async (deps, visit) => {
      const { id } = await merchantOf(deps, visit);
      await set({ ...deps, actor: visit.actor }, id);
      return afterAct(id, done);
    });
  }
  for (const { path, size = 'typed', done, show, save } of FORMS) {
    page(`/${path}`, CHANGE, show);
    routes.form(`${PATH}/${path}`, CHANGE, size, async (deps, visit, sent) => {
      const merchant = await merchantOf(deps, visit);
      const tried = await tryAct(visit.language, () =>
        save({ ...deps, actor: visit.actor }, visit, merchant, sent),
      );
      if ('result' in tried) return afterAct(merchant.id, done);
      return show(visit, merchant, deps, { sent, refusal: tried });
    });
  }
  page('/account', ACCOUNT, accountPage);
  registerAccountActs(routes);
}

function registerAccountActs(routes: ConsoleRoutes): void {
  routes.form(`${PATH}/account`, ACCOUNT, 'typed', async (deps, visit, form) => {
    const merchant = await merchantOf(deps, visit);
    const { id: merchantId } = merchant;
    const part = (name: string) => form.get(name)?.trim() || undefined;
    const tried = await tryAct(visit.language, () => {
      const params = { merchantId, account: accountInputOf(part) };
      return actForViewer(deps, visit, { kind: 'ACCOUNT_SET', params, ...actId(form) });
    });
    if ('fault' in tried) {
      return accountPage(visit, merchant, deps, { sent: form, refusal: tried });
    }
    return redirectAfter(tried.result, afterAct(merchantId, 'accountSet'));
  });
  routes.act(`${PATH}/account/close`, ACCOUNT, async (deps, visit, form) => {
    const { id: merchantId } = await merchantOf(deps, visit);
    const params = { merchantId, version: Number(form.get('version')) };
    const act = { kind: 'ACCOUNT_CLOSE', params, ...actId(form) } as const;
    const done = afterAct(merchantId, 'accountClosed');
    return redirectAfter(await actForViewer(deps, visit, act), done);
  });
}

function afterAct(merchantId: string, done: string) {
  return { to: `/console${MERCHANTS_PATH}/${merchantId}`, done };
}

/** A form that is sent twice acts once. */
function actId(form: URLSearchParams): { readonly id?: string } {
  const id = form.get('act') ?? '';
  return isId(id) ? { id } : {};
}

/** @throws Problem ROUTE_NOT_FOUND for an unknown merchant */
async function merchantOf({ db }: ConsoleDeps, { params }: Visit): Promise<MerchantSettings> {
  return known(await readMerchant(db, params.id ?? ''));
}

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
  accountSince: show.age(({ createdAt }) => createdAt),
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
