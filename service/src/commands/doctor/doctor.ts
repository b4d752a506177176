import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { operatorOf } from '#commands/cli/operator-name.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { createProgress } from '#commands/cli/progress.ts';
import { readSettings } from '#commands/cli/read-settings.ts';
import { connectDatabase } from '#database/database.ts';
import { keepDoctorRun } from '#doctor/keep-last-run.ts';
import { SERVICE_VERSION } from '../../version.ts';
import { type Result, runChecks } from './run-checks.ts';
import type { CheckDeps, Verdict } from './verdict.ts';

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
      const { clock, stderr } = invocation;
      const db = connectDatabase({ url, poolSize: 1, applicationName: 'payreq' });
      const progress = createProgress(options.json ? SILENT : stderr, clock);
      const deps = { ...config, db, clock, showProgress: progress.show };
      const actor = operatorOf(invocation, command);
      const { checks, unkept } = await runAndKeep(deps, actor).finally(() => db.close());
      progress.clear();
      if (unkept !== null && !options.json) {
        stderr.write(`The console does not show this run: ${unkept}\n`);
      }
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

/** @returns the results, and why the console does not show them; null: it does */
async function runAndKeep(
  deps: CheckDeps,
  actor: string,
): Promise<{ checks: readonly Result[]; unkept: string | null }> {
  const { db, clock } = deps;
  const [ranAt, startedMs] = [clock.now(), clock.steadyMs()];
  const checks = await runChecks(deps);
  const tookMs = Math.round(clock.steadyMs() - startedMs);
  // Without these two checks, the database may be that of another deployment.
  const isOurs = checks.every(({ name, ok }) => ok || !['database', 'environment'].includes(name));
  if (!isOurs) return { checks, unkept: null };
  const run = { ranAt, actor, version: SERVICE_VERSION, tookMs, checks };
  return { checks, unkept: await keepDoctorRun(db, run) };
}

const SILENT = { isTTY: false, write() {} };

function stateOf({ ok, warning }: Verdict): string {
  if (!ok) return 'FAIL';
  return warning ? 'warn' : 'ok  ';
}
