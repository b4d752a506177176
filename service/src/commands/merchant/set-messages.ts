import { factsOf } from '#commands/cli/align-columns.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { choice, MERCHANT, option, repeatable } from '#commands/cli/inputs.ts';
import { setMessages as changeMessages } from '#merchants/messages/set-messages.ts';
import type { MessageSettings } from '#merchants/model/message-settings.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

const YES_NO = ['yes', 'no'] as const;

/** The settings that `--remove` empties. */
const EMPTIED: Readonly<Record<string, Partial<MessageSettings>>> = {
  reminders: { reminders: [] },
  'sms-sender': { smsSender: null },
  'default-template': { templateId: null },
};

/** `payreq merchant set-messages`: what payers are sent (messages §1). */
export const setMessages = defineCommand({
  summary:
    'set what payers of a merchant are sent where a payment request does not say it, and print ' +
    'it; without options only print it. It holds for later payment requests',
  options: {
    merchant: MERCHANT,
    reminders: option('<hours>', 'up to 3 reminders, in hours before the expiry, as in 48,24'),
    receipt: choice(YES_NO, '<yes|no>', 'an e-mail after the payment and after a refund'),
    quietHours: choice(YES_NO, '<yes|no>', 'whether reminders and SMS leave out the night'),
    smsSender: option('<name>', 'the sender of an SMS, up to 11 letters and digits'),
    defaultTemplate: option('<id>', 'the template of e-mails for which no call names one'),
    remove: repeatable('<value>', 'remove this value, as in default-template; repeatable'),
  },
  async run(deployment, { merchant: merchantId, remove, ...given }) {
    const { reminders, receipt, quietHours, smsSender, defaultTemplate: templateId } = given;
    const change: Partial<MessageSettings> = {
      ...(reminders !== null && { reminders: reminders.split(',').map(Number) }),
      ...(receipt !== null && { receipt: receipt === 'yes' }),
      ...(quietHours !== null && { quietHours: quietHours === 'yes' }),
      ...(smsSender !== null && { smsSender }),
      ...(templateId !== null && { templateId }),
    };
    for (const name of remove) Object.assign(change, emptied(name));
    return { merchantId, ...(await changeMessages(deployment, merchantId, change)) };
  },
  print: ({ reminders, receipt, quietHours, smsSender, templateId }) =>
    factsOf({
      'Reminders (hours before the expiry)': reminders.join(', ') || 'none',
      Receipts: receipt ? 'yes' : 'no',
      'Quiet hours': quietHours ? 'yes' : 'no',
      'SMS sender': smsSender,
      'Default template': templateId,
    }),
});

function emptied(name: string): Partial<MessageSettings> {
  const found = Object.hasOwn(EMPTIED, name) ? EMPTIED[name] : undefined;
  if (found) return found;
  throw new OperatorFault(`--remove: "${name}" is none of ${Object.keys(EMPTIED).join(', ')}.`);
}
