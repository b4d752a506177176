import { Command, InvalidArgumentError } from 'commander';
import { eraseRefundMessages, findOpenMoney, findRefundIds } from '#cases/payer-erasure-store.ts';
import { confirm, refuseUnconfirmed } from '#commands/cli/confirm.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import {
  type ConfirmOptions,
  collect,
  confirmOptions,
  jsonOption,
  merchantOption,
} from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { eraseNetworkAccounts, eraseNetworkTexts } from '#compose/erase-network-data.ts';
import { isId } from '#lib/new-id.ts';
import { countText } from '#lib/words/count-text.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import {
  type Erasure,
  erasePayer,
  type MoneyErasure,
} from '#payment-requests/change/erase-payer.ts';

interface Options extends ConfirmOptions {
  readonly merchant: string;
  readonly email?: string;
  readonly mobileNumber?: string;
  readonly paymentRequest?: readonly string[];
  readonly json?: boolean;
}

/** `payreq payer erase` (contract §10). */
export function payerEraseCommand(invocation: Invocation): Command {
  const command = new Command('erase')
    .description(
      'erase a payer from a merchant’s payment requests, webhook events and kept answers; ' +
        'payment requests that can still be paid, or have a webhook to send, are left and named, ' +
        'and an account number is kept while a refund or case is open (exit code 1)',
    )
    .addOption(merchantOption())
    .option('--email <address>', 'all payment requests with this e-mail address')
    .option(
      '--mobile-number <number>',
      'all payment requests with this mobile number, in any punctuation',
    )
    .option('--payment-request <id>', 'this payment request; repeatable', collectIds);
  for (const option of confirmOptions()) command.addOption(option);
  return command.addOption(jsonOption()).action(async (options: Options, self: Command) => {
    const { merchant, email = null, mobileNumber = null, paymentRequest = [] } = options;
    if (!email && !mobileNumber && paymentRequest.length === 0) {
      throw new OperatorFault('Give --email, --mobile-number or --payment-request.');
    }
    refuseUnconfirmed(invocation, self, options);
    const payer = { email, mobileNumber, paymentRequestIds: paymentRequest };
    const erasure = await withDeployment(invocation, self, async (found) => {
      const deployment = { ...found, money: MONEY };
      if (options.dryRun) return erasePayer(deployment, merchant, payer, 'REHEARSE');
      if (!options.yes) {
        const { paymentRequests } = await erasePayer(deployment, merchant, payer, 'REHEARSE');
        await confirm(
          invocation,
          options,
          `Erase the payer of ${countText(paymentRequests, 'payment request')} of ${merchant} ` +
            'for good?',
        );
      }
      return erasePayer(deployment, merchant, payer);
    });
    const { dryRun = false } = options;
    printResult(
      invocation,
      options,
      { merchantId: merchant, ...erasure, ...(dryRun && { dryRun }) },
      linesOf(erasure, dryRun),
    );
    if (erasure.left.length > 0) invocation.fail();
  });
}

function collectIds(value: string, previous?: readonly string[]): readonly string[] {
  if (!isId(value)) throw new InvalidArgumentError('Give the id of a payment request, a UUID.');
  return collect(value, previous);
}

const MONEY: MoneyErasure = {
  findOpen: findOpenMoney,
  findRefunds: findRefundIds,
  eraseTexts: eraseNetworkTexts,
  async eraseAccounts(tx, paymentRequestIds) {
    await eraseRefundMessages(tx, paymentRequestIds);
    await eraseNetworkAccounts(tx, paymentRequestIds);
  },
};

const AGAIN = 'Erase again after its end, with --payment-request';

const REASONS = {
  NOT_OVER: 'Left: {id} can still be paid: cancel it, or wait for its end. Then erase again.',
  WEBHOOK_OWED: 'Left: {id} has a webhook to send: see payreq notices. Then erase again.',
  REFUND_OPEN: `Kept: the account number of {id}, because a refund is open. ${AGAIN}.`,
  CASE_OPEN: `Kept: the account number of {id}, because a case is open. ${AGAIN}.`,
} as const satisfies Readonly<Record<Erasure['left'][number]['because'], string>>;

function linesOf(erasure: Erasure, dryRun: boolean): string[] {
  const { paymentRequests, webhookEvents, answers, left } = erasure;
  return [
    `${dryRun ? 'Would erase' : 'Erased'} the payer of ` +
      `${countText(paymentRequests, 'payment request')}, with ` +
      `${countText(webhookEvents, 'webhook event')} and ${countText(answers, 'kept answer')}.`,
    ...left.map(({ id, because }) => REASONS[because].replace('{id}', id)),
  ];
}
