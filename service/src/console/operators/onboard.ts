import { html } from 'ghtml';
import { checklist } from '#console/checklist/checklist.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { COPY_SCRIPTS, secretsOf, showOnce } from '#console/credentials/show-once.ts';
import { formOf } from '#console/forms/form-field.ts';
import { button, type FormPage, formPage, type Refusal } from '#console/forms/render-form.ts';
import type { Act } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { newMerchantId } from '#merchants/new-secret.ts';
import {
  LONGEST_MERCHANT_NAME,
  merchantChecks,
  type OnboardedMerchant,
  onboardMerchant,
} from '#merchants/onboard-merchant.ts';
import { EMPTY_PROFILE } from '#merchants/profile/profile.ts';
import { checkProfile, setProfile } from '#merchants/profile/set-profile.ts';
import type { MerchantSettings } from '#merchants/read-merchant.ts';
import { MERCHANTS_PATH, OPERATOR_TEXTS, tryAct } from './parts.ts';
import { profileFields, profilePreview, readProfileForm } from './profile-fields.ts';

/** The fields of a new merchant. */
function onboardFields(visit: Visit) {
  const { text } = OPERATOR_TEXTS[visit.language];
  return formOf(
    { name: 'id', kind: 'hidden', value: newMerchantId() },
    {
      legend: text('merchant'),
      className: 'card',
      fields: [
        {
          name: 'name',
          label: text('name'),
          maxLength: LONGEST_MERCHANT_NAME,
          isRequired: true,
        },
        {
          name: 'webhookUrl',
          kind: 'url',
          label: text('webhookUrl'),
          hint: text('webhookUrlHint'),
        },
        originsField(visit, 'return'),
        { name: 'unique', kind: 'check', label: html`${text('unique')}` },
      ],
    },
    {
      legend: text('profile'),
      hint: text('profileHint'),
      className: 'card',
      fields: profileFields(visit),
    },
  );
}

/** The form, and again with its values after a refusal. */
export function onboardPage(
  visit: Visit,
  sent?: URLSearchParams,
  refusals: readonly Refusal[] = [],
): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  return framed(visit, {
    title: text('onboardTitle'),
    under: text('onboardLead'),
    refusal: refusals.find(({ field }) => field === null),
    aside: profilePreview(visit, { name: text('name'), profile: EMPTY_PROFILE }, sent),
    sent,
    faults: Object.fromEntries(refusals.map((each) => [each.field ?? '', faultOf(visit, each)])),
    items: onboardFields(visit),
    buttons: button(text('onboardButton')),
  });
}

/** The reason of a refusal, of the form's own fields in the words of the language. */
function faultOf({ language }: Visit, { field, fault }: Refusal): string {
  const own = OWN_FIELDS.find((name) => name === field);
  const [, line = 'none'] = /^["«]\s?([^"»]*?)\s?["»]/.exec(fault) ?? [];
  return own ? OPERATOR_TEXTS[language].text(`fault.${own}`, { line }) : fault;
}

const OWN_FIELDS = ['name', 'webhookUrl', 'return'] as const;

/** A text of origins, one a line. */
export function originsField({ language }: Visit, name: 'return' | 'webhook', value = '') {
  const { text } = OPERATOR_TEXTS[language];
  const [label, hint] = [text(`origins.${name}`), text('originsHint')];
  return { name, kind: 'lines', label, hint, value } as const;
}

/** The lines of a text, without empty ones. */
export function linesOf(text: string | null): string[] {
  return (text ?? '').split(/\s+/).filter((line) => line !== '');
}

/** Registers the merchant with its profile, and shows its first credentials once. */
export const onboard: Act = async (deps, visit, form) => {
  const { actor } = visit;
  const profile = readProfileForm(form);
  const asked = {
    merchantId: form.get('id') ?? '',
    name: form.get('name') ?? '',
    webhookUrl: form.get('webhookUrl')?.trim() || null,
    webhookOrigins: [],
    returnOrigins: linesOf(form.get('return')),
    uniqueTransactionIds: form.has('unique'),
  };
  const use = { ...deps, ...deps.credentials, ...deps.operators, actor };
  // A refused profile leaves no half-made merchant.
  const checks = [...merchantChecks(use, asked), () => checkProfile(profile)];
  const tries = await Promise.all(
    checks.map((check) => tryAct(visit.language, async () => check())),
  );
  const refusals = tries.filter((tried) => 'fault' in tried);
  if (refusals.length > 0) return onboardPage(visit, form, refusals);
  const tried = await tryAct(visit.language, () => onboardMerchant(use, asked));
  if ('fault' in tried) return onboardPage(visit, form, [tried]);
  const { merchantId } = tried.result;
  await setProfile({ ...deps, actor }, { merchantId, ...profile });
  return onboardedPage(deps, visit, tried.result);
};

async function onboardedPage(
  deps: ConsoleDeps,
  visit: Visit,
  made: OnboardedMerchant,
): Promise<ConsolePage> {
  const { text } = OPERATOR_TEXTS[visit.language];
  const { merchantId, name, username, password, apiKey, listener } = made;
  const secrets = secretsOf(
    deps,
    visit,
    { id: merchantId, name },
    {
      API_USERNAME: username,
      API_PASSWORD: password,
      API_KEY: apiKey,
      LISTENER_USERNAME: listener.username,
      LISTENER_PASSWORD: listener.password,
      SIGNING_SECRET: listener.signingSecret,
    },
  );
  const steps = await checklist(deps, visit, merchantId);
  const open = html`<p class="actions"><a class="button quiet"
 href="/console${MERCHANTS_PATH}/${merchantId}">${text('openMerchant')}</a></p>`;
  return framed(visit, {
    title: text('onboarded', { name }),
    under: text('onboardedNext'),
    scripts: COPY_SCRIPTS,
    lead: html`!${showOnce(visit, secrets)}!${steps}!${open}`,
  });
}

/** A page below the list of merchants, or below the page of one. */
export function framed(
  visit: Visit,
  page: Omit<FormPage, 'back'>,
  merchant?: Pick<MerchantSettings, 'id' | 'name'>,
): ConsolePage {
  const back = merchant
    ? { href: `/console${MERCHANTS_PATH}/${merchant.id}`, name: merchant.name }
    : { href: `/console${MERCHANTS_PATH}`, name: OPERATOR_TEXTS[visit.language].text('merchants') };
  return formPage(visit, { ...page, back });
}
