import { InvalidArgumentError, Option } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import { refuseUnconfirmed } from '#commands/cli/confirm.ts';
import { defineTool } from '#commands/cli/define-command.ts';
import { CONFIRM, collect, type Input, option, UsageFault } from '#commands/cli/inputs.ts';
import { openDeployment } from '#commands/cli/with-deployment.ts';
import { MONEY_ERASURE } from '#compose/erase-money.ts';
import { formatInstant } from '#lib/instant.ts';
import { isId } from '#lib/new-id.ts';
import { countText } from '#lib/words/count-text.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { type Candidate, findCandidates } from '#payment-requests/erasure/candidate-store.ts';
import { type Erasure, erasePayer } from '#payment-requests/erasure/erase-payer.ts';

const allMerchants: Input<boolean> = {
  declare: () =>
    new Option('--all-merchants', 'the payment requests of every merchant').conflicts('merchant'),
  absent: false,
};
const mobileNumber: Input<string | null> = {
  declare: () =>
    new Option(
      '--mobile, --mobile-number <number>',
      'all payment requests with this mobile number, in any punctuation',
    ),
  absent: null,
};
const paymentRequest: Input<readonly string[]> = {
  declare: () =>
    new Option('--id, --payment-request <id>', 'this payment request; repeatable').argParser(
      collectIds,
    ),
  absent: [],
};
const name: Input<string | null> = {
  declare: () =>
    new Option(
      '--name <name>',
      'only list the payment requests whose payer has this in the name: several people can ' +
        'have a name, so that the erasure needs the ids',
    ).conflicts(['email', 'mobileNumber', 'paymentRequest']),
  absent: null,
};

/** `payreq payer erase` (contract §10). */
export const erase = defineTool({
  summary:
    'erase a payer from payment requests, webhook events and kept answers; payment requests ' +
    'that can still be paid, or have a webhook to send, are left, and an account number is ' +
    'kept while a refund or case is open: the service erases them later by itself, see ' +
    'payreq payer erasures (exit code 1)',
  options: {
    merchant: option('<id>', 'the payment requests of this merchant (see: payreq merchant list)'),
    allMerchants,
    email: option('<address>', 'all payment requests with this e-mail address'),
    mobileNumber,
    paymentRequest,
    name,
    ...CONFIRM,
  },
  async run(options, shell) {
    const { merchant, email, mobileNumber, paymentRequest: paymentRequestIds, name } = options;
    if (merchant === null && !options.allMerchants) {
      throw new UsageFault('give --merchant <id> or --all-merchants');
    }
    if (name !== null) {
      if (name.trim() === '') throw new OperatorFault('Give --name a part of the payer’s name.');
      return openDeployment(shell, async ({ db }) => ({
        candidates: await findCandidates(db, merchant, name.trim()),
      }));
    }
    if (!email && !mobileNumber && paymentRequestIds.length === 0) {
      throw new OperatorFault('Give --email, --mobile-number or --payment-request.');
    }
    refuseUnconfirmed(shell);
    const payer = { email, mobileNumber, paymentRequestIds };
    return openDeployment(shell, async (found) => {
      const deployment = { ...found, money: MONEY_ERASURE };
      const rehearse = () => erasePayer(deployment, merchant, payer, 'REHEARSE');
      if (options.dryRun) return { merchantId: merchant, ...(await rehearse()), dryRun: true };
      if (!options.yes) {
        const { paymentRequests, left } = await rehearse();
        const later = left.length > 0 ? `, and of ${left.length} as soon as they allow it,` : '';
        await shell.confirm(
          `Erase the payer of ${countText(paymentRequests, 'payment request')}${later} of ` +
            `${merchant ?? 'all merchants'} for good?`,
        );
      }
      return { merchantId: merchant, ...(await erasePayer(deployment, merchant, payer)) };
    });
  },
  print: (found, { dryRun }) =>
    'candidates' in found ? candidateLines(found.candidates) : linesOf(found, dryRun),
  fails: (found) => 'left' in found && found.left.length > 0,
});

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

/** The payment requests among which an operator chooses the payer's. */
function candidateLines(candidates: readonly Candidate[]): string[] {
  if (candidates.length === 0) return ['No payment request has such a name. Nothing was erased.'];
  const rows = candidates.map((each) => [
    each.paymentRequestId,
    each.merchantId,
    each.status,
    formatInstant(each.createdAt),
    each.name,
    [each.email, each.mobileNumber].filter(Boolean).join(' '),
  ]);
  return [
    ...alignColumns([['ID', 'MERCHANT', 'STATUS', 'CREATED', 'NAME', 'CONTACT'], ...rows]),
    'Nothing was erased. Give the ids of this payer: --id ID --id ID',
  ];
}
