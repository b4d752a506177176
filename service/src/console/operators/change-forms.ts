import { html } from 'ghtml';
import { field, postForm, textField } from '#console/components/form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { newId } from '#lib/new-id.ts';
import type { MerchantSettings } from '#merchants/read-merchant.ts';
import { MERCHANTS_PATH } from './merchant-list.ts';
import { framed } from './onboard.ts';
import { OPERATOR_TEXTS } from './texts.ts';

const PROFILE_TEXTS = [
  'displayName',
  'supportEmail',
  'supportPhone',
  'website',
  'accentColour',
] as const;
const ACCOUNT_TEXTS = ['holder', 'iban', 'bic', 'street', 'postalCode', 'town', 'country'] as const;

/** The form of the profile, filled with the values in force or with refused ones. */
export function profilePage(
  visit: Visit,
  { id, name, profile }: MerchantSettings,
  form: URLSearchParams | null = null,
  fault = '',
): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  const texts = PROFILE_TEXTS.map((each) => {
    const value = form === null ? (profile[each] ?? '') : (form.get(each) ?? '');
    return textField({ name: each, label: text(each), value, maxLength: 2_048 });
  });
  const control = html`<input id="logo" name="logo" type="file" accept="image/png"
 aria-describedby="logo-hint">`;
  const remove =
    profile.logoHash === null
      ? ''
      : html`<div class="field"><label class="choice"><input type="checkbox" name="logoRemove"
 value="yes"> ${text('logoRemove')}</label></div>`;
  const body = html`!${texts.join('')}
!${field({ name: 'logo', label: text('logo'), control, hint: text('logoHint') })}!${remove}
<div class="actions"><button class="button">${text('save')}</button></div>`;
  const action = `${MERCHANTS_PATH}/${id}/profile`;
  return framed(visit, `${name}: ${text('profile')}`, {
    fault,
    body: html`<p>${text('profileHint')}</p>!${postForm(visit, { action, body, hasFile: true })}`,
  });
}

/** The form of the account, and the buttons for versions that a bank has closed. */
export function accountPage(
  visit: Visit,
  { id, name, accounts }: MerchantSettings,
  form = new URLSearchParams(),
  fault = '',
): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  const fields = ACCOUNT_TEXTS.map((each) =>
    textField({
      name: each,
      label: text(each),
      value: form.get(each) ?? '',
      maxLength: 100,
      ...((each === 'holder' || each === 'iban') && { isRequired: true as const }),
    }),
  );
  const body = html`<input type="hidden" name="act" value="${newId()}">!${fields.join('')}
<div class="actions"><button class="button">${text('accountSave')}</button></div>`;
  const base = `${MERCHANTS_PATH}/${id}/account`;
  const open = accounts.filter(({ closedAt }) => closedAt === null);
  const closings = open.map(({ version, iban }) => {
    const inner = html`<input type="hidden" name="act" value="${newId()}">
<input type="hidden" name="version" value="${version}">
<p><code>${iban}</code> <button class="button danger">${text('accountClose')}</button></p>`;
    return postForm(visit, { action: `${base}/close`, body: inner });
  });
  return framed(visit, `${name}: ${text('account')}`, {
    fault,
    body: html`<p>${text('accountHint')}</p>!${postForm(visit, { action: base, body })}
!${closings.join('')}`,
  });
}

/** Asks once more before a merchant's calls are refused. */
export function suspendPage(visit: Visit, { id, name }: MerchantSettings): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  const body = html`<div class="actions"><button class="button danger">${text('suspendConfirm')}
</button></div>`;
  return framed(visit, text('suspendTitle', { name }), {
    body: html`<p>${text('suspendNext')}</p>
!${postForm(visit, { action: `${MERCHANTS_PATH}/${id}/suspend`, body })}`,
  });
}
