import { Option } from 'commander';
import { closeCase } from '#cases/close-case.ts';
import { readPart } from '#cases/model/read-parts.ts';
import type { SettledCase } from '#cases/settle-case.ts';
import type { SplitCase } from '#cases/split-case.ts';
import { doOrPropose } from '#commands/cli/act-for-operator.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { argument, type Input, option, required } from '#commands/cli/inputs.ts';
import { canRefund } from '#compose/networks.ts';
import { MOST_PARTS, type MoneyPart } from '#e-transfer/money-parts.ts';
import { formatAmount } from '#lib/money.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** The argument of every command about one case. */
export const CASE = argument('the case, by its id (see: payreq cases list)');
const NOTE = option('<text>', 'the reason, for the audit log');

export const accept = defineCommand({
  summary:
    'take the money of a case as the payment: the payment request is PAID with any amount; ' +
    'or record a refund that the merchant’s bank made; or book the difference of a ' +
    'REFUND_AMOUNT as charges or a correction',
  options: { id: CASE, note: NOTE },
  run: (deployment, { id: caseId, note }) =>
    doOrPropose(deployment, { kind: 'CASE_ACCEPT', params: { caseId, note } }),
  print: formatSettled,
});

export const assign = defineCommand({
  summary:
    'give the money of a case to a payment request, as if it had arrived for it: PAID when the ' +
    'sum is exact, a part when it is less, a new case when it is more; money that the ' +
    'merchant’s bank gave back becomes a refund of the payment request',
  options: {
    id: CASE,
    paymentRequest: required('<id>', 'the payment request that the payer meant'),
    note: NOTE,
  },
  run: (deployment, { id: caseId, paymentRequest: paymentRequestId, note }) =>
    doOrPropose(deployment, { kind: 'CASE_ASSIGN', params: { caseId, paymentRequestId, note } }),
  print: formatSettled,
});

export const refund = defineCommand({
  summary: 'give what is left of the money of a case back, to the account from which it came',
  options: {
    id: CASE,
    movement: option('<reference>', 'for REFUND_ACCOUNT_UNCLEAR: the movement to give back'),
    note: NOTE,
  },
  run: (deployment, { id: caseId, movement, note }) =>
    doOrPropose(deployment, { kind: 'CASE_REFUND', params: { caseId, movement, note } }),
  print: formatSettled,
});

export const replace = defineCommand({
  summary:
    'let the corrected booking of a case take the place of the earlier one under the same bank ' +
    'reference; a payment request that is PAID stays PAID, and the difference is a new case',
  options: {
    id: CASE,
    movement: option(
      '<reference>',
      'the earlier booking or its part, where the case names several',
    ),
    note: NOTE,
  },
  run: (deployment, { id: caseId, movement, note }) =>
    doOrPropose(deployment, { kind: 'CASE_REPLACE', params: { caseId, movement, note } }),
  print: formatSettled,
});

const parts: Input<readonly MoneyPart[]> = {
  declare: () =>
    new Option(
      '--part <id=amount>',
      'a payment request and its share, as in ID=12.34; give it once for each part',
    )
      .argParser((text, before: readonly MoneyPart[] = []) => [...before, partOf(text)])
      .makeOptionMandatory(),
};

export const split = defineCommand({
  summary:
    `split the money of a case among 2 to ${MOST_PARTS} payment requests of its account, each ` +
    'part as if it had arrived for its own; the parts together are exactly the money',
  options: { id: CASE, part: parts, note: NOTE },
  run: (deployment, { id: caseId, part, note }) =>
    doOrPropose(deployment, { kind: 'CASE_SPLIT', params: { caseId, parts: part, note } }),
  print: formatSplit,
});

export const close = defineCommand({
  summary:
    'close a case that a person has settled elsewhere: no money moves; the audit log keeps the ' +
    'operator and the note',
  options: { id: CASE, note: required('<text>', 'the way in which the case was settled') },
  run: (deployment, { id, note }) =>
    closeCase({ ...deployment, settings: deployment, canRefund: canRefund(deployment) }, id, note),
  print: formatSettled,
});

function partOf(text: string): MoneyPart {
  const part = readPart(text);
  if (part) return part;
  throw new OperatorFault(`--part must be ID=AMOUNT, as in ID=12.34, and is "${text}".`);
}

const PART_OUTCOMES = {
  PAID: 'is PAID',
  PART: 'has a part of its amount',
  MISMATCH: 'has more than its amount: see the new case AMOUNT_MISMATCH',
  SECOND: 'was PAID before: see the new case SECOND_PAYMENT',
  REFUND_RECORDED: 'has a refund that is COMPLETED',
} as const;

const OUTCOMES: Readonly<Record<string, string>> = {
  ...PART_OUTCOMES,
  REDUCED: 'stays PAID with less: see the new case MONEY_RETURNED',
  REFUND_CREATED: 'has a refund: the network gives the money back',
};

/** Outcomes that are no change of one payment request. */
const OTHER_OUTCOMES: Readonly<Record<string, string>> = {
  HELD: 'the corrected money has a new case',
  REFUND_COMPLETED: 'the refund is COMPLETED, and the difference is booked',
  REFUND_RETURNED: 'the refund has FAILED, and the difference is booked',
  CHARGES_ACCEPTED: 'the difference stays booked',
};

function formatSplit({ id, kind, parts }: SplitCase): string[] {
  return [
    `Settled ${kind} ${id} in ${parts.length} parts:`,
    ...parts.map(({ paymentRequestId, amountCents, outcome }) => {
      const words = PART_OUTCOMES[outcome ?? 'REFUND_RECORDED'];
      return `${formatAmount(amountCents)}: the payment request ${paymentRequestId} ${words}.`;
    }),
  ];
}

function formatSettled({ id, kind, settlement, outcome, paymentRequestId }: SettledCase): string {
  const words = OUTCOMES[outcome];
  const other = OTHER_OUTCOMES[outcome];
  if (other !== undefined) return `Settled ${kind} ${id}: ${other}.`;
  if (settlement === 'CLOSED' || words === undefined) return `Closed ${kind} ${id}.`;
  return `Settled ${kind} ${id}: the payment request ${paymentRequestId} ${words}.`;
}
