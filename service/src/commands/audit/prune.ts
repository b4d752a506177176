import { Command } from 'commander';
import { planPrune, pruneAuditLog } from '#audit/prune-audit-log.ts';
import { confirm, refuseUnconfirmed } from '#commands/cli/confirm.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { type ConfirmOptions, confirmOptions, jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { formatInstant } from '#lib/instant.ts';
import { countText } from '#lib/words/count-text.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

type Options = ConfirmOptions & { readonly json?: boolean };

/** `payreq audit prune`: takes entries of more than 7 years, and leaves a signed checkpoint. */
export function auditPruneCommand(invocation: Invocation): Command {
  const command = new Command('prune').description(
    'delete entries older than 7 years and leave a signed checkpoint, from which verify ' +
      'starts; run it with the DATABASE_URL of the tables’ owner',
  );
  for (const option of confirmOptions()) command.addOption(option);
  return command.addOption(jsonOption()).action(async (options: Options, self: Command) => {
    refuseUnconfirmed(invocation, self, options);
    const result = await withDeployment(invocation, self, async (deployment) => {
      const plan = await planPrune(deployment);
      const { entries, last } = plan;
      const members = { cutoff: formatInstant(plan.cutoff), upTo: last && Number(last.position) };
      if (options.dryRun || entries === 0) return { ...members, entries, pruned: 0 };
      await confirm(
        invocation,
        options,
        `Delete ${countText(entries, 'entry', 'entries')} of the audit log, ` +
          `up to ${members.upTo}?`,
      );
      return { ...members, entries, pruned: await asOwner(pruneAuditLog(deployment, plan)) };
    });
    const { entries, pruned, cutoff } = result;
    printResult(invocation, options, { ...result, dryRun: options.dryRun ?? false }, [
      options.dryRun
        ? `Would delete ${countText(entries, 'entry', 'entries')} from before ${cutoff}.`
        : `Deleted ${countText(pruned, 'entry', 'entries')} from before ${cutoff}.`,
    ]);
  });
}

/** Puts the database's refusal into words. @throws OperatorFault */
export async function asOwner<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '42501') {
      throw new OperatorFault(
        'This database role may not do that: run it with the DATABASE_URL of the tables’ owner.',
      );
    }
    throw error;
  }
}
