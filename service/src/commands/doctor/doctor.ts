import { alignColumns } from '#commands/cli/align-columns.ts';
import { defineTool } from '#commands/cli/define-command.ts';
import { operatorOf } from '#commands/cli/operator-name.ts';
import { readSettings } from '#commands/cli/read-settings.ts';
import { connectDatabase } from '#database/database.ts';
import { keepDoctorRun } from '#doctor/keep-last-run.ts';
import { SERVICE_VERSION } from '../../version.ts';
import { type Result, runChecks } from './run-checks.ts';
import type { CheckDeps, Verdict } from './verdict.ts';

/** `payreq doctor`: checks the whole deployment; exit code 1 when something is wrong. */
export const doctorCommand = defineTool({
  summary:
    'check the database, the schema, the clock, the secrets, the signing key, the webhook ' +
    'events (none missing, none stuck), and that payments, refunds, ledger and bank ' +
    'statements agree; exit code 1 after a fault',
  async run(_, shell) {
    const config = readSettings(shell);
    const { clock, showProgress } = shell;
    const db = connectDatabase({
      ...{ url: config.databaseUrl, poolSize: 1, applicationName: 'payreq' },
    });
    const deps = { ...config, db, clock, showProgress };
    const { checks, unkept } = await runAndKeep(deps, operatorOf(shell)).finally(() => db.close());
    if (unkept !== null) shell.note(`The console does not show this run: ${unkept}`);
    return { ok: checks.every((check) => check.ok), checks };
  },
  print: ({ checks }) =>
    alignColumns(checks.map((check) => [stateOf(check), check.name, check.message])),
  fails: ({ ok }) => !ok,
});

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

function stateOf({ ok, warning }: Verdict): string {
  if (!ok) return 'FAIL';
  return warning ? 'warn' : 'ok  ';
}
