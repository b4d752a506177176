import { Command, InvalidArgumentError, Option } from 'commander';
import { confirm, refuseUnconfirmed } from '#commands/cli/confirm.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { type ConfirmOptions, collect, confirmOptions, jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { type Deployment, withDeployment } from '#commands/cli/with-deployment.ts';
import { MONEY_ERASURE } from '#compose/erase-money.ts';
import { isId } from '#lib/new-id.ts';
import { countText } from '#lib/words/count-text.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { findCandidates } from '#payment-requests/erasure/candidate-store.ts';
import { type Erasure, erasePayer } from '#payment-requests/erasure/erase-payer.ts';
import type { ErasedPayer } from '#payment-requests/erasure/payer-erasure-store.ts';
import { candidateLines } from './candidate-lines.ts';

interface Options extends ConfirmOptions {
  readonly merchant?: string;
  readonly allMerchants?: boolean;
  readonly email?: string;
  readonly mobileNumber?: string;
  readonly paymentRequest?: readonly string[];
  readonly name?: string;
  readonly json?: boolean;
}

/** `payreq payer erase` (contract §10). */
export function payerEraseCommand(invocation: Invocation): Command {
  const command = new Command('erase')
    .description(
      'erase a payer from payment requests, webhook events and kept answers; payment requests ' +
        'that can still be paid, or have a webhook to send, are left, and an account number is ' +
        'kept while a refund or case is open: the service erases them later by itself, see ' +
        'payreq payer erasures (exit code 1)',
    )
    .option('--merchant <id>', 'the payment requests of this merchant (see: payreq merchant list)')
    .addOption(
      new Option('--all-merchants', 'the payment requests of every merchant').conflicts('merchant'),
    )
    .option('--email <address>', 'all payment requests with this e-mail address')
    .option(
      '--mobile, --mobile-number <number>',
      'all payment requests with this mobile number, in any punctuation',
    )
    .option('--id, --payment-request <id>', 'this payment request; repeatable', collectIds)
    .addOption(
      new Option(
        '--name <name>',
        'only list the payment requests whose payer has this in the name: several people can ' +
          'have a name, so that the erasure needs the ids',
      ).conflicts(['email', 'mobileNumber', 'paymentRequest']),
    );
  for (const option of confirmOptions()) command.addOption(option);
  return command.addOption(jsonOption()).action(async (options: Options, self: Command) => {
    const { email = null, mobileNumber = null, paymentRequest = [], name } = options;
    if (options.merchant === undefined && !options.allMerchants) {
      self.error('error: give --merchant <id> or --all-merchants');
    }
    if (name !== undefined) return listCandidates(invocation, self, options, name);
    if (!email && !mobileNumber && paymentRequest.length === 0) {
      throw new OperatorFault('Give --email, --mobile-number or --payment-request.');
    }
    refuseUnconfirmed(invocation, self, options);
    await erase(invocation, self, options, {
      ...{ email, mobileNumber },
      paymentRequestIds: paymentRequest,
    });
  });
}

async function erase(
  invocation: Invocation,
  self: Command,
  options: Options,
  payer: ErasedPayer,
): Promise<void> {
  const { merchant = null, dryRun = false } = options;
  const erasure = await withDeployment(invocation, self, async (found: Deployment) => {
    const deployment = { ...found, money: MONEY_ERASURE };
    if (dryRun) return erasePayer(deployment, merchant, payer, 'REHEARSE');
    if (!options.yes) {
      const { paymentRequests, left } = await erasePayer(deployment, merchant, payer, 'REHEARSE');
      const later = left.length > 0 ? `, and of ${left.length} as soon as they allow it,` : '';
      await confirm(
        invocation,
        options,
        `Erase the payer of ${countText(paymentRequests, 'payment request')}${later} of ` +
          `${merchant ?? 'all merchants'} for good?`,
      );
    }
    return erasePayer(deployment, merchant, payer);
  });
  const members = { merchantId: merchant, ...erasure, ...(dryRun && { dryRun }) };
  printResult(invocation, options, members, linesOf(erasure, dryRun));
  if (erasure.left.length > 0) invocation.fail();
}

async function listCandidates(
  invocation: Invocation,
  self: Command,
  options: Options,
  name: string,
): Promise<void> {
  const { merchant = null } = options;
  if (name.trim() === '') throw new OperatorFault('Give --name a part of the payer’s name.');
  const candidates = await withDeployment(invocation, self, ({ db }) =>
    findCandidates(db, merchant, name.trim()),
  );
  printResult(invocation, options, { candidates }, candidateLines(candidates));
}

function collectIds(value: string, previous?: readonly string[]): readonly string[] {
  if (!isId(value)) throw new InvalidArgumentError('Give the id of a payment request, a UUID.');
  return collect(value, previous);
}

const REASONS = {
  NOT_OVER: 'Left: {id} can still be paid: cancel it, or wait for its end.',
  WEBHOOK_OWED: 'Left: {id} has a webhook to send: see payreq notices. 14 days are the longest.',
  REFUND_OPEN: 'Kept: the account number of {id}, because a refund is open.',
  CASE_OPEN: 'Kept: the account number of {id}, because a case is open.',
} as const satisfies Readonly<Record<Erasure['left'][number]['because'], string>>;

function linesOf(erasure: Erasure, dryRun: boolean): string[] {
  const { paymentRequests, webhookEvents, answers, left } = erasure;
  return [
    `${dryRun ? 'Would erase' : 'Erased'} the payer of ` +
      `${countText(paymentRequests, 'payment request')}, with ` +
      `${countText(webhookEvents, 'webhook event')} and ${countText(answers, 'kept answer')}.`,
    ...left.map(({ id, because }) => REASONS[because].replace('{id}', id)),
    ...(left.length > 0 && !dryRun
      ? ['The service erases what is left by itself. See: payreq payer erasures']
      : []),
  ];
}
