import { actForViewer, redirectAfter } from '#console/approvals/act-for-viewer.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { Action } from '#console/model/access-matrix.ts';
import { readTypedAmount } from '#console/model/typed-amount.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { parseAmountCents } from '#lib/money.ts';
import { isId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import { changeOrigins } from '#merchants/change-origins.ts';
import { setNotices } from '#merchants/notices/set-notices.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { PROFILE_OPTIONS } from '#merchants/profile/profile.ts';
import { setProfile } from '#merchants/profile/set-profile.ts';
import { type MerchantSettings, readMerchant } from '#merchants/read-merchant.ts';
import { setLimits } from '#merchants/set-limits.ts';
import { resumeMerchant, suspendMerchant } from '#merchants/suspend-merchant.ts';
import { accountPage, PROFILE_TEXTS, profilePage, suspendPage } from './change-forms.ts';
import { renderMerchant } from './merchant-page.ts';
import { MERCHANTS_PATH } from './merchants-path.ts';
import { linesOf } from './onboard.ts';
import { tryAct } from './option-fault.ts';
import { OPERATOR_TEXTS } from './texts.ts';

const PATH = `${MERCHANTS_PATH}/:id`;
const CHANGE = 'operator.merchants.change';
const ACCOUNT = 'operator.merchants.account';
/** A sum that no merchant gives back in a day. */
const HIGHEST_LIMIT_CENTS = 100_000_000_000;

type Act = (visit: Visit, form: URLSearchParams, merchant: MerchantSettings) => Promise<unknown>;
type Show = (
  visit: Visit,
  merchant: MerchantSettings,
  form: URLSearchParams,
  refusal: string,
) => ConsolePage;

/** The page of a merchant, and what operators change about it. */
export function registerMerchantPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  const { hasAccounts } = deps.operators;
  const showMerchant: Show = (visit, merchant, _form, refusal) =>
    renderMerchant(visit, merchant, { hasAccounts, refusal });
  const page = (
    path: string,
    action: Action,
    show: (visit: Visit, of: MerchantSettings) => ConsolePage,
  ) => routes.page(PATH + path, action, async (visit) => show(visit, await known(deps, visit)));
  /** A refusal shows the form again; success leads back to the merchant. */
  const change = (path: string, act: Act, show: Show = showMerchant, done = 'saved') =>
    routes.act(
      PATH + path,
      CHANGE,
      path === '/profile' ? 'logo' : 'typed',
      async (visit, form): Promise<ConsoleAnswer> => {
        const merchant = await known(deps, visit);
        const tried = await tryAct(() => act(visit, form, merchant));
        if ('fault' in tried) return show(visit, merchant, form, tried.fault);
        return { to: `/console${MERCHANTS_PATH}/${merchant.id}`, done };
      },
    );
  const needs = ({ actor }: Visit) => ({ ...deps, isLocal: deps.operators.isLocal, actor });

  page('', 'operator.merchants.read', (visit, merchant) =>
    renderMerchant(visit, merchant, { hasAccounts }),
  );
  page('/suspend', CHANGE, suspendPage);
  change(
    '/suspend',
    (visit, _, { id }) => suspendMerchant(needs(visit), id),
    showMerchant,
    'suspended',
  );
  change(
    '/resume',
    (visit, _, { id }) => resumeMerchant(needs(visit), id),
    showMerchant,
    'resumed',
  );
  change('/notices', (visit, form, { id }) =>
    setNotices(needs(visit), id, form.get('email')?.trim() || null),
  );
  change('/limits', (visit, form, { id }) =>
    setLimits(needs(visit), id, limitOf(visit, form.get('refundsPerDay'))),
  );
  for (const use of ['return', 'webhook'] as const) {
    change(`/origins/${use}`, (visit, form, merchant) => {
      const before = use === 'return' ? merchant.returnOrigins : merchant.webhookOrigins;
      const wanted = linesOf(form.get(use));
      const add = wanted.filter((origin) => !before.includes(origin));
      const remove = before.filter((origin) => !wanted.includes(origin));
      return changeOrigins(needs(visit), { merchantId: merchant.id, use, add, remove });
    });
  }
  page('/profile', CHANGE, (visit, merchant) => profilePage(visit, merchant));
  change(
    '/profile',
    (visit, form, merchant) => saveProfile(deps, visit, form, merchant),
    profilePage,
  );
  page('/account', ACCOUNT, (visit, merchant) => accountPage(visit, merchant));
  registerAccountActs(routes, deps);
}

function registerAccountActs(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  routes.act(`${PATH}/account`, ACCOUNT, 'typed', async (visit, form) => {
    const merchant = await known(deps, visit);
    const { id: merchantId } = merchant;
    const part = (name: string) => form.get(name)?.trim() || undefined;
    const address = {
      street: part('street'),
      postalCode: part('postalCode'),
      town: part('town'),
      country: part('country'),
    };
    const [holder, iban, bic] = [part('holder') ?? '', part('iban') ?? '', part('bic') ?? null];
    const params = { merchantId, account: { holder, iban, bic, address } };
    const tried = await tryAct(() =>
      actForViewer(deps, visit, { kind: 'ACCOUNT_SET', params, ...actId(form) }),
    );
    if ('fault' in tried) return accountPage(visit, merchant, form, tried.fault);
    return redirectAfter(tried.result, afterAct(merchantId));
  });
  routes.act(`${PATH}/account/close`, ACCOUNT, 'choice', async (visit, form) => {
    const { id: merchantId } = await known(deps, visit);
    const params = { merchantId, version: Number(form.get('version')) };
    const act = { kind: 'ACCOUNT_CLOSE', params, ...actId(form) } as const;
    return redirectAfter(await actForViewer(deps, visit, act), afterAct(merchantId));
  });
}

function afterAct(merchantId: string) {
  return { to: `/console${MERCHANTS_PATH}/${merchantId}`, done: 'saved' };
}

/** A form that is sent twice acts once. */
function actId(form: URLSearchParams): { readonly id?: string } {
  const id = form.get('act') ?? '';
  return isId(id) ? { id } : {};
}

/** @throws Problem ROUTE_NOT_FOUND for an unknown merchant */
async function known({ db }: ConsoleDeps, { params }: Visit): Promise<MerchantSettings> {
  const merchant = await readMerchant(db, params.id ?? '');
  if (!merchant) throw new Problem('ROUTE_NOT_FOUND');
  return merchant;
}

/** @throws OperatorFault for a text that is no amount */
function limitOf({ language }: Visit, text: string | null): number {
  const source = readTypedAmount(text ?? '');
  const cents = parseAmountCents(source, HIGHEST_LIMIT_CENTS);
  if (typeof cents === 'number') return cents;
  if (/^0+(\.0+)?$/.test(source)) return 0;
  throw new OperatorFault(OPERATOR_TEXTS[language].text('amountFault'));
}

async function saveProfile(
  deps: ConsoleDeps,
  { actor }: Visit,
  form: URLSearchParams,
  { id: merchantId }: MerchantSettings,
): Promise<unknown> {
  const given = PROFILE_TEXTS.map((name) => [name, form.get(name)?.trim() ?? ''] as const);
  const texts = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const emptied = given.filter(([, value]) => value === '').map(([name]) => PROFILE_OPTIONS[name]);
  const remove = form.has('logoRemove') ? [...emptied, PROFILE_OPTIONS.logoHash] : emptied;
  const file = form.get('logo');
  const logo = file ? Buffer.from(file, 'base64') : null;
  return setProfile({ ...deps, actor }, { merchantId, texts, logo, remove });
}
