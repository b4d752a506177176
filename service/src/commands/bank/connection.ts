import { alignColumns } from '#commands/cli/align-columns.ts';
import { defineNoun, defineTool } from '#commands/cli/define-tool.ts';
import { flag } from '#commands/cli/inputs.ts';
import { readSettings } from '#commands/cli/read-settings.ts';
import { checkConnection } from '#e-transfer/bank-transfer/connection/check-connection.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** `payreq bank connection check`: each step of the SFTP connections; the database is not used. */
const check = defineTool({
  name: 'check',
  summary:
    'try each step of the SFTP connections to banks (sign in, list, read, write and remove a ' +
    'file), and say who can correct what fails; exit code 1 when a step fails',
  options: {
    showHostKey: flag(
      'print the fingerprint of the server’s key, to compare with the bank’s letter',
    ),
  },
  async run(_options, shell) {
    const { connections } = readSettings(shell).bank;
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

/** `payreq bank connection`: the SFTP connections to banks (bank-connection §1). */
export const connectionCommand = defineNoun('connection', 'the SFTP connections to banks', [check]);
