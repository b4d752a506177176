import { createHash } from 'node:crypto';
import type { Database, DatabaseDeps } from '#database/database.ts';
import { sharedKeyOf } from '#lib/bank/account-number.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { createAccountNames } from '../entries/account-names.ts';
import { keepSeenAccounts } from '../entries/account-names-store.ts';
import type { StagedPayment } from '../entries/model/staged-payment.ts';
import { stagePayments } from '../entries/stage-payments.ts';
import {
  completeStatement,
  findOurAccounts,
  insertEntries,
  insertStatement,
  keepStatementAccount,
  type PaymentOfStatement,
  type StatementFacts,
} from '../entries/staging-store.ts';
import {
  type EntryPart,
  type FilePart,
  readParts,
  type StatementPart,
} from '../statements/read-statements.ts';
import type { StatementEntry, StatementKind } from '../statements/statement.ts';
import { StatementFault } from '../statements/statement-fault.ts';

/** Entries that one statement inserts: some 10 ms. */
const ENTRIES_AT_ONCE = 200;
const OTHER_ACCOUNT =
  'The file has an account of a merchant that BANK_SFTP_ACCOUNTS of its connection, or its ' +
  'token, does not name. Ask the bank, then import the file with payreq bank import.';
/** UTC+14: each day begins there first. */
const EARLIEST_ZONE = 'Pacific/Kiritimati';

export interface StageFileDeps extends DatabaseDeps {
  readonly secretsKey: RotatingKey;
  /** `TIME_ZONE`: the zone of the bank's booking days. */
  readonly timeZone: string;
}

/** The file that is staged; `accounts`: the only ones of ours that it may have, null: all. */
export interface StagedFile {
  readonly fileId: string;
  readonly accounts: readonly string[] | null;
}

/** Progress within the statement that is being read. */
interface OpenStatement {
  readonly id: string;
  entries: number;
  bookedCents: number;
  latestDay: string | null;
}

/**
 * Reads a file and writes the entries of our accounts, in small batches and outside any
 * transaction. A repetition writes equal rows. Nothing counts until the file is marked.
 *
 * @throws StatementFault when the file is refused
 */
export async function stageFile(
  deps: StageFileDeps,
  file: StagedFile,
  bytes: Buffer,
): Promise<StatementKind> {
  const staging = createStaging(deps, file);
  let kind: StatementKind | null = null;
  for await (const parts of readParts(bytes)) {
    kind ??= parts[0]?.kind ?? null;
    await staging.takeParts(parts);
  }
  await staging.write();
  if (!staging.hasOurs() || kind === null) {
    await keepSeenAccounts(deps.db, file.fileId, staging.namesSeen());
    throw new StatementFault('No account in the file belongs to a merchant of this service.');
  }
  return kind;
}

function createStaging(deps: StageFileDeps, { fileId, accounts: allowed }: StagedFile) {
  const { db, secretsKey } = deps;
  const latestDay = dayIn(EARLIEST_ZONE, deps.clock.now());
  const accounts = createAccounts(db, allowed);
  const names = createAccountNames(db, allowed);
  const open = new Map<number, OpenStatement>();
  const entryCounts = new Map<number, number>();
  let waiting: PaymentOfStatement[] = [];

  async function openStatement(part: FilePart): Promise<OpenStatement> {
    const known = open.get(part.number);
    if (known) return known;
    const { kind, account, number } = part;
    const statement = { id: statementId(fileId, number), entries: 0, bookedCents: 0 };
    await insertStatement(db, { id: statement.id, fileId, kind, account });
    const opened = { ...statement, latestDay: null };
    open.set(number, opened);
    return opened;
  }

  async function takeEntry(part: EntryPart): Promise<void> {
    const entryNumber = entryCounts.get(part.number) ?? 0;
    entryCounts.set(part.number, entryNumber + 1);
    const account = await accounts.of(part);
    if (!account) return;
    const statement = await openStatement(part);
    const entry = part.read();
    const payments = stagePayments(entry, {
      account,
      entryNumber,
      statementDay: part.statementDay,
    });
    for (const payment of payments) checkDay(payment, entry.line, latestDay);
    countEntry(statement, entry);
    waiting.push(...payments.map((payment) => ({ ...payment, statementId: statement.id })));
    if (waiting.length >= ENTRIES_AT_ONCE) await write();
  }

  async function takeStatement(part: StatementPart): Promise<void> {
    if (!accounts.isOurs(part.account) && !open.has(part.number)) return;
    const statement = await openStatement(part);
    await completeStatement(db, statement.id, factsOf(part, statement));
    open.delete(part.number);
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      await insertEntries(db, secretsKey, fileId, waiting.slice(0, ENTRIES_AT_ONCE));
      waiting = waiting.slice(ENTRIES_AT_ONCE);
    }
  }

  return {
    async takeParts(read: readonly FilePart[]): Promise<void> {
      const parts = await names.give(read);
      await accounts.learn(parts);
      for (const part of parts) {
        if (part.part === 'ENTRY') await takeEntry(part);
        else await takeStatement(part);
      }
    },
    write,
    hasOurs: accounts.hasOurs,
    namesSeen: names.seen,
  };
}

/** The accounts that a file names. */
function createAccounts(db: Database, allowed: StagedFile['accounts']) {
  const ours = new Map<string, 'SHOWN' | 'LISTED' | null>();
  const qrIbans = new Set<string>();
  return {
    async learn(parts: readonly FilePart[]): Promise<void> {
      const named = parts.flatMap((part) => [part.account, 'qrIban' in part ? part.qrIban : null]);
      const unknown = [...new Set(named)].filter((each) => each !== null && !ours.has(each));
      if (unknown.length === 0) return;
      const found = await findOurAccounts(db, unknown as string[]);
      for (const account of unknown as string[]) {
        const listed = found.listed.has(account) ? 'LISTED' : null;
        ours.set(account, found.shown.has(account) ? 'SHOWN' : listed);
      }
      // A bank may speak of its own accounts alone: a person decides about other ones.
      const isOther = (account: string | null) =>
        account && ours.get(account) === 'SHOWN' && !allowed?.includes(sharedKeyOf(account));
      if (allowed && named.some(isOther)) throw new StatementFault(OTHER_ACCOUNT);
    },
    /** The account of ours that an entry is booked on; undefined: it is foreign. */
    async of({ qrIban, account }: EntryPart): Promise<string | undefined> {
      const found = [qrIban, account].find((each) => each !== null && ours.get(each) === 'SHOWN');
      if (found && found !== account && !qrIbans.has(found)) {
        qrIbans.add(found);
        await keepStatementAccount(db, found, account);
      }
      return found ?? undefined;
    },
    isOurs: (account: string) => (ours.get(account) ?? null) !== null,
    hasOurs: () => [...ours.values()].some((each) => each !== null),
  };
}

function countEntry(statement: OpenStatement, entry: StatementEntry): void {
  statement.entries += 1;
  if (!entry.isBooked) return;
  const { direction, amountCents, bookingDate } = entry;
  statement.bookedCents += direction === 'CREDIT' ? amountCents : -amountCents;
  if (bookingDate && bookingDate > (statement.latestDay ?? '')) statement.latestDay = bookingDate;
}

/**
 * Money cannot be booked on a day that has begun nowhere: such a file is wrong, or forged. The
 * bank's zone may be another one than `TIME_ZONE`.
 */
function checkDay(payment: StagedPayment, line: number, latestDay: string): void {
  if (!payment.isBooked || payment.bookingDate === null || payment.bookingDate <= latestDay) return;
  throw new StatementFault(`Line ${line}: Ntry has a BookgDt that lies ahead.`);
}

function factsOf(part: StatementPart, { entries, bookedCents, latestDay }: OpenStatement) {
  const statement = part.read();
  const balance = (type: string) => statement.balances.find((each) => each.type === type) ?? null;
  const closing = balance('CLBD');
  const facts: StatementFacts = {
    bankId: statement.id,
    sequenceNumber: statement.sequenceNumber,
    currency: statement.currency ?? closing?.currency ?? null,
    day: closing?.date ?? latestDay,
    openingCents: (balance('OPBD') ?? balance('PRCD'))?.amountCents ?? null,
    closingCents: closing?.amountCents ?? null,
    entriesCents: bookedCents,
    entryCount: entries,
  };
  return facts;
}

/** A statement of a file has one id however often the file is staged. */
function statementId(fileId: string, number: number): string {
  const hash = createHash('sha256').update(`${fileId}:${number}`).digest('hex');
  // Version 8 of RFC 9562: the bits are the application's own.
  const [a, b, c, d] = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(13, 16),
    hash.slice(17, 20),
  ];
  return `${a}-${b}-8${c}-a${d}-${hash.slice(20, 32)}`;
}

/** YYYY-MM-DD in a zone. */
export function dayIn(timeZone: string, instant: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(instant);
}
