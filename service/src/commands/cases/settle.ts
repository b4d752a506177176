import type { Command } from 'commander';
import type { SettleDeps, SettledCase } from '#cases/settle-case.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { canRefund } from '#compose/connect-network.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { Problem } from '#lib/problem.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { notifyOfChanges } from '#payment-requests/read/change-signal-store.ts';
import { misbehaviourOf } from '#sandbox/misbehaviour-of.ts';
import { notifySenders } from '#webhooks/events/outbox.ts';

/** The argument of every command about one case. */
export const CASE_ARGUMENT = ['<id>', 'the case, by its id (see: payreq cases list)'] as const;

/** Runs a settlement, prints it, and signals the change to the running service. */
export async function runSettlement(
  invocation: Invocation,
  command: Command,
  options: { readonly json?: boolean },
  settle: (deps: SettleDeps) => Promise<SettledCase>,
): Promise<void> {
  const settled = await withDeployment(invocation, command, async (deployment) => {
    const { db, environment } = deployment;
    const result = await inOperatorsWords(() =>
      settle({
        ...deployment,
        settings: deployment,
        canRefund: canRefund(deployment),
        ...(environment === 'sandbox' && { misbehaviourOf }),
      }),
    );
    const { paymentRequestId } = result;
    if (result.settlement !== 'CLOSED' && paymentRequestId !== null) {
      // A lost signal delays the webhook by a second, and a waiting call by its wait.
      await notifyOfChanges(db, [paymentRequestId]).catch(() => {});
      await notifySenders(db).catch(() => {});
    }
    return result;
  });
  printResult(invocation, options, settled, [inWords(settled)]);
}

async function inOperatorsWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, detail = PROBLEMS[code].detail } = error;
    throw new OperatorFault(`The case cannot be settled. ${detail}`);
  }
}

const OUTCOMES: Readonly<Record<string, string>> = {
  PAID: 'is PAID',
  PART: 'has a part of its amount',
  MISMATCH: 'has more than its amount: see the new case AMOUNT_MISMATCH',
  REFUND_CREATED: 'has a refund: the network gives the money back',
  REFUND_RECORDED: 'has a refund that is COMPLETED',
};

function inWords({ id, kind, settlement, outcome, paymentRequestId }: SettledCase): string {
  const words = OUTCOMES[outcome];
  if (settlement === 'CLOSED' || words === undefined) return `Closed ${kind} ${id}.`;
  return `Settled ${kind} ${id}: the payment request ${paymentRequestId} ${words}.`;
}
