import { doOrPropose } from '#commands/cli/act-for-operator.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { argument, required } from '#commands/cli/inputs.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** ISO 20022's longest reference of a bank. */
const BANK_REFERENCE = /^[\x21-\x7e](?:[\x20-\x7e]{0,33}[\x21-\x7e])?$/;

/** `payreq refund complete`: a person made the transfer, and no debit names it. */
export const complete = defineCommand({
  summary:
    'end a PROCESSING refund as COMPLETED because a person has made its transfer, and the ' +
    'statement names no reference of it. Look at the debit on the statement first',
  options: {
    id: argument('the refund, by its id'),
    bankReference: required('<text>', 'the bank’s own reference of the debit'),
  },
  async run(deployment, { id: refundId, bankReference }) {
    if (!BANK_REFERENCE.test(bankReference)) {
      throw new OperatorFault('--bank-reference must be 1 to 35 printable ASCII characters.');
    }
    const params = { refundId, bankReference };
    const { id, paymentRequestId, status } = await doOrPropose(deployment, {
      kind: 'REFUND_COMPLETE',
      params,
    });
    return { id, paymentRequestId, status };
  },
  print: ({ id }) => `Completed the refund ${id}.`,
});
