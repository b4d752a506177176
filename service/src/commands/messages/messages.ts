import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { MERCHANT, option } from '#commands/cli/inputs.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { createMessageKey } from '#messages/addresses/message-key.ts';
import { liftSuppression } from '#messages/refusal/lift-suppression.ts';

const lift = defineCommand({
  summary:
    'let a merchant’s messages reach a recipient again who had refused them, or its reminders; ' +
    'the recipient has to ask for it',
  options: {
    merchant: MERCHANT,
    email: option('<address>', 'the recipient’s e-mail address'),
    mobileNumber: option(
      '<number>',
      'the recipient’s mobile number, with + and the country’s code',
    ),
  },
  run(deployment, { merchant: merchantId, email, mobileNumber }) {
    if ((email === null) === (mobileNumber === null)) {
      throw new OperatorFault('Give either --email ADDRESS or --mobile-number NUMBER.');
    }
    const key = createMessageKey(deployment.secretsKey);
    const channel = email === null ? 'SMS' : 'EMAIL';
    const address = email ?? mobileNumber ?? '';
    return liftSuppression({ ...deployment, key }, { merchantId, channel }, address);
  },
  print: ({ channel }) => `Messages by ${channel} reach this address again.`,
});

/** `payreq messages`: the messages to payers (messages §5). */
export const messagesCommand = defineNoun('messages to payers', { lift });
