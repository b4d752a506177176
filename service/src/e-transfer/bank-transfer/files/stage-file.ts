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
import { withheldSentence } from './withheld-sentence.ts';

/** Entries that one statement inserts: some 10 ms. */
const ENTRIES_AT_ONCE = 200;
/** UTC+14: each day begins there first. */
const EARLIEST_ZONE = 'Pacific/Kiritimati';

export interface StageFileDeps extends DatabaseDeps {
  readonly secretsKey: RotatingKey;
  /** `TIME_ZONE`: the zone of the bank's booking days. */
  readonly timeZone: string;
}

/** The file that is staged; `accounts`: those of ours whose entries are read, null: all. */
export interface StagedFile {
  readonly fileId: string;
  readonly accounts: readonly string[] | null;
}

/** Progress within the statement that is being read. */
interface OpenStatement {
  readonly id: string;
  isStored: boolean;
  entries: number;
  bookedCents: number;
  latestDay: string | null;
}

/**
 * Reads a file and writes the entries of the accounts, in small batches and outside any
 * transaction. A repetition writes equal rows. Nothing counts until the file is marked.
 *
 * @returns also the accounts of ours that the file has beside them, each by its shared key
 * @throws StatementFault when the file is refused
 */
export async function stageFile(
  deps: StageFileDeps,
  file: StagedFile,
  bytes: Buffer,
): Promise<{ readonly kind: StatementKind; readonly withheld: readonly string[] }> {
  const staging = createStaging(deps, file);
  let kind: StatementKind | null = null;
  for await (const parts of readParts(bytes)) {
    kind ??= parts[0]?.kind ?? null;
    await staging.takeParts(parts);
  }
  await staging.write();
  const withheld = staging.withheld();
  if (staging.hasRead() && kind !== null) return { kind, withheld };
  if (withheld.length > 0) throw new StatementFault(withheldSentence(withheld));
  await keepSeenAccounts(deps.db, file.fileId, staging.namesSeen());
  throw new StatementFault('No account in the file belongs to a merchant of this service.');
}

function createStaging(deps: StageFileDeps, { fileId, accounts: allowed }: StagedFile) {
  const { db, secretsKey } = deps;
  const latestDay = dayIn(EARLIEST_ZONE, deps.clock.now());
  const accounts = createAccounts(db, allowed);
  const names = createAccountNames(db, allowed);
  const statements = createStatements(db, fileId);
  const entryCounts = new Map<number, number>();
  let waiting: PaymentOfStatement[] = [];

  async function takeEntry(part: EntryPart): Promise<void> {
    const entryNumber = entryCounts.get(part.number) ?? 0;
    entryCounts.set(part.number, entryNumber + 1);
    const account = await accounts.of(part);
    if (!account) return;
    const statement = statements.of(part);
    const entry = part.read();
    const payments = stagePayments(entry, {
      account,
      entryNumber,
      statementDay: part.statementDay,
    });
    for (const payment of payments) checkDay(payment, entry.line, latestDay);
    // Balances are those of the whole statement, and what is wrong refuses the file at once.
    countEntry(statement, entry);
    if (!accounts.readOrWithhold([account])) return;
    await statements.store(part);
    waiting.push(...payments.map((payment) => ({ ...payment, statementId: statement.id })));
    if (waiting.length >= ENTRIES_AT_ONCE) await write();
  }

  async function takeStatement(part: StatementPart): Promise<void> {
    const statement = statements.of(part);
    if (accounts.readOrWithhold(accounts.keysOf(part.account)) || statement.isStored) {
      await statements.store(part);
      await completeStatement(db, statement.id, factsOf(part, statement));
    }
    statements.close(part);
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
    hasRead: accounts.hasRead,
    withheld: accounts.withheld,
    namesSeen: names.seen,
  };
}

/** The statements of a file that are being read; a row is stored for those that count alone. */
function createStatements(db: Database, fileId: string) {
  const open = new Map<number, OpenStatement>();
  function of({ number }: FilePart): OpenStatement {
    const id = statementId(fileId, number);
    const fresh = { id, isStored: false, entries: 0, bookedCents: 0, latestDay: null };
    const statement = open.get(number) ?? fresh;
    open.set(number, statement);
    return statement;
  }
  return {
    of,
    async store(part: FilePart): Promise<void> {
      const statement = of(part);
      if (statement.isStored) return;
      const { kind, account } = part;
      await insertStatement(db, { id: statement.id, fileId, kind, account });
      statement.isStored = true;
    },
    close: ({ number }: FilePart) => open.delete(number),
  };
}

/** The accounts that a file names. */
function createAccounts(db: Database, allowed: StagedFile['accounts']) {
  /** The keys of each account: its own, and those of QR-IBANs that statements list under it. */
  const known = new Map<string, readonly string[]>();
  const qrIbans = new Set<string>();
  const withheld = new Set<string>();
  const keysOf = (account: string) => known.get(account) ?? [];
  const isAllowed = (key: string) => !allowed || allowed.includes(sharedKeyOf(key));
  return {
    async learn(parts: readonly FilePart[]): Promise<void> {
      const named = parts.flatMap((part) => [part.account, 'qrIban' in part ? part.qrIban : null]);
      const unknown = named.flatMap((each) => (each === null || known.has(each) ? [] : each));
      if (unknown.length === 0) return;
      const found = await findOurAccounts(db, [...new Set(unknown)]);
      for (const account of unknown) {
        const own = found.filter(({ key, listedAs }) => key === account || listedAs === account);
        known.set(account, [...new Set(own.map(({ key }) => key))]);
      }
    },
    keysOf,
    /** Withholds the keys when none of them may be read. @returns whether one may be */
    readOrWithhold(keys: readonly string[]): boolean {
      const isRead = keys.some(isAllowed);
      if (!isRead) for (const key of keys) withheld.add(sharedKeyOf(key));
      return isRead;
    },
    /** The account of ours that an entry is booked on; undefined: it is foreign. */
    async of({ qrIban, account }: EntryPart): Promise<string | undefined> {
      const found = [qrIban, account].find((each) => each !== null && keysOf(each).includes(each));
      if (found && found !== account && isAllowed(found) && !qrIbans.has(found)) {
        qrIbans.add(found);
        await keepStatementAccount(db, found, account);
      }
      return found ?? undefined;
    },
    hasRead: () => [...known.values()].flat().some(isAllowed),
    withheld: () => [...withheld],
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
