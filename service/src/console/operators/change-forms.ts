import { html } from 'ghtml';
import { formOf, type Option } from '#console/forms/form-field.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import { shownAccount } from '#lib/bank/account-number.ts';
import { SCHEME_NAMES } from '#lib/bank/account-schemes.ts';
import { newId } from '#lib/new-id.ts';
import { LONGEST_TEXTS } from '#merchants/accounts/read-account.ts';
import { countRequests } from '#payment-requests/read/count-requests.ts';
import { framed } from './onboard.ts';
import { MERCHANTS_PATH, OPERATOR_TEXTS } from './parts.ts';
import { profileFields, profilePreview } from './profile-fields.ts';
import type { MerchantForm } from './settings.ts';

const ACCOUNT_TEXTS = [
  ...(['holder', 'iban', 'scheme', 'bank', 'number', 'statementId', 'etransferAddress'] as const),
  ...(['bic', 'street', 'postalCode', 'town', 'country'] as const),
] as const;
/** Short ones, which share their lines. */
const HALVES: readonly string[] = ['bank', 'number', 'postalCode', 'town'];
const HINTS = {
  iban: 'ibanHint',
  bank: 'bankHint',
  statementId: 'statementIdHint',
  etransferAddress: 'etransferHint',
} as const;
/** A code may have spaces between its groups, which its reader leaves out. */
const LONGEST_CODE = 100;
const LONGEST: Readonly<Record<string, number>> = LONGEST_TEXTS;

/** The form of the profile, filled with the values in force or with refused ones. */
export const profilePage: MerchantForm['show'] = (visit, merchant, { cell }, again) => {
  const { sent, refusal } = again ?? {};
  const { text } = OPERATOR_TEXTS[visit.language];
  const page = {
    title: text('profile'),
    under: text('profileHint'),
    refusal,
    aside: profilePreview(visit, { ...merchant, cell }, sent),
    sent,
    items: profileFields(visit, merchant.profile),
    buttons: button(text('save')),
  };
  return framed(visit, page, merchant);
};

/** The form of the account, and the buttons for versions that a bank has closed. */
export const accountPage: MerchantForm['show'] = (visit, merchant, _deps, again) => {
  const { sent, refusal } = again ?? {};
  const { text } = OPERATOR_TEXTS[visit.language];
  const { id, accounts } = merchant;
  const act = { name: 'act', kind: 'hidden' } as const;
  const schemes: Option[] = [
    ['', text('schemeIban')],
    ...SCHEME_NAMES.map((name): Option => [name, text(`scheme.${name}`)]),
  ];
  const items = formOf(
    // A form that was sent keeps its id, and acts once.
    { ...act, value: newId() },
    ...ACCOUNT_TEXTS.map((each) => ({
      name: each,
      label: text(each),
      maxLength: LONGEST[each] ?? LONGEST_CODE,
      isRequired: each === 'holder',
      ...(each === 'scheme' && { kind: 'choice' as const, options: schemes }),
      ...(each in HINTS && { hint: text(HINTS[each as keyof typeof HINTS]) }),
      ...(HALVES.includes(each) && { isHalf: true as const }),
    })),
  );
  const open = accounts.filter(({ closedAt }) => closedAt === null);
  const closings = open.map(({ version, accountNumber }) =>
    renderForm(visit, {
      action: `${MERCHANTS_PATH}/${id}/account/close`,
      items: [
        { ...act, value: newId() },
        { name: 'version', kind: 'hidden', value: `${version}` },
        html`<p class="set-apart"><code>${shownAccount(accountNumber)}</code>
!${button(text('accountClose'), { kind: 'danger' })}</p>`,
      ],
    }),
  );
  const current = html`<section class="card"><h2>${text('accountNow')}</h2>
!${closings.join('')}</section>`;
  const page = {
    title: text('account'),
    under: text('accountHint'),
    refusal,
    ...(open.length > 0 && { aside: current }),
    ...{ sent, items, buttons: button(text('accountSave')) },
  };
  return framed(visit, page, merchant);
};

/** Asks once more before a merchant's calls are refused. */
export const suspendPage: MerchantForm['show'] = async (visit, merchant, { db }) => {
  const { text } = OPERATOR_TEXTS[visit.language];
  const counts = await countRequests(db, merchant.id, visit.now);
  const open = text('suspendOpen', { count: counts.CREATED + counts.PROCESSING });
  const { name } = merchant;
  const page = {
    title: text('suspendTitle', { name }),
    lead: html`<p><strong>${open}</strong> ${text('suspendNext')}</p>`,
    items: [],
    buttons: button(text('suspendConfirm'), { kind: 'danger' }),
  };
  return framed(visit, page, merchant);
};
