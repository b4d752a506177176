import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { createProgress } from '#commands/cli/progress.ts';
import { readSettings } from '#commands/cli/read-settings.ts';
import { connectDatabase } from '#database/database.ts';
import { runChecks } from './run-checks.ts';
import type { Verdict } from './verdict.ts';

/** `payreq doctor`: checks the whole deployment; exit code 1 when something is wrong. */
export function doctorCommand(invocation: Invocation): Command {
  return new Command('doctor')
    .description(
      'check the database, the schema, the clock, the secrets, the signing key, the webhook ' +
        'events (none missing, none stuck), and that payments, refunds, ledger and bank ' +
        'statements agree; exit code 1 after a fault',
    )
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }, command: Command) => {
      const config = readSettings(invocation, command);
      const { databaseUrl: url } = config;
      const db = connectDatabase({ url, poolSize: 1, applicationName: 'payreq' });
      const progress = createProgress(options.json ? SILENT : invocation.stderr, invocation.clock);
      const deps = { ...config, db, clock: invocation.clock, showProgress: progress.show };
      const checks = await runChecks(deps).finally(() => db.close());
      progress.clear();
      const ok = checks.every((check) => check.ok);
      printResult(
        invocation,
        options,
        { ok, checks },
        alignColumns(checks.map((check) => [stateOf(check), check.name, check.message])),
      );
      if (!ok) invocation.fail();
    });
}

const SILENT = { isTTY: false, write() {} };

function stateOf({ ok, warning }: Verdict): string {
  if (!ok) return 'FAIL';
  return warning ? 'warn' : 'ok  ';
}
