import { ensureSigningKey } from '#access/signing-keys/rotate.ts';
import { defineTool } from '#commands/cli/define-command.ts';
import { connectDatabase } from '#database/database.ts';
import { migrate } from '#database/schema/migrate.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { operatorOf } from './cli/operator-name.ts';
import { readSettings } from './cli/read-settings.ts';

/** `payreq migrate`: brings the database to this version's schema. */
export const migrateCommand = defineTool({
  summary: 'migrate the database and create its first signing key; safe to repeat',
  async run(_, shell) {
    const { databaseUrl: url, environment, secretsKey, runtimeRole } = readSettings(shell);
    const transitions = TRANSITIONS;
    const { ran, newer } = await migrate({ url, environment, transitions, runtimeRole });
    const db = connectDatabase({ url, poolSize: 1, applicationName: 'payreq' });
    try {
      const actor = operatorOf(shell);
      await ensureSigningKey({ db, clock: shell.clock, secretsKey, actor });
    } finally {
      await db.close();
    }
    return { environment, migrations: ran, newer };
  },
  json: ({ environment, migrations }) => ({ environment, migrations }),
  print: ({ environment, migrations, newer }) => [
    ...migrations.map((name) => `applied ${name}`),
    newer.length === 0
      ? `The ${environment} database is up to date.`
      : `The ${environment} database is newer than this version: ${newer.join(', ')}.`,
  ],
});
