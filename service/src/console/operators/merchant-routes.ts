import { actForViewer, redirectAfter } from '#console/approvals/act-for-viewer.ts';
import { checklist } from '#console/checklist/checklist.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { Action } from '#console/model/access-matrix.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { known } from '#console/shell/known.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { isId } from '#lib/new-id.ts';
import { accountInputOf } from '#merchants/accounts/read-account.ts';
import { setMessages } from '#merchants/messages/set-messages.ts';
import { setProfile } from '#merchants/profile/set-profile.ts';
import { type MerchantSettings, readMerchant } from '#merchants/read-merchant.ts';
import { resumeMerchant, suspendMerchant } from '#merchants/suspend-merchant.ts';
import { listTemplates } from '#messages/templates/read-templates.ts';
import { accountPage, profilePage, suspendPage } from './change-forms.ts';
import { renderMerchant } from './merchant-page.ts';
import { MERCHANTS_PATH } from './merchants-path.ts';
import { messagesPage, readMessages } from './message-form.ts';
import { tryAct } from './option-fault.ts';
import { readProfileForm } from './profile-fields.ts';
import { SETTINGS, settingPage } from './settings.ts';

const PATH = `${MERCHANTS_PATH}/:id`;
const CHANGE = 'operator.merchants.change';
const ACCOUNT = 'operator.merchants.account';

/** The page of a merchant, and what operators change about it. */
export function registerMerchantPages(routes: ConsoleRoutes): void {
  const page = (
    path: string,
    action: Action,
    show: (
      visit: Visit,
      of: MerchantSettings,
      deps: ConsoleDeps,
    ) => Promise<ConsolePage> | ConsolePage,
  ) =>
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
    routes.act(PATH + path, CHANGE, 'choice', async (deps, visit) => {
      const { id } = await merchantOf(deps, visit);
      await set({ ...deps, actor: visit.actor }, id);
      return afterAct(id, done);
    });
  }
  for (const setting of SETTINGS) {
    page(`/${setting.path}`, CHANGE, (visit, of) => settingPage(visit, of, setting));
    routes.act(`${PATH}/${setting.path}`, CHANGE, 'typed', async (deps, visit, sent) => {
      const merchant = await merchantOf(deps, visit);
      const typed = sent.get(setting.field(visit, merchant).name) ?? '';
      const tried = await tryAct(() => setting.save(deps, visit, merchant, typed));
      if ('result' in tried) return afterAct(merchant.id, setting.done);
      return settingPage(visit, merchant, setting, { sent, fault: tried.fault });
    });
  }
  page('/profile', CHANGE, (visit, merchant, { cell }) => profilePage(visit, merchant, cell));
  routes.act(`${PATH}/profile`, CHANGE, 'logo', async (deps, visit, form) => {
    const merchant = await merchantOf(deps, visit);
    const change = { merchantId: merchant.id, ...readProfileForm(form) };
    const tried = await tryAct(() => setProfile({ ...deps, actor: visit.actor }, change));
    if ('result' in tried) return afterAct(merchant.id, 'profileSaved');
    return profilePage(visit, merchant, deps.cell, { sent: form, refusal: tried });
  });
  page('/messages', CHANGE, async (visit, merchant, { db }) =>
    messagesPage(visit, merchant, await listTemplates(db, merchant.id)),
  );
  routes.act(`${PATH}/messages`, CHANGE, 'typed', async (deps, visit, sent) => {
    const merchant = await merchantOf(deps, visit);
    const { id } = merchant;
    const change = readMessages(sent);
    const tried = await tryAct(() => setMessages({ ...deps, actor: visit.actor }, id, change));
    if ('result' in tried) return afterAct(id, 'messagesSaved');
    const templates = await listTemplates(deps.db, id);
    return messagesPage(visit, merchant, templates, { sent, refusal: tried });
  });
  page('/account', ACCOUNT, (visit, merchant) => accountPage(visit, merchant));
  registerAccountActs(routes);
}

function registerAccountActs(routes: ConsoleRoutes): void {
  routes.act(`${PATH}/account`, ACCOUNT, 'typed', async (deps, visit, form) => {
    const merchant = await merchantOf(deps, visit);
    const { id: merchantId } = merchant;
    const part = (name: string) => form.get(name)?.trim() || undefined;
    const tried = await tryAct(() => {
      const params = { merchantId, account: accountInputOf(part) };
      return actForViewer(deps, visit, { kind: 'ACCOUNT_SET', params, ...actId(form) });
    });
    if ('fault' in tried) return accountPage(visit, merchant, form, tried);
    return redirectAfter(tried.result, afterAct(merchantId, 'accountSet'));
  });
  routes.act(`${PATH}/account/close`, ACCOUNT, 'choice', async (deps, visit, form) => {
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
