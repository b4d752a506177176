import { setImmediate } from 'node:timers/promises';
import { decodeXml } from './decode-xml.ts';
import { type MessageKind, messageNamed, USED_ELEMENTS } from './message-kinds.ts';
import { dayOfStatement, readBalance, readEntry, readQrIban } from './read-entry.ts';
import { type PaymentDetail, readAccount, readDetail, readServicer } from './read-payments.ts';
import { createXmlReader } from './read-xml.ts';
import type { Statement, StatementEntry, StatementKind } from './statement.ts';
import { StatementFault } from './statement-fault.ts';
import { elementsAt, faultAt, textAt, type XmlElement } from './xml-element.ts';

/** Ten times a large merchant's day; a file of 25 MB holds some 7,000 entries with details. */
export const LARGEST_STATEMENT_BYTES = 25 * 1024 * 1024;
/** In a file: 25 MB hold no more of 260 bytes, and the shortest that a bank writes have 500. */
const MOST_DETAILS = 100_000;
/** In a file: 25 MB hold no more of 130 bytes, the shortest that the schema allows. */
const MOST_ENTRIES = 200_000;
/** A file of 25 MB with a statement for every account of a large merchant. */
const MOST_STATEMENTS = 10_000;

const NO_STATEMENT = 'no account statement: camt.052, camt.053 or camt.054.';

/** A statement of a file; `read` gives its own facts, without the entries. */
export interface StatementPart {
  readonly part: 'STATEMENT';
  readonly kind: StatementKind;
  /** Counted from 0, in the order of the file. */
  readonly number: number;
  readonly account: string;
  /** The codes of the account's bank; empty: the file does not name it. */
  readonly servicer: readonly string[];
  /** @throws StatementFault */
  readonly read: () => Omit<Statement, 'entries'>;
}

/** An entry of a statement, which comes before its statement's own part. */
export interface EntryPart {
  readonly part: 'ENTRY';
  readonly kind: StatementKind;
  readonly number: number;
  readonly account: string;
  readonly servicer: readonly string[];
  /** The QR-IBAN that the payers used, where the bank names it. */
  readonly qrIban: string | null;
  /** The statement's day, for an entry without one: YYYY-MM-DD. null: the bank gives none. */
  readonly statementDay: string | null;
  /** @throws StatementFault */
  readonly read: () => StatementEntry;
}

export type FilePart = StatementPart | EntryPart;

/**
 * Reads a statement file of ISO 20022: camt.052, 053 or 054, in any version. Only the elements
 * that are used are read, and those strictly: a file that breaks its schema elsewhere is read.
 * Parts that nobody reads are checked for nothing: accounts of others may be in the file.
 *
 * @returns the parts a piece of the file at a time; other work of the process runs between them
 * @throws StatementFault, and then nothing of the file may be used
 */
export async function* readParts(bytes: Buffer): AsyncGenerator<readonly FilePart[]> {
  for (const parts of readPieces(bytes)) {
    await setImmediate();
    if (parts.length > 0) yield parts;
  }
}

/** The parts of each piece of a file, as `readParts` gives them. */
export function* readPieces(bytes: Buffer): Generator<readonly FilePart[]> {
  if (bytes.length > LARGEST_STATEMENT_BYTES) throw new StatementFault('The file is above 25 MB.');
  let message: MessageKind | null = null;
  let account: string | null = null;
  let servicer: readonly string[] = [];
  let statementDay: string | null = null;
  let number = 0;
  const parts: FilePart[] = [];
  const details: PaymentDetail[] = [];
  let detailCount = 0;
  let entryCount = 0;

  function closeEntry(entry: XmlElement, { kind }: MessageKind): void {
    const inside = details.splice(0);
    if (++entryCount > MOST_ENTRIES) throw faultAt(entry, 'stands among too many entries');
    if (account === null) throw faultAt(entry, 'stands before the Acct of its statement');
    const qrIban = readQrIban(entry);
    const read = () => readEntry(entry, inside);
    const facts = { kind, number, account, servicer } as const;
    parts.push({ part: 'ENTRY', ...facts, qrIban, statementDay, read });
  }

  function closeStatement(statement: XmlElement, { kind }: MessageKind): void {
    if (account === null) throw faultAt(statement, 'has no Acct/Id');
    const facts = { part: 'STATEMENT', kind, number, account, servicer } as const;
    parts.push({ ...facts, read: () => readStatement(statement, facts.account) });
    account = null;
    statementDay = null;
    number += 1;
    if (number > MOST_STATEMENTS) throw faultAt(statement, 'stands among too many statements');
  }

  function isKept(element: XmlElement, depth: number): boolean {
    const { name } = element;
    if (!message || depth < 2) return false;
    if (depth === 2 && name === message.statement) closeStatement(element, message);
    if (depth === 3 && name === 'Ntry') closeEntry(element, message);
    if (depth === 3 && name === 'Acct' && account === null) {
      account = readAccount(element);
      servicer = readServicer(element);
    }
    if (depth === 3) statementDay = dayOfStatement(element) ?? statementDay;
    // The first version has no NtryDtls around the details.
    if ((depth === 4 || depth === 5) && name === 'TxDtls') {
      details.push(readDetail(element));
      if (++detailCount > MOST_DETAILS) throw faultAt(element, 'stands among too many payments');
    }
    return USED_ELEMENTS.has(name);
  }

  const xml = createXmlReader({
    isKept,
    onOpen(name, depth, refuse) {
      if (depth === 0 && name !== 'Document') refuse(`${name} is no account statement.`);
      if (depth === 1) message = messageNamed(name) ?? refuse(`${name} is ${NO_STATEMENT}`);
      if (depth === 3 && name === 'Ntry') details.length = 0;
    },
  });
  for (const piece of decodeXml(bytes)) {
    xml.write(piece);
    yield parts.splice(0);
  }
  const root = xml.end();
  if (number === 0) throw faultAt(root, 'has no statement');
  yield parts.splice(0);
}

function readStatement(statement: XmlElement, account: string): Omit<Statement, 'entries'> {
  return {
    id: textAt(statement, 'Id'),
    sequenceNumber: textAt(statement, 'ElctrncSeqNb') ?? textAt(statement, 'LglSeqNb'),
    account,
    currency: textAt(statement, 'Acct', 'Ccy'),
    balances: elementsAt(statement, ['Bal']).map(readBalance),
  };
}
