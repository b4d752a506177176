import { actForViewer, redirectAfter } from '#console/approvals/act-for-viewer.ts';
import { checklist } from '#console/checklist/checklist.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { Action } from '#console/model/access-matrix.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { known } from '#console/shell/known.ts';
import type { Visit } from '#console/shell/visit.ts';
import { isId } from '#lib/new-id.ts';
import { accountInputOf } from '#merchants/accounts/read-account.ts';
import { setMessages } from '#merchants/messages/set-messages.ts';
import { setProfile } from '#merchants/profile/set-profile.ts';
import { type MerchantSettings, readMerchant } from '#merchants/read-merchant.ts';
import { resumeMerchant, suspendMerchant } from '#merchants/suspend-merchant.ts';
import { accountPage, profilePage, suspendPage } from './change-forms.ts';
import { renderMerchant } from './merchant-page.ts';
import { messagesPage, readMessages } from './message-form.ts';
import { MERCHANTS_PATH, tryAct } from './parts.ts';
import { readProfileForm } from './profile-fields.ts';
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
    routes.act(PATH + path, CHANGE, 'choice', async (deps, visit) => {
      const { id } = await merchantOf(deps, visit);
      await set({ ...deps, actor: visit.actor }, id);
      return afterAct(id, done);
    });
  }
  for (const { path, size = 'typed', done, show, save } of FORMS) {
    page(`/${path}`, CHANGE, show);
    routes.act(`${PATH}/${path}`, CHANGE, size, async (deps, visit, sent) => {
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
  routes.act(`${PATH}/account`, ACCOUNT, 'typed', async (deps, visit, form) => {
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
