import { html } from 'ghtml';
import type { Fact } from '#console/components/parts.ts';
import { formOf } from '#console/forms/form-field.ts';
import { button } from '#console/forms/render-form.ts';
import type { Visit } from '#console/shell/visit.ts';
import { LONGEST_SMS_SENDER, type MessageSettings } from '#merchants/model/message-settings.ts';
import type { Template } from '#messages/model/template.ts';
import { listTemplates } from '#messages/templates/read-templates.ts';
import { framed } from './onboard.ts';
import { OPERATOR_TEXTS } from './parts.ts';
import type { MerchantForm } from './settings.ts';

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
