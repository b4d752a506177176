import { InvalidArgumentError } from 'commander';
import { findPolicy } from '#approvals/policy-store.ts';
import { alignColumns } from '#commands/cli/align-columns.ts';
import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { argument, CONFIRM, choice, required } from '#commands/cli/inputs.ts';
import type { Deployment } from '#commands/cli/with-deployment.ts';
import { refuseFileAct } from '#compose/bank/refuse-file-act.ts';
import { actOnFile } from '#e-transfer/bank-transfer/connection/act-on-file.ts';
import { largestPayments } from '#e-transfer/bank-transfer/connection/largest-payments.ts';
import {
  findFileRow,
  listPaymentFiles,
} from '#e-transfer/bank-transfer/connection/sent-file-store.ts';
import {
  type FileAct,
  type FileActPolicy,
  type LargestPayment,
  type PaymentFileRow,
  PROGRAM_WAY,
} from '#e-transfer/network-connection.ts';
import { formatAmount } from '#lib/money.ts';
import { countText } from '#lib/words/count-text.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** A person reads no more of them. */
const MOST_LISTED = 200;
const ID = argument('the message id of the payment file');

const list = defineCommand({
  summary: 'print the payment files, those first that have not left: sum, number, way and state',
  run: async ({ db, currency }) => ({ files: await listPaymentFiles(db, MOST_LISTED), currency }),
  json: ({ files }) =>
    files.map(({ totalCents, ...file }) => ({ ...file, total: formatAmount(totalCents) })),
  print: ({ files, currency }) =>
    files.length === 0
      ? 'There is no payment file.'
      : alignColumns(
          files.map(({ messageId, state, refunds, totalCents, connection, reason }) => [
            ...[messageId, state, `${refunds}`, `${formatAmount(totalCents)} ${currency}`],
            ...[wayOf(connection), reason ?? ''],
          ]),
        ),
});

export const wayOf = (connection: number | null): string =>
  connection === null
    ? 'folder'
    : connection === PROGRAM_WAY
      ? 'program'
      : `connection ${connection}`;

const release = defineCommand({
  summary: 'let a payment file leave for the bank by its connection',
  options: { id: ID, ...CONFIRM },
  confirms: true,
  async run(deployment, { id }, shell) {
    const file = await findFileRow(deployment.db, id);
    if (file) shell.note(sumOf(file, deployment.currency));
    const largest = await largestPayments(deployment, id);
    for (const line of largest.map(lineOf)) shell.note(line);
    await shell.confirm(`Release ${id}?`);
    return act(deployment, id, { act: 'release' });
  },
  print: sentenceOf,
});

const sumOf = ({ refunds, totalCents }: PaymentFileRow, currency: string): string =>
  `${countText(refunds, 'payment')}, ${formatAmount(totalCents)} ${currency} in all. The largest:`;

const lineOf = ({ name, account, amountCents }: LargestPayment): string =>
  `${formatAmount(amountCents)} to ${name ?? 'a payer without a name'}, …${account.slice(-4)}`;

const settle = defineCommand({
  summary:
    'end the case of a payment file of which the bank may have the bytes: ask the bank first, ' +
    'since a file that is sent again pays again where the bank has it',
  options: {
    id: ID,
    as: choice(
      ['sent', 'lost'],
      '<sent|lost>',
      'sent: the bank has it; lost: it does not, and the file is sent again',
    ),
    ...CONFIRM,
  },
  confirms: true,
  async run(deployment, { id, as }, shell) {
    if (as === null) throw new OperatorFault('Give --as sent or --as lost.');
    await shell.confirm(`Settle ${id} as ${as}?`);
    return act(deployment, id, { act: `settle-as-${as}` });
  },
  print: sentenceOf,
});

const way = defineCommand({
  summary: 'change the way of a payment file that has not begun to leave',
  options: {
    id: ID,
    way: required('<way>', 'folder, program, or the number of a connection', readWay),
  },
  run: (deployment, { id, way: { connection } }) =>
    act(deployment, id, { act: 'set-way', connection }),
  print: sentenceOf,
});

function readWay(text: string): { readonly connection: number | null } {
  if (text === 'folder') return { connection: null };
  if (text === 'program') return { connection: PROGRAM_WAY };
  if (!/^[1-9]$/.test(text)) throw new InvalidArgumentError('Give folder, program, or 1 to 9.');
  return { connection: Number(text) };
}

async function act(deployment: Deployment, id: string, asked: FileAct) {
  const { db, actor, bank } = deployment;
  const { isOn: needsTwo } = await findPolicy(db);
  const audit: FileActPolicy['audit'] = (tx, action, details) =>
    recordAct(tx, deployment, action, null, details);
  const deps = { db, connections: bank.connections, needsTwo, audit };
  const by = { actor, isProven: false };
  return { status: await actOnFile(deps, id, asked, by).catch(refuseFileAct) };
}

function sentenceOf({ status }: { readonly status: 'DONE' | 'ASKED' }): string {
  return status === 'DONE'
    ? 'Done.'
    : 'Noted: another person does the same in the console (Bank connection).';
}

/** `payreq bank payment-file`: payment files on their way to the bank (bank-connection §3). */
export const paymentFileCommand = defineNoun('payment files (pain.001) on their way to the bank', {
  list,
  release,
  settle,
  setWay: way,
});
