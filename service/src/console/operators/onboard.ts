import { html } from 'ghtml';
import { field, postForm, textField } from '#console/components/form.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { envFileName, showOnce } from '#console/credentials/show-once.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { newMerchantId } from '#merchants/new-secret.ts';
import { type OnboardedMerchant, onboardMerchant } from '#merchants/onboard-merchant.ts';
import { setProfile } from '#merchants/profile/set-profile.ts';
import { type ProfileText, readProfileText } from '#merchants/profile/validate-profile.ts';
import { MERCHANTS_PATH } from './merchant-list.ts';
import { tryAct } from './option-fault.ts';
import { OPERATOR_TEXTS } from './texts.ts';

/** The parts of the profile that are known at the beginning. */
const PROFILE_FIELDS = ['displayName', 'supportEmail', 'supportPhone', 'website'] as const;

/** The form, and again with its values after a refusal. */
export function onboardPage(visit: Visit, form = new URLSearchParams(), fault = ''): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  const value = (name: string) => form.get(name) ?? '';
  const profile = PROFILE_FIELDS.map((name) =>
    textField({ name, label: text(name), value: value(name), maxLength: 254 }),
  );
  const nameField = textField({
    name: 'name',
    label: text('name'),
    value: value('name'),
    maxLength: 100,
    isRequired: true,
  });
  const urlField = textField({
    name: 'webhookUrl',
    label: text('webhookUrl'),
    value: value('webhookUrl'),
    type: 'url',
    hint: text('webhookUrlHint'),
  });
  const body = html`<input type="hidden" name="id" value="${value('id') || newMerchantId()}">
!${nameField}!${urlField}
!${originsField(visit, 'return', value('return'))}
<div class="field"><label class="choice"><input type="checkbox" name="unique" value="yes"
!${form.has('unique') ? ' checked' : ''}> ${text('unique')}</label></div>
<h2>${text('profile')}</h2><p class="quiet">${text('profileHint')}</p>!${profile.join('')}
<div class="actions"><button class="button">${text('onboardButton')}</button></div>`;
  const action = `${MERCHANTS_PATH}/new`;
  return framed(visit, text('onboardTitle'), {
    fault,
    body: html`<p>${text('onboardLead')}</p>!${postForm(visit, { action, body })}`,
  });
}

/** A text of origins, one a line. */
export function originsField(visit: Visit, use: 'return' | 'webhook', value: string): string {
  const { text } = OPERATOR_TEXTS[visit.language];
  const control = html`<textarea id="${use}" name="${use}" rows="3" spellcheck="false"
 aria-describedby="${use}-hint">${value}</textarea>`;
  return field({ name: use, label: text(`origins.${use}`), control, hint: text('originsHint') });
}

/** The lines of a text, without empty ones. */
export function linesOf(text: string | null): string[] {
  return (text ?? '').split(/\s+/).filter((line) => line !== '');
}

/** Registers the merchant with its profile, and shows its first credentials once. */
export async function onboard(
  deps: ConsoleDeps,
  visit: Visit,
  form: URLSearchParams,
): Promise<ConsolePage> {
  const { actor } = visit;
  const texts = profileTextsOf(form);
  const tried = await tryAct(async () => {
    // A refused profile leaves no half-made merchant.
    for (const [name, value] of Object.entries(texts)) readProfileText(name as ProfileText, value);
    return onboardMerchant(
      { ...deps, ...deps.credentials, ...deps.operators, actor },
      {
        merchantId: form.get('id') ?? '',
        name: form.get('name') ?? '',
        webhookUrl: form.get('webhookUrl')?.trim() || null,
        webhookOrigins: [],
        returnOrigins: linesOf(form.get('return')),
        uniqueTransactionIds: form.has('unique'),
      },
    );
  });
  if ('fault' in tried) return onboardPage(visit, form, tried.fault);
  const { merchantId } = tried.result;
  if (Object.keys(texts).length > 0) {
    await setProfile({ ...deps, actor }, { merchantId, texts, logo: null, remove: [] });
  }
  return onboardedPage(deps, visit, tried.result);
}

function profileTextsOf(form: URLSearchParams): Partial<Record<ProfileText, string>> {
  const given = PROFILE_FIELDS.map((name) => [name, form.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

function onboardedPage(
  { credentials, environment }: ConsoleDeps,
  visit: Visit,
  made: OnboardedMerchant,
): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  const { merchantId, name, username, password, apiKey, listener } = made;
  const madeAt = visit.now.toISOString();
  const shown = showOnce(visit, envFileName(environment), {
    comment: `${environment} credentials of ${name} (${merchantId}), made at ${madeAt}`,
    values: {
      BASE_URL: credentials.publicApiUrl,
      AUTH_URL: credentials.publicAuthUrl,
      API_USERNAME: username,
      API_PASSWORD: password,
      API_KEY: apiKey,
      LISTENER_USERNAME: listener.username,
      LISTENER_PASSWORD: listener.password,
      SIGNING_SECRET: listener.signingSecret,
    },
  });
  const open = html`<p class="actions"><a class="button quiet"
 href="/console${MERCHANTS_PATH}/${merchantId}">${text('openMerchant')}</a></p>`;
  return framed(visit, text('onboarded', { name }), {
    body: html`<p>${text('onboardedNext')}</p>!${shown}!${open}`,
  });
}

/** A page below the list of merchants, with the refusal of its form. */
export function framed(
  { language }: Visit,
  title: string,
  { body, fault = '' }: { readonly body: string; readonly fault?: string },
): ConsolePage {
  const { text } = OPERATOR_TEXTS[language];
  const refusal = fault === '' ? '' : html`<p class="notice bad" role="alert">${fault}</p>`;
  return {
    title,
    section: 'operator.merchants',
    ...(fault !== '' && { status: 422 }),
    body: html`<h1>${title}</h1>!${refusal}!${body}
<p><a href="/console${MERCHANTS_PATH}">${text('back')}</a></p>`,
  };
}
