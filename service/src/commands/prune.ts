import { Command, InvalidArgumentError } from 'commander';
import { leastYearsOf } from '#lib/environment.ts';
import { formatInstant } from '#lib/instant.ts';
import { countText } from '#lib/words/count-text.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { type PruneResult, pruneNow, rehearsePrune } from '#retention/prune.ts';
import { findHorizon } from '#retention/run-store.ts';
import { confirm, refuseUnconfirmed } from './cli/confirm.ts';
import type { Invocation } from './cli/invocation.ts';
import { type ConfirmOptions, confirmOptions, jsonOption } from './cli/options.ts';
import { printResult } from './cli/print-result.ts';
import { withDeployment } from './cli/with-deployment.ts';

interface Options extends ConfirmOptions {
  readonly olderThan: number;
  readonly json?: boolean;
}

/** `payreq prune`: deletes what retention no longer keeps (contract §10, decision 0104). */
export function pruneCommand(invocation: Invocation): Command {
  const command = new Command('prune')
    .description(
      'delete payment requests to which nothing has happened for so many years, with everything ' +
        'about them; open refunds, cases, webhooks and money keep theirs. With RETENTION_YEARS ' +
        'the service does it daily',
    )
    .requiredOption('--older-than <years>', 'the years since the last event, as in 7y', readYears);
  for (const option of confirmOptions()) command.addOption(option);
  return command.addOption(jsonOption()).action(async (options: Options, self: Command) => {
    refuseUnconfirmed(invocation, self, options);
    const { dryRun = false, yes, olderThan: years } = options;
    const result = await withDeployment(invocation, self, async (deployment) => {
      const { environment, db, actor } = deployment;
      const least = leastYearsOf(environment);
      if (years < least) {
        throw new OperatorFault(
          `A ${environment} deployment keeps payment requests for ${countText(least, 'year')} ` +
            'at least.',
        );
      }
      const horizon = await findHorizon(db, years);
      if (dryRun) return rehearsePrune(deployment, horizon);
      if (!yes) {
        const { deleted } = await rehearsePrune(deployment, horizon);
        const count = countText(deleted.payment_requests ?? 0, 'payment request');
        const asked = `Delete ${count} of before ${formatInstant(horizon)} for good?`;
        await confirm(invocation, options, asked);
      }
      return pruneNow(deployment, horizon, actor);
    });
    const { deleted, kept } = result;
    const members = { horizon: formatInstant(result.horizon), deleted, kept };
    printResult(invocation, options, { ...members, ...(dryRun && { dryRun }) }, [
      ...linesOf(result, dryRun),
    ]);
  });
}

function readYears(text: string): number {
  const years = /^([1-9]\d{0,2})y$/.exec(text)?.[1];
  if (years === undefined) throw new InvalidArgumentError('Give years, as in 7y.');
  return Number(years);
}

function linesOf({ horizon, deleted, kept }: PruneResult, dryRun: boolean): string[] {
  const { payment_requests: requests = 0, ...others } = deleted;
  const rows = Object.entries(others).map(([table, count]) => `  ${count} ${table}`);
  const end = rows.length > 0 ? ', and rows:' : '.';
  return [
    `${dryRun ? 'Would delete' : 'Deleted'} ${countText(requests, 'payment request')} to which ` +
      `nothing has happened since ${formatInstant(horizon)}${end}`,
    ...rows,
    ...(kept > 0
      ? [`Kept ${countText(kept, 'older payment request')}: later events, or an open matter.`]
      : []),
  ];
}
