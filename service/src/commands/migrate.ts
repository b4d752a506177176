import { Command } from 'commander';
import { ensureSigningKey } from '#access/signing-keys/rotate.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { operatorOf } from '#commands/cli/operator-name.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { readSettings } from '#commands/cli/read-settings.ts';
import { connectDatabase } from '#database/database.ts';
import { migrate } from '#database/schema/migrate.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';

/** `payreq migrate`: brings the database to this version's schema. */
export function migrateCommand(invocation: Invocation): Command {
  return new Command('migrate')
    .description('migrate the database and create its first signing key; safe to repeat')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }, command: Command) => {
      const {
        databaseUrl: url,
        environment,
        secretsKey,
        runtimeRole,
      } = readSettings(invocation, command);
      const { ran: migrations, newer } = await migrate({
        url,
        environment,
        transitions: TRANSITIONS,
        runtimeRole,
      });
      const db = connectDatabase({ url, poolSize: 1, applicationName: 'payreq' });
      try {
        await ensureSigningKey({
          db,
          clock: invocation.clock,
          secretsKey,
          actor: operatorOf(invocation, command),
        });
      } finally {
        await db.close();
      }
      printResult(invocation, options, { environment, migrations }, [
        ...migrations.map((name) => `applied ${name}`),
        newer.length === 0
          ? `The ${environment} database is up to date.`
          : `The ${environment} database is newer than this version: ${newer.join(', ')}.`,
      ]);
    });
}
