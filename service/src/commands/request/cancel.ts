import { InvalidArgumentError, Option } from 'commander';
import { defineCommand } from '#commands/cli/define-command.ts';
import { argument, CONFIRM, type Input, option } from '#commands/cli/inputs.ts';
import type { Deployment } from '#commands/cli/with-deployment.ts';
import { messageHooksOf } from '#compose/messages/message-deps.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { formatAmount } from '#lib/money.ts';
import { Problem } from '#lib/problem.ts';
import { NO_CONTROL_CHARACTERS } from '#lib/text-forms.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import {
  cancelForOperator,
  type OperatorCancellation,
} from '#payment-requests/change/cancel-for-operator.ts';
import type { CancellationBody } from '#payment-requests/change/schemas.ts';
import { CANCELLATION_REASONS } from '#payment-requests/model/cancellation-reasons.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { misbehaviourOf } from '#sandbox/misbehaviour-of.ts';
import { formatList } from './format-text.ts';
import { searchByReference } from './search.ts';

/** Contract §4, Cancel. */
const LONGEST_COMMENT = 250;

const reason: Input<(typeof CANCELLATION_REASONS)[number]> = {
  declare: () =>
    new Option('--reason <reason>', 'the reason').choices(CANCELLATION_REASONS).default('OTHER'),
};

/** `payreq request cancel`: by the rules of the merchant's own call (contract §4, Cancel). */
export const cancel = defineCommand({
  summary:
    'cancel a payment request that is CREATED, in place of its merchant, who gets the webhook; ' +
    'the timeline says that an operator cancelled, and the audit log says who',
  options: {
    reference: argument('an id, a short code, a network reference, or a merchantTransactionId'),
    reason,
    comment: option('<text>', 'for the timeline, up to 250 characters', readComment),
    ...CONFIRM,
  },
  confirms: true,
  async run(deployment, { reference, reason, comment, dryRun }, shell) {
    const body = { reason, ...(comment !== null && { comment }) };
    const one = await findOne(deployment, reference);
    const rehearsed = await cancelOne(deployment, one, body, 'REHEARSE');
    if (dryRun || !rehearsed.isChanged) return rehearsed;
    await shell.confirm(`Cancel ${titleOf(one, deployment)} for good?`);
    return cancelOne(deployment, one, body, 'DO');
  },
  json: ({ paymentRequest: { id, merchant }, isChanged }, { dryRun }) => ({
    ...{ id, merchantId: merchant.id, cancelled: isChanged },
    ...(dryRun && { dryRun }),
  }),
  print: ({ paymentRequest: { id, merchant }, isChanged }, { dryRun }) =>
    isChanged
      ? `${dryRun ? 'Would cancel' : 'Cancelled'} ${id} of "${merchant.name}".`
      : `${id} of "${merchant.name}" was cancelled before.`,
});

async function findOne(deployment: Deployment, reference: string): Promise<PaymentRequest> {
  const { paymentRequests } = await searchByReference(deployment, reference);
  const [one, ...others] = paymentRequests;
  if (one && others.length === 0) return one;
  const lines = formatList(paymentRequests, deployment);
  throw new OperatorFault(
    `Several payment requests have the reference "${reference}". Give the id of one:\n` +
      lines.join('\n'),
  );
}

async function cancelOne(
  deployment: Deployment,
  paymentRequest: PaymentRequest,
  body: Partial<CancellationBody>,
  mode: 'DO' | 'REHEARSE',
): Promise<OperatorCancellation> {
  const deps = {
    ...deployment,
    settings: deployment,
    ...(deployment.environment === 'sandbox' && { misbehaviourOf }),
    messages: messageHooksOf(deployment, deployment.clock),
  };
  try {
    return await cancelForOperator(deps, paymentRequest, body, mode);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, detail = PROBLEMS[code].detail } = error;
    throw new OperatorFault(`${paymentRequest.id} cannot be cancelled. ${detail}`);
  }
}

function titleOf({ id, merchant, amountCents }: PaymentRequest, { currency }: Deployment): string {
  return `${id} of "${merchant.name}", ${formatAmount(amountCents)} ${currency},`;
}

function readComment(text: string): string {
  const isText = new RegExp(NO_CONTROL_CHARACTERS).test(text) && text.isWellFormed();
  if (text === '' || text.length > LONGEST_COMMENT || !isText) {
    throw new InvalidArgumentError(`Give 1 to ${LONGEST_COMMENT} characters, all printable.`);
  }
  return text;
}
