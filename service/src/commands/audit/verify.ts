import { Command } from 'commander';
import type { ChainPlace } from '#audit/read-store.ts';
import { verifyAuditLog } from '#audit/verify-audit-log.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { createProgress } from '#commands/cli/progress.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { countText } from '#lib/words/count-text.ts';
import { headText, readHead } from './options.ts';

interface Options {
  readonly head?: ChainPlace;
  readonly json?: boolean;
}

/** `payreq audit verify`: proves that no entry was changed or taken; exit code 1 otherwise. */
export function auditVerifyCommand(invocation: Invocation): Command {
  return new Command('verify')
    .description('prove that no entry of the audit log was changed, deleted or inserted')
    .option('--head <head>', 'the head of an earlier run, kept outside the database', readHead)
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const progress = createProgress(
        options.json ? { write() {} } : invocation.stderr,
        invocation.clock,
      );
      const { entries, faults, faultCount, start, head } = await withDeployment(
        invocation,
        command,
        ({ db, secretsKey }) =>
          verifyAuditLog({
            db,
            secretsKey,
            knownHead: options.head ?? null,
            showProgress: progress.show,
          }),
      );
      progress.clear();
      const ok = faultCount === 0;
      const more = faultCount - faults.length;
      printResult(
        invocation,
        options,
        { ok, entries, faults, faultCount, start: headText(start), head: headText(head) },
        [
          ...faults.map((fault) => `FAIL ${fault}`),
          ...(more > 0 ? [`FAIL ${countText(more, 'more fault')}.`] : []),
          inWords(entries, ok),
          `Head: ${headText(head)}`,
        ],
      );
      if (!ok) invocation.fail();
    });
}

function inWords(entries: number, ok: boolean): string {
  if (ok)
    return entries === 1
      ? '1 entry is as it was written.'
      : `${entries} entries are as they were written.`;
  return `Verified ${countText(entries, 'entry', 'entries')}.`;
}
