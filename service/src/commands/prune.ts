import { InvalidArgumentError } from 'commander';
import { CONFIRM, required } from '#commands/cli/inputs.ts';
import { leastYearsOf } from '#lib/environment.ts';
import { formatInstant } from '#lib/instant.ts';
import { countText } from '#lib/words/count-text.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { type PruneResult, pruneNow, rehearsePrune } from '#retention/prune.ts';
import { findHorizon } from '#retention/run-store.ts';
import { defineCommand } from './cli/define-command.ts';

/** `payreq prune`: deletes what retention no longer keeps (contract §10, decision 0104). */
export const pruneCommand = defineCommand({
  summary:
    'delete payment requests to which nothing has happened for so many years, with everything ' +
    'about them; open refunds, cases, webhooks and money keep theirs. With RETENTION_YEARS ' +
    'the service does it daily',
  options: {
    olderThan: required('<years>', 'the years since the last event, as in 7y', readYears),
    ...CONFIRM,
  },
  confirms: true,
  async run(deployment, { dryRun, yes, olderThan: years }, shell) {
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
      await shell.confirm(`Delete ${count} of before ${formatInstant(horizon)} for good?`);
    }
    return pruneNow(deployment, horizon, actor);
  },
  json: ({ horizon, deleted, kept }, { dryRun }) => ({
    ...{ horizon: formatInstant(horizon), deleted, kept },
    ...(dryRun && { dryRun }),
  }),
  print: (result, { dryRun }) => linesOf(result, dryRun),
});

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
