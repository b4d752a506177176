import type { Command } from 'commander';
import type { AskedAct } from '#approvals/act-or-propose.ts';
import type { ActKind } from '#approvals/model/act.ts';
import type { SettledCase } from '#cases/settle-case.ts';
import type { SplitCase } from '#cases/split-case.ts';
import { actForOperator, printProposal } from '#commands/cli/act-for-operator.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { formatAmount } from '#lib/money.ts';

/** The argument of every command about one case. */
export const CASE_ARGUMENT = ['<id>', 'the case, by its id (see: payreq cases list)'] as const;

type SettlingAct = Extract<ActKind, `CASE_${string}`>;

/** Settles a case, or proposes to, prints it, and signals the change to the running service. */
export async function runSettlement<Kind extends SettlingAct>(
  invocation: Invocation,
  command: Command,
  options: { readonly json?: boolean },
  act: AskedAct<Kind>,
): Promise<void> {
  const { result, proposal } = await withDeployment(invocation, command, (deployment) =>
    actForOperator(deployment, act),
  );
  if (proposal) return printProposal(invocation, options, proposal);
  if ('parts' in result) return printSplit(invocation, options, result);
  printSettled(invocation, options, result);
}

/** Prints the end of a case. */
export function printSettled(
  invocation: Invocation,
  options: { readonly json?: boolean },
  settled: SettledCase,
): void {
  printResult(invocation, options, settled, [inWords(settled)]);
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

function printSplit(
  invocation: Invocation,
  options: { readonly json?: boolean },
  split: SplitCase,
): void {
  const { id, kind, parts } = split;
  printResult(invocation, options, split, [
    `Settled ${kind} ${id} in ${parts.length} parts:`,
    ...parts.map(({ paymentRequestId, amountCents, outcome }) => {
      const words = PART_OUTCOMES[outcome ?? 'REFUND_RECORDED'];
      return `${formatAmount(amountCents)}: the payment request ${paymentRequestId} ${words}.`;
    }),
  ]);
}

/** Outcomes that are no change of one payment request. */
const OTHER_OUTCOMES: Readonly<Record<string, string>> = {
  HELD: 'the corrected money has a new case',
  REFUND_COMPLETED: 'the refund is COMPLETED, and the difference is booked',
  REFUND_RETURNED: 'the refund has FAILED, and the difference is booked',
  CHARGES_ACCEPTED: 'the difference stays booked',
};

function inWords({ id, kind, settlement, outcome, paymentRequestId }: SettledCase): string {
  const words = OUTCOMES[outcome];
  const other = OTHER_OUTCOMES[outcome];
  if (other !== undefined) return `Settled ${kind} ${id}: ${other}.`;
  if (settlement === 'CLOSED' || words === undefined) return `Closed ${kind} ${id}.`;
  return `Settled ${kind} ${id}: the payment request ${paymentRequestId} ${words}.`;
}
