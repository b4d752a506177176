import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { formatInstant } from '#lib/instant.ts';
import { listWaiting, type WaitingErasure } from '#payment-requests/erasure/waiting-store.ts';

/** More wait for a single cause, such as a paused endpoint. */
const MOST = 1_000;

/** `payreq payer erasures`: the erasures that the service has still to carry out. */
export function payerErasuresCommand(invocation: Invocation): Command {
  return new Command('erasures')
    .description('print the erasures of payers that wait, and what each waits for')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }, command: Command) => {
      const erasures = await withDeployment(invocation, command, ({ db }) => listWaiting(db, MOST));
      printResult(invocation, options, { erasures }, linesOf(erasures));
    });
}

function linesOf(erasures: readonly WaitingErasure[]): string[] {
  if (erasures.length === 0) return ['No erasure waits.'];
  return alignColumns([
    ['ID', 'MERCHANT', 'WAITS FOR', 'ASKED', 'BY'],
    ...erasures.map(({ paymentRequestId, merchantId, because, askedAt, askedBy }) => [
      paymentRequestId,
      merchantId,
      because,
      formatInstant(askedAt),
      askedBy,
    ]),
  ]);
}
