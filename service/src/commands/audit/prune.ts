import { addCheckpoint, planPrune, pruneAuditLog } from '#audit/prune-audit-log.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { CONFIRM } from '#commands/cli/inputs.ts';
import { formatInstant } from '#lib/instant.ts';
import { countText } from '#lib/words/count-text.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { headText } from './options.ts';

export const checkpoint = defineCommand({
  summary:
    'verify the audit log and sign its end with SECRETS_KEY: a later change of earlier ' +
    'entries is then detected; run it with the DATABASE_URL of the tables’ owner',
  run: async (deployment) => ({ head: headText(await asOwner(addCheckpoint(deployment))) }),
  print: ({ head }) => `Signed. Head: ${head}`,
});

export const prune = defineCommand({
  summary:
    'delete entries older than 7 years and leave a signed checkpoint, from which verify ' +
    'starts; run it with the DATABASE_URL of the tables’ owner',
  options: CONFIRM,
  confirms: true,
  async run(deployment, { dryRun }, shell) {
    const plan = await planPrune(deployment);
    const { entries, last } = plan;
    const upTo = last && Number(last.position);
    const members = { cutoff: formatInstant(plan.cutoff), upTo, entries };
    if (dryRun || entries === 0) return { ...members, pruned: 0, dryRun };
    const count = countText(entries, 'entry', 'entries');
    await shell.confirm(`Delete ${count} of the audit log, up to ${upTo}?`);
    return { ...members, pruned: await asOwner(pruneAuditLog(deployment, plan)), dryRun };
  },
  print: ({ entries, pruned, cutoff, dryRun }) =>
    dryRun
      ? `Would delete ${countText(entries, 'entry', 'entries')} from before ${cutoff}.`
      : `Deleted ${countText(pruned, 'entry', 'entries')} from before ${cutoff}.`,
});

/** Puts the database's refusal into words. @throws OperatorFault */
async function asOwner<Result>(work: Promise<Result>): Promise<Result> {
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
