import { randomBytes } from 'node:crypto';
import type { DatabaseDeps } from '#database/database.ts';
import { findSendAccounts } from '#e-transfer/bank-transfer/tokens/token-store.ts';
import type { NetworkListener } from '#e-transfer/e-transfer-network.ts';
import { PROGRAM_WAY } from '#e-transfer/network-connection.ts';
import { hasScheme, parseAccount, sharedKeyOf } from '#lib/bank/account-number.ts';
import { type BankCalendar, workingDayFrom } from '#lib/bank/bank-calendar.ts';
import { type BankConnection, payingConnection } from '#lib/bank/bank-connection.ts';
import type { BankSettings } from '#lib/bank/bank-settings.ts';
import { csvForm } from '#lib/csv.ts';
import { formatAmount } from '#lib/money.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { encryptBytes } from '#lib/secrets/secret-box.ts';
import { formatOf } from './bank-refund.ts';
import { insertPaymentFile, listPendingRefunds, type PendingRefund } from './payment-file-store.ts';
import { openCreditor } from './refunds-out.ts';
import {
  type CreditTransfer,
  type PaymentFile,
  totalCentsOf,
  writePain001,
} from './write-pain001.ts';

/** A transaction of so many refunds takes well below its 15 s; a file of a usual day has fewer. */
const MOST_REFUNDS_OF_FILE = 500;
/** A refund can become FAILED between the list and the file: then the list is read again. */
const MOST_TRIES = 5;

export interface SendRefundsDeps extends DatabaseDeps {
  readonly secretsKey: RotatingKey;
  readonly timeZone: string;
  readonly reportRefunds: NetworkListener['reportRefunds'];
  /** BANK_SFTP_…: an account of a connection with a folder for payments pays by it alone. */
  readonly connections: readonly BankConnection[];
  readonly programRelease: BankSettings['programRelease'];
  /** BANK_CALENDAR: files ask for a day of it. */
  readonly calendar: BankCalendar;
}

/** A payment file that is committed; its bytes wait for a folder. */
export interface CreatedFile {
  readonly messageId: string;
  readonly refunds: number;
  readonly totalCents: number;
  /** The way of the file, by the values of `PaymentFileRow`. */
  readonly connection: number | null;
}

export const bytesContext = (messageId: string): string => `bank-payment-file:${messageId}`;

class RefundsMoved extends Error {
  override readonly name = 'RefundsMoved';
}

/**
 * Puts all pending refunds into payment files, one for each account that pays. The transaction that
 * makes refunds PROCESSING stores the file: no refund leaves twice, and none without a trace.
 */
export async function createPaymentFiles(deps: SendRefundsDeps): Promise<CreatedFile[]> {
  const created: CreatedFile[] = [];
  for (let tries = 0; tries < MOST_TRIES; ) {
    const pending = await listPendingRefunds(deps.db, MOST_REFUNDS_OF_FILE);
    const [first] = pending;
    if (!first) break;
    try {
      const programs = await findSendAccounts(deps.db);
      created.push(await createFile({ ...deps, programs }, first, pending));
      tries = 0;
    } catch (error) {
      if (!(error instanceof RefundsMoved)) throw error;
      tries += 1;
    }
  }
  return created;
}

async function createFile(
  deps: SendRefundsDeps & { readonly programs: readonly string[] },
  { debtor, currency, ...first }: PendingRefund,
  pending: readonly PendingRefund[],
): Promise<CreatedFile> {
  const { clock, secretsKey, timeZone, reportRefunds, connections, calendar, programs } = deps;
  const formatFor = ({ creditor }: CreditTransfer) =>
    formatOf(currency, debtor.account, creditor.account);
  const format = formatFor(transferOf(first, secretsKey));
  const createdAt = clock.now();
  const day = dayOf(createdAt, timeZone);
  const executionDate = workingDayFrom(calendar, day);
  const messageId = newMessageId(day);
  const transfers = pending
    .filter((each) => each.debtor.id === debtor.id)
    .map((each) => transferOf(each, secretsKey))
    .filter((each) => formatFor(each) === format);
  const file = { messageId, createdAt, executionDate, debtor, currency, transfers };
  const text = format === 'LIST' ? writeTransferList(file) : writePain001(file);
  const totalCents = totalCentsOf(transfers);
  // A person works through a list: no connection takes it.
  const paying = format === 'LIST' ? undefined : payingConnection(connections, debtor.account);
  const isOfProgram = format !== 'LIST' && programs.includes(sharedKeyOf(debtor.account));
  const connection = paying?.number ?? (isOfProgram ? PROGRAM_WAY : null);
  const release = paying?.release ?? (isOfProgram ? deps.programRelease : 'person');
  const refundIds = transfers.map(({ refundId }) => refundId);
  const reports = refundIds.map((refundId) => ({
    refundId,
    outcome: { state: 'PROCESSING' } as const,
  }));
  await reportRefunds(reports, async (tx) => {
    const isWhole = await insertPaymentFile(tx, {
      messageId,
      accountId: debtor.id,
      format,
      ...{ totalCents, connection, isReleased: release === 'bank' },
      bytesEncrypted: encryptBytes(secretsKey, Buffer.from(text), bytesContext(messageId)),
      refundIds,
    });
    if (!isWhole) throw new RefundsMoved('a refund is over or stands in another file');
  });
  return { messageId, refunds: refundIds.length, totalCents, connection };
}

function transferOf(
  pending: Omit<PendingRefund, 'debtor' | 'currency'>,
  secretsKey: RotatingKey,
): CreditTransfer {
  const { refundId, amountCents, message, creditorEncrypted, listReference } = pending;
  const creditor = openCreditor(secretsKey, refundId, creditorEncrypted);
  return { refundId, amountCents, message, listReference, creditor };
}

/** The day in the zone, as in `2026-03-01`. */
function dayOf(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(instant);
}

/** 35 characters are allowed; the day lets a person find the file, the rest makes it unique. */
function newMessageId(day: string): string {
  const random = randomBytes(8).toString('hex').toUpperCase();
  return `PRS-${day.replaceAll('-', '')}-${random}`;
}

/**
 * A list of transfers for a person, as CSV: no payment file can name their banks (bank-connection
 * §4). The person copies the reference of each line into its transfer.
 */
function writeTransferList({ transfers, currency, debtor }: PaymentFile): string {
  const { header, lineOf } = csvForm<CreditTransfer>({
    reference: ({ listReference }) => listReference,
    amount: ({ amountCents }) => ({ decimal: formatAmount(amountCents) }),
    currency: () => currency,
    name: ({ creditor }) => creditor.name,
    scheme: ({ creditor }) =>
      hasScheme(creditor.account) ? parseAccount(creditor.account).scheme : null,
    bank: ({ creditor }) => parseAccount(creditor.account).bank || null,
    number: ({ creditor }) => parseAccount(creditor.account).number,
    message: ({ message }) => message,
    from: () => debtor.account,
  });
  return header + transfers.map(lineOf).join('');
}
