import { html } from 'ghtml';
import type { Fact } from '#console/components/parts.ts';
import { formOf, type Option } from '#console/forms/form-field.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import type { Visit } from '#console/shell/visit.ts';
import { shownAccount } from '#lib/bank/account-number.ts';
import { SCHEME_NAMES } from '#lib/bank/account-schemes.ts';
import { newId } from '#lib/new-id.ts';
import { LONGEST_TEXTS } from '#merchants/accounts/read-account.ts';
import { LONGEST_SMS_SENDER, type MessageSettings } from '#merchants/model/message-settings.ts';
import type { Template } from '#messages/model/template.ts';
import { listTemplates } from '#messages/templates/read-templates.ts';
import { countRequests } from '#payment-requests/read/count-requests.ts';
import { framed, profileFields, profilePreview } from './onboard.ts';
import { MERCHANTS_PATH, OPERATOR_TEXTS } from './parts.ts';
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

/** Three numbers of three digits, with room for spaces. */
const LONGEST_REMINDERS = 20;

/** The settings of a merchant's messages to payers, as its page shows them. */
export function messageRows({ language }: Visit, settings: MessageSettings): Fact[] {
  const { text } = OPERATOR_TEXTS[language];
  const { reminders, receipt, quietHours, smsSender, templateId } = settings;
  const yesNo = (is: boolean) => text(is ? 'messages.yes' : 'messages.no');
  return [
    [text('messages.reminders'), html`${reminders.join(', ') || text('messages.none')}`],
    [text('messages.receipt'), yesNo(receipt)],
    [text('messages.quietHours'), yesNo(quietHours)],
    [text('messages.smsSender'), smsSender && html`${smsSender}`],
    [text('messages.templateId'), templateId && html`<code>${templateId}</code>`],
  ];
}

/** The fields, filled with the settings in force. */
function fields({ language }: Visit, settings: MessageSettings, templates: readonly Template[]) {
  const { text } = OPERATOR_TEXTS[language];
  const usable = templates.filter(({ archivedAt }) => archivedAt === null);
  const { reminders, receipt, quietHours, smsSender, templateId } = settings;
  return formOf(
    {
      name: 'reminders',
      label: text('messages.reminders'),
      hint: text('messages.remindersHint'),
      value: reminders.join(', '),
      maxLength: LONGEST_REMINDERS,
    },
    {
      name: 'smsSender',
      label: text('messages.smsSender'),
      hint: text('messages.smsSenderHint'),
      value: smsSender,
      maxLength: LONGEST_SMS_SENDER,
    },
    {
      name: 'templateId',
      kind: 'choice',
      label: text('messages.templateId'),
      value: templateId ?? '',
      options: [
        ['', html`${text('messages.noTemplate')}`],
        ...usable.map(({ id }) => [id, html`${id}`] as const),
      ],
    },
    {
      name: 'receipt',
      kind: 'check',
      label: html`${text('messages.receipt')}`,
      value: receipt ? 'yes' : '',
    },
    {
      name: 'quietHours',
      kind: 'check',
      label: html`${text('messages.quietHours')}`,
      value: quietHours ? 'yes' : '',
    },
  );
}

/** The form of the messages to payers, with the settings in force or with refused ones. */
export const messagesPage: MerchantForm['show'] = async (visit, merchant, { db }, again) => {
  const { sent, refusal } = again ?? {};
  const templates = await listTemplates(db, merchant.id);
  const { text } = OPERATOR_TEXTS[visit.language];
  // The command's option has another name than the setting.
  const isOfTemplate = refusal?.field === 'defaultTemplate';
  const page = {
    title: text('messages'),
    under: text('messages.hint'),
    refusal: isOfTemplate ? { ...refusal, field: 'templateId' } : refusal,
    sent,
    items: fields(visit, merchant.messageSettings, templates),
    buttons: button(text('save')),
  };
  return framed(visit, page, merchant);
};

/** The settings that a posted form asks for. */
export function readMessages(sent: URLSearchParams): MessageSettings {
  const hours = (sent.get('reminders') ?? '').split(/[\s,;]+/).filter(Boolean);
  return {
    reminders: hours.map(Number),
    receipt: sent.has('receipt'),
    quietHours: sent.has('quietHours'),
    smsSender: sent.get('smsSender')?.trim() || null,
    templateId: sent.get('templateId') || null,
  };
}
