import { html } from 'ghtml';
import { checklist } from '#console/checklist/checklist.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { COPY_SCRIPTS, secretsOf, showOnce } from '#console/credentials/show-once.ts';
import { formOf, zoneField } from '#console/forms/form-field.ts';
import { button, type FormPage, formPage, type Refusal } from '#console/forms/render-form.ts';
import type { Act } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import { isHexColour } from '#lib/text-forms.ts';
import { newMerchantId } from '#merchants/new-secret.ts';
import {
  LONGEST_MERCHANT_NAME,
  merchantChecks,
  type OnboardedMerchant,
  onboardMerchant,
} from '#merchants/onboard-merchant.ts';
import {
  EMPTY_PROFILE,
  logoPath,
  type MerchantProfile,
  PROFILE_OPTIONS,
} from '#merchants/profile/profile.ts';
import { checkProfile, setProfile } from '#merchants/profile/set-profile.ts';
import { LONGEST_PROFILE_TEXTS } from '#merchants/profile/validate-profile.ts';
import type { MerchantSettings } from '#merchants/read-merchant.ts';
import { MERCHANTS_PATH, OPERATOR_TEXTS, tryAct } from './parts.ts';

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

const TYPED = Object.keys(LONGEST_PROFILE_TEXTS) as (keyof typeof LONGEST_PROFILE_TEXTS)[];
export const PROFILE_TEXTS = [...TYPED, 'timeZone'] as const;

/** The fields of a profile, filled with the values in force. */
export function profileFields(
  { language, bookZone }: Visit,
  profile: MerchantProfile = EMPTY_PROFILE,
) {
  const { text } = OPERATOR_TEXTS[language];
  const zone = {
    label: text('profile.timeZone'),
    hint: text('timeZoneHint'),
    value: profile.timeZone,
  };
  return formOf(
    ...TYPED.map((name) => ({
      name,
      label: text(`profile.${name}`),
      value: profile[name],
      maxLength: LONGEST_PROFILE_TEXTS[name],
      ...(name === 'accentColour' && { kind: 'colour' as const, hint: text('accentHint') }),
      ...(name.startsWith('support') && { isHalf: true as const }),
    })),
    zoneField(zone, text('timeZoneNone', { zone: bookZone })),
    {
      name: 'logo',
      kind: 'file',
      label: text('logo'),
      hint: text('logoHint'),
      accept: 'image/png',
      words: { choose: text('logoChoose'), none: text('logoNoFile') },
    },
    ...(profile.logoHash === null
      ? []
      : [{ name: 'logoRemove', kind: 'check', label: html`${text('logoRemove')}` } as const]),
  );
}

/** The change that a posted form asks for: an emptied field removes its value. */
export function readProfileForm(form: URLSearchParams) {
  const given = PROFILE_TEXTS.map((name) => [name, form.get(name)?.trim() ?? ''] as const);
  const texts = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const emptied = given.filter(([, value]) => value === '').map(([name]) => PROFILE_OPTIONS[name]);
  const remove = form.has('logoRemove') ? [...emptied, PROFILE_OPTIONS.logoHash] : emptied;
  const file = form.get('logo');
  return { texts, logo: file ? Buffer.from(file, 'base64') : null, remove };
}

/** An amount that looks like one of many. */
const SAMPLE_CENTS = 2_550;

export interface PreviewedMerchant {
  readonly name: string;
  readonly profile: MerchantProfile;
  /** `CELL`; a merchant that has no logo yet needs none. */
  readonly cell?: number;
}

/**
 * The head of a payer's page with the profile as it is saved or was sent; a script follows what a
 * person types. It has the parts of that page, also those that the profile lacks.
 */
export function profilePreview(
  { language, currency }: Visit,
  { name, profile, cell = 0 }: PreviewedMerchant,
  sent?: URLSearchParams,
): string {
  const { text } = OPERATOR_TEXTS[language];
  const typed = (field: 'name' | 'displayName' | 'accentColour', saved: string | null) =>
    (sent?.has(field) ? sent.get(field)?.trim() : saved) ?? '';
  const registered = typed('name', name) || name;
  const shown = typed('displayName', profile.displayName) || registered;
  const colour = typed('accentColour', profile.accentColour);
  const hasColour = isHexColour(colour);
  const src = profile.logoHash && logoPath(`${cellMark(cell)}${profile.logoHash}`);
  return html`<section class="card preview" data-preview="${name}"><h2>${text('preview')}</h2>
<div class="payer-page"><div class="merchant"><svg class="stripe" viewBox="0 0 1 1"
 preserveAspectRatio="none" aria-hidden="true" focusable="false"!${hasColour ? '' : ' hidden'}><path
 fill="${hasColour ? colour : 'none'}" d="M0 0h1v1H0z"/></svg><img alt="" src="${src || 'data:,'}"
!${src ? '' : ' hidden'}><p><strong><bdi>${shown}</bdi></strong>
<span class="small"!${shown === registered ? ' hidden' : ''}>${text('merchant.registered')}
<bdi>${registered}</bdi></span></p></div>
<p class="number">${localizedAmount(language, SAMPLE_CENTS, currency)}</p>
<p class="lines" aria-hidden="true"><span></span><span></span><span></span></p></div>
<p class="small">${text('previewNote')}</p></section>`;
}
