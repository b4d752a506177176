import { html } from 'ghtml';
import { formOf } from '#console/forms/form-field.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { newId } from '#lib/new-id.ts';
import { LONGEST_TEXTS } from '#merchants/accounts/read-account.ts';
import type { MerchantSettings } from '#merchants/read-merchant.ts';
import { MERCHANTS_PATH } from './merchants-path.ts';
import { framed } from './onboard.ts';
import { profileFields } from './profile-fields.ts';
import { OPERATOR_TEXTS } from './texts.ts';

const ACCOUNT_TEXTS = ['holder', 'iban', 'bic', 'street', 'postalCode', 'town', 'country'] as const;
/** A code may have spaces between its groups, which its reader leaves out. */
const LONGEST_CODE = 100;
const LONGEST = { iban: LONGEST_CODE, bic: LONGEST_CODE, country: LONGEST_CODE, ...LONGEST_TEXTS };

/** The form of the profile, filled with the values in force or with refused ones. */
export function profilePage(
  visit: Visit,
  { id, name, profile }: MerchantSettings,
  sent?: URLSearchParams,
  refusal?: string,
): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  return framed(visit, {
    title: `${name}: ${text('profile')}`,
    refusal,
    lead: html`<p>${text('profileHint')}</p>`,
    form: {
      sent,
      action: `${MERCHANTS_PATH}/${id}/profile`,
      items: profileFields(visit, profile),
      buttons: button(text('save')),
    },
  });
}

/** The form of the account, and the buttons for versions that a bank has closed. */
export function accountPage(
  visit: Visit,
  { id, name, accounts }: MerchantSettings,
  sent?: URLSearchParams,
  refusal?: string,
): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  const act = { name: 'act', kind: 'hidden' } as const;
  const items = formOf(
    // A form that was sent keeps its id, and acts once.
    { ...act, value: newId() },
    ...ACCOUNT_TEXTS.map((each) => ({
      name: each,
      label: text(each),
      maxLength: LONGEST[each],
      isRequired: each === 'holder' || each === 'iban',
    })),
  );
  const action = `${MERCHANTS_PATH}/${id}/account`;
  const open = accounts.filter(({ closedAt }) => closedAt === null);
  const closings = open.map(({ version, iban }) =>
    renderForm(visit, {
      action: `${action}/close`,
      items: [
        { ...act, value: newId() },
        { name: 'version', kind: 'hidden', value: `${version}` },
        html`<p><code>${iban}</code> !${button(text('accountClose'), { kind: 'danger' })}</p>`,
      ],
    }),
  );
  return framed(visit, {
    title: `${name}: ${text('account')}`,
    refusal,
    lead: html`<p>${text('accountHint')}</p>`,
    form: { sent, action, items, buttons: button(text('accountSave')) },
    after: `\n${closings.join('')}`,
  });
}

/** Asks once more before a merchant's calls are refused. */
export function suspendPage(visit: Visit, { id, name }: MerchantSettings): ConsolePage {
  const { text } = OPERATOR_TEXTS[visit.language];
  return framed(visit, {
    title: text('suspendTitle', { name }),
    lead: html`<p>${text('suspendNext')}</p>`,
    form: {
      action: `${MERCHANTS_PATH}/${id}/suspend`,
      items: [],
      buttons: button(text('suspendConfirm'), { kind: 'danger' }),
    },
  });
}
