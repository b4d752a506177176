import { Command, InvalidArgumentError, Option } from 'commander';
import { confirm, refuseUnconfirmed } from '#commands/cli/confirm.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { type ConfirmOptions, confirmOptions, jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { type Deployment, withDeployment } from '#commands/cli/with-deployment.ts';
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
import { listInWords } from './in-words.ts';
import { REFERENCE, searchByReference } from './search.ts';

interface Options extends ConfirmOptions {
  readonly reason?: (typeof CANCELLATION_REASONS)[number];
  readonly comment?: string;
  readonly json?: boolean;
}

/** Contract §4, Cancel. */
const LONGEST_COMMENT = 250;

/** `payreq request cancel`: by the rules of the merchant's own call (contract §4, Cancel). */
export function requestCancelCommand(invocation: Invocation): Command {
  const command = new Command('cancel')
    .description(
      'cancel a payment request that is CREATED, in place of its merchant, who gets the webhook; ' +
        'the timeline says that an operator cancelled, and the audit log says who',
    )
    .argument(...REFERENCE)
    .addOption(
      new Option('--reason <reason>', 'the reason').choices(CANCELLATION_REASONS).default('OTHER'),
    )
    .option('--comment <text>', 'for the timeline, up to 250 characters', readComment);
  for (const option of confirmOptions()) command.addOption(option);
  return command
    .addOption(jsonOption())
    .action(async (reference: string, options: Options, self: Command) => {
      refuseUnconfirmed(invocation, self, options);
      const { reason, comment, dryRun = false } = options;
      const body = { ...(reason && { reason }), ...(comment && { comment }) };
      const { paymentRequest, isChanged } = await withDeployment(
        invocation,
        self,
        async (deployment) => {
          const one = await findOne(deployment, reference);
          const rehearsed = await cancel(deployment, one, body, 'REHEARSE');
          if (dryRun || !rehearsed.isChanged) return rehearsed;
          await confirm(invocation, options, `Cancel ${titleOf(one, deployment)} for good?`);
          return cancel(deployment, one, body, 'DO');
        },
      );
      const { id, merchant } = paymentRequest;
      printResult(
        invocation,
        options,
        { id, merchantId: merchant.id, cancelled: isChanged, ...(dryRun && { dryRun }) },
        [
          isChanged
            ? `${dryRun ? 'Would cancel' : 'Cancelled'} ${id} of "${merchant.name}".`
            : `${id} of "${merchant.name}" was cancelled before.`,
        ],
      );
    });
}

async function findOne(deployment: Deployment, reference: string): Promise<PaymentRequest> {
  const { paymentRequests } = await searchByReference(deployment, reference);
  const [one, ...others] = paymentRequests;
  if (one && others.length === 0) return one;
  const lines = listInWords(paymentRequests, deployment);
  throw new OperatorFault(
    `Several payment requests have the reference "${reference}". Give the id of one:\n` +
      lines.join('\n'),
  );
}

async function cancel(
  deployment: Deployment,
  paymentRequest: PaymentRequest,
  body: Partial<CancellationBody>,
  mode: 'DO' | 'REHEARSE',
): Promise<OperatorCancellation> {
  const deps = {
    ...deployment,
    settings: deployment,
    ...(deployment.environment === 'sandbox' && { misbehaviourOf }),
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
