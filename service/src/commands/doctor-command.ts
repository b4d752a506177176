import { Command } from 'commander';
import { connectDatabase } from '#database/database.ts';
import { systemClock } from '#lib/clock.ts';
import { alignColumns } from './align-columns.ts';
import { jsonOption } from './command-options.ts';
import { CHECKS, type Check, type Patient, type Verdict } from './doctor-checks.ts';
import { printResult } from './print-result.ts';
import { readSettings } from './read-settings.ts';

/** `payreq doctor`: looks whether all is well; exit code 1 where something is not. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'check the database, the schema, the clock, the secrets, the signing key, and that no ' +
        'webhook event is missing or stuck; exit code 1 when something is wrong',
    )
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }, command: Command) => {
      const config = readSettings(command);
      const { databaseUrl: url } = config;
      const db = connectDatabase({ url, poolSize: 1, applicationName: 'payreq' });
      const patient = { ...config, db, clock: systemClock };
      const checks = await runAll(patient).finally(() => db.close());
      const ok = checks.every((check) => check.ok);
      printResult(
        options,
        { ok, checks },
        alignColumns(checks.map((c) => [c.ok ? 'ok  ' : 'FAIL', c.name, c.message])),
      );
      if (!ok) process.exitCode = 1;
    });
}

async function runAll(patient: Patient): Promise<({ name: string } & Verdict)[]> {
  const results: ({ name: string } & Verdict)[] = [];
  for (const check of CHECKS) {
    const isUseless = results[0]?.ok === false;
    const verdict = isUseless ? NOT_CHECKED : await runOne(check, patient);
    results.push({ name: check.name, ...verdict });
  }
  return results;
}

const NOT_CHECKED: Verdict = { ok: false, message: 'Not checked: it needs the database.' };

async function runOne({ run }: Check, patient: Patient): Promise<Verdict> {
  try {
    return await run(patient);
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const reason = cause instanceof Error ? ` (${cause.message})` : '';
    return { ok: false, message: `The check itself failed: ${message}${reason}` };
  }
}
