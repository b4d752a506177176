import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { defineTool } from '#commands/cli/define-command.ts';
import { flag, type Input, option, UsageFault } from '#commands/cli/inputs.ts';
import { type Deployment, openDeployment } from '#commands/cli/with-deployment.ts';
import { askForRound } from '#e-transfer/bank-transfer/connection/connection-store.ts';
import { openSession } from '#e-transfer/bank-transfer/connection/open-session.ts';
import { inFolder } from '#e-transfer/bank-transfer/connection/sftp-session.ts';
import {
  findDemoTransfer,
  isDemoDatabase,
  listDemoRefunds,
} from '#e-transfer/bank-transfer/demo/demo-store.ts';
import {
  type DemoEntry,
  type DemoMessage,
  writeDemoStatement,
} from '#e-transfer/bank-transfer/demo/write-demo-statement.ts';
import { listOpenProofs } from '#e-transfer/bank-transfer/etransfer/proof-store.ts';
import { formatAmount, parseAmountCents } from '#lib/money.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

interface Asked {
  readonly link: string | null;
  readonly amount: number | null;
  readonly as: DemoMessage;
  readonly etransfer: boolean;
  readonly proofs: boolean;
}

/** An operator sends 1.00 (bank-connection §4). */
const PROOF_CENTS = 100;
/** A demo has few; the next call books the rest. */
const MOST_REFUNDS = 100;
/** The longest amount that a statement holds. */
const MOST_CENTS = 99_999_999_999;

const link: Input<string | null> = {
  declare: () =>
    new Argument('[link]', 'the payment link, or its short code; its page must have been opened'),
  absent: null,
};
const message: Input<DemoMessage> = {
  declare: () =>
    new Option('--as <message>', 'the message of the bank')
      .choices(['camt053', 'camt054'])
      .default('camt053'),
};

/** `payreq bank demo-pay`: writes the statement that a bank would (bank-transfer §6). */
export const demoPay = defineTool({
  summary:
    'pay a payment link in a demo: writes the statement that a bank would. Refuses every ' +
    'database that is not marked as a demo',
  options: {
    link,
    amount: option('<amount>', 'another amount than the one that is still owed', readAmount),
    as: message,
    etransfer: flag('pay as an Interac e-Transfer, which names no account of the payer'),
    refunds: flag('instead of a link: book the refunds that stand in payment files'),
    proofs: flag('instead of a link: book the 1.00 that proves each Interac address'),
  },
  run(asked, shell) {
    const ways = [asked.link !== null, asked.refunds, asked.proofs].filter(Boolean).length;
    if (ways !== 1) throw new UsageFault('give a link, or --refunds, or --proofs');
    return openDeployment(shell, (deployment) => bookInDemo(deployment, asked));
  },
  print: (written) =>
    written
      ? `${written.path}: ${written.amounts.join(', ')}`
      : 'No refund stands in a payment file, and no Interac address waits for its proof.',
});

async function bookInDemo(deployment: Deployment, asked: Asked) {
  const { as: message } = asked;
  const { db, bank } = deployment;
  if (!(await isDemoDatabase(db))) {
    throw new OperatorFault(
      'The database is not marked as a demo: real money has real statements.',
    );
  }
  const booked = await bookedBy(deployment, asked);
  if (!booked) return null;
  const { account, currency, entries } = booked;
  const now = deployment.clock.now();
  const id = `DEMO-${randomBytes(8).toString('hex').toUpperCase()}`;
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: deployment.timeZone }).format(now);
  const xml = writeDemoStatement({ message, id, account, currency, createdAt: now, day, entries });
  return {
    path: await (bank.filesDir
      ? putInFolder(bank.filesDir, id, xml)
      : putAtBank(deployment, id, xml)),
    amounts: entries.map(({ amountCents }) => `${formatAmount(amountCents)} ${currency}`),
  };
}

/** Whole only: the reader of the folder never sees the half of it. */
async function putInFolder(folder: string, id: string, xml: string): Promise<string> {
  const path = join(folder, `${id}.xml`);
  await writeFile(join(folder, `.${id}.part`), xml, { mode: 0o600, flag: 'wx' });
  await rename(join(folder, `.${id}.part`), path);
  return path;
}

/** The bank of a demo lets its customer put statements, too (`BANK_DEMO=sftp npm start`). */
async function putAtBank({ db, bank }: Deployment, id: string, xml: string): Promise<string> {
  const [connection] = bank.connections;
  const folder = connection?.incoming[0]?.folder;
  if (!connection || folder === undefined) throw new OperatorFault('BANK_FILES_DIR is not set.');
  const path = inFolder(folder, `${id}.xml`);
  const session = await openSession(connection);
  await session.write(`${path}.part`, Buffer.from(xml));
  await session.rename(`${path}.part`, path);
  session.end();
  await askForRound(db, connection.number);
  return `sftp://${connection.host}:${connection.port}${path}`;
}

interface Booked {
  readonly account: string;
  readonly currency: string;
  readonly entries: readonly DemoEntry[];
}

const bankReference = () => randomBytes(8).toString('hex').toUpperCase();

function bookedBy(deployment: Deployment, asked: Asked): Promise<Booked | null> {
  if (asked.link !== null) return paymentOf(deployment, asked.link, asked);
  return asked.proofs ? proofsOf(deployment) : refundsOf(deployment);
}

async function paymentOf(
  { db }: Deployment,
  link: string,
  { amount, etransfer: isEtransfer }: Asked,
): Promise<Booked> {
  const shortCode = link.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  const transfer = await findDemoTransfer(db, shortCode);
  if (!transfer) {
    throw new OperatorFault(`No page was opened for the payment link "${link}". Open it first.`);
  }
  const { account, currency, reference } = transfer;
  const amountCents = amount ?? transfer.amountCents - transfer.receivedCents;
  if (amountCents <= 0) throw new OperatorFault('All of it is paid. Give --amount to pay more.');
  const entry = { amountCents, bankReference: bankReference(), endToEndId: null, reference };
  return { account, currency, entries: [{ ...entry, direction: 'CREDIT', isEtransfer }] };
}

/** The addresses of one account; the next call books those of another. */
async function proofsOf({ db, currency }: Deployment): Promise<Booked | null> {
  const open = await listOpenProofs(db);
  const account = open[0]?.accountNumber;
  if (account === undefined) return null;
  const entries = open
    .filter((each) => each.accountNumber === account)
    .map(({ reference }): DemoEntry => {
      const entry = { amountCents: PROOF_CENTS, bankReference: bankReference(), reference };
      return { ...entry, direction: 'CREDIT', endToEndId: null, isEtransfer: true };
    });
  return { account, currency, entries };
}

async function refundsOf({ db }: Deployment): Promise<Booked | null> {
  const [first, ...others] = await listDemoRefunds(db, MOST_REFUNDS);
  if (!first) return null;
  const entries = [first, ...others.filter(({ account }) => account === first.account)].map(
    ({ refundId, amountCents }): DemoEntry => ({
      direction: 'DEBIT',
      amountCents,
      bankReference: bankReference(),
      endToEndId: refundId.replaceAll('-', ''),
      reference: null,
    }),
  );
  return { account: first.account, currency: first.currency, entries };
}

function readAmount(text: string): number {
  const cents = parseAmountCents(text, MOST_CENTS);
  if (typeof cents !== 'number') throw new InvalidArgumentError('Give an amount, as in 12.50.');
  return cents;
}
