import { alignColumns } from '#commands/cli/align-columns.ts';
import { defineCommand, defineNoun, defineTool } from '#commands/cli/define-command.ts';
import { argument, CONFIRM, flag } from '#commands/cli/inputs.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { loadSettings } from '#commands/cli/read-settings.ts';
import { readConfig } from '#config.ts';
import { runOrRehearse } from '#database/rehearse.ts';
import { checkConnection } from '#e-transfer/bank-transfer/connection/check-connection.ts';
import { removeConnection } from '#e-transfer/bank-transfer/connection/connection-store.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** No key has it. */
const NO_FINGERPRINT = `SHA256:${'A'.repeat(43)}`;

/** Lets a connection without a host key be asked for its key; nothing is sent to the server. */
function withHostKeys(env: Invocation['env']): Invocation['env'] {
  const urls = Object.keys(env).filter((name) => /^BANK_SFTP_([2-9]_)?URL$/.test(name));
  const names = urls.map((name) => name.replace('URL', 'HOST_KEY'));
  const keys = names.map((name) => [name, env[name] || NO_FINGERPRINT]);
  return { ...env, ...Object.fromEntries(keys) };
}

/** `payreq bank connection check`: each step of the SFTP connections; the database is not used. */
const check = defineTool({
  summary:
    'try each step of the SFTP connections to banks (connect, key, sign in, list, read, write, ' +
    'rename and remove a file), and say who can correct what fails; exit code 1 when a step fails',
  options: {
    showHostKey: flag(
      'print the fingerprint of the server’s key, to compare with the bank’s letter; ' +
        'BANK_SFTP_HOST_KEY may still be missing',
    ),
  },
  async run({ showHostKey }, shell) {
    loadSettings(shell);
    const { connections } = readConfig(showHostKey ? withHostKeys(shell.env) : shell.env).bank;
    if (connections.length === 0) throw new OperatorFault('BANK_SFTP_URL is not set.');
    const checked = [];
    for (const connection of connections) {
      const { hostKey, steps } = await checkConnection(connection);
      checked.push({ connection: connection.number, hostKey, steps });
    }
    return checked;
  },
  print: (checked, { showHostKey }) =>
    checked.flatMap(({ connection, hostKey, steps }) => [
      ...(showHostKey
        ? [`The server of connection ${connection} shows ${hostKey ?? 'no key'}.`]
        : []),
      ...alignColumns(steps.map(({ step, fault }) => [fault ? 'failed' : 'ok', step])),
      ...steps.flatMap(({ fault }) => fault ?? []),
    ]),
  fails: (checked) => checked.some(({ steps }) => steps.some(({ fault }) => fault !== null)),
});

/** `payreq bank connection remove`: until then the doctor and the console show a connection. */
const remove = defineCommand({
  summary:
    'remove a connection that is gone for good: the doctor and the console show it no more; take ' +
    'it out of the settings of every process first',
  options: { number: argument('the number of the connection'), ...CONFIRM },
  confirms: true,
  async run(deployment, { number, dryRun }, shell) {
    const connection = Number(number);
    if (deployment.bank.connections.some((each) => each.number === connection)) {
      throw new OperatorFault(`Connection ${number} is in the settings: take it out first.`);
    }
    if (!dryRun) await shell.confirm(`Remove connection ${number}?`);
    await runOrRehearse(deployment.db, dryRun ? 'REHEARSE' : 'DO', async (tx) => {
      if (!/^[1-9]$/.test(number) || !(await removeConnection(tx, connection))) {
        throw new OperatorFault(`There is no connection ${number}, or a process looks at it now.`);
      }
      await recordAct(tx, deployment, 'BANK_CONNECTION_REMOVED', null, { connection });
    });
    return { number, ...(dryRun && { dryRun }) };
  },
  print: ({ number, dryRun }) =>
    dryRun ? `Would remove connection ${number}.` : `Connection ${number} is removed.`,
});

/** `payreq bank connection`: the SFTP connections to banks (bank-connection §1). */
export const connectionCommand = defineNoun('the SFTP connections to banks', { check, remove });
