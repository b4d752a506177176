import { decodeXml } from './decode-xml.ts';
import { accountOf, readPayments } from './read-payments.ts';
import { readAmount, readDay, readDirection } from './read-values.ts';
import { readXml } from './read-xml.ts';
import type {
  Balance,
  Statement,
  StatementEntry,
  StatementFile,
  StatementKind,
} from './statement.ts';
import { StatementFault } from './statement-fault.ts';
import {
  elementAt,
  elementsAt,
  faultAt,
  requiredTextAt,
  textAt,
  type XmlElement,
} from './xml-element.ts';

/** Ten times a large merchant's day; a file of 25 MB holds some 7,000 entries with details. */
export const LARGEST_STATEMENT_BYTES = 25 * 1024 * 1024;

const ENTRY = 'Ntry';
/** Each kind of message, by the element below `Document`, with its element for one account. */
const MESSAGES: Readonly<Record<string, { kind: StatementKind; statement: string }>> = {
  BkToCstmrAcctRpt: { kind: 'camt.052', statement: 'Rpt' },
  BkToCstmrStmt: { kind: 'camt.053', statement: 'Stmt' },
  BkToCstmrDbtCdtNtfctn: { kind: 'camt.054', statement: 'Ntfctn' },
};

/**
 * Reads a statement file of ISO 20022: camt.052, 053 or 054, in any version. Only the elements
 * that are used are read, and those strictly: a file that breaks its schema elsewhere is read.
 *
 * @throws StatementFault, and then nothing of the file may be used
 */
export function readStatements(bytes: Buffer): StatementFile {
  if (bytes.length > LARGEST_STATEMENT_BYTES) throw new StatementFault('The file is above 25 MB.');
  const entries: StatementEntry[][] = [];
  let current: StatementEntry[] = [];
  const document = readXml(decodeXml(bytes), {
    isKept: (element, depth) => {
      if (depth === 3 && element.name === ENTRY) current.push(readEntry(element));
      if (depth === 2 && isStatement(element)) {
        entries.push(current);
        current = [];
      }
      return element.name !== ENTRY;
    },
  });
  const message = document.children.find(({ name }) => messageNamed(name));
  const known = message && messageNamed(message.name);
  if (document.name !== 'Document' || !message || !known) {
    throw new StatementFault('The file is no account statement: camt.052, camt.053 or camt.054.');
  }
  const statements = elementsAt(message, [known.statement]);
  if (statements.length === 0) throw faultAt(message, `has no ${known.statement}`);
  return {
    kind: known.kind,
    messageId: textAt(message, 'GrpHdr', 'MsgId'),
    statements: statements.map((each, n) => readStatement(each, entries[n] ?? [])),
  };
}

/** The first versions carry their number in the name, as in `BkToCstmrAcctRptV01`. */
function messageNamed(name: string) {
  const plain = name.replace(/V\d{2}$/, '');
  return Object.hasOwn(MESSAGES, plain) ? MESSAGES[plain] : undefined;
}

function isStatement({ name }: XmlElement): boolean {
  return Object.values(MESSAGES).some(({ statement }) => statement === name);
}

function readStatement(statement: XmlElement, entries: readonly StatementEntry[]): Statement {
  const account = accountOf(statement, 'Acct');
  if (account === null) throw faultAt(statement, 'has no Acct/Id');
  return {
    id: textAt(statement, 'Id'),
    sequenceNumber: textAt(statement, 'ElctrncSeqNb') ?? textAt(statement, 'LglSeqNb'),
    account,
    currency: textAt(statement, 'Acct', 'Ccy'),
    balances: elementsAt(statement, ['Bal']).map(readBalance),
    entries,
  };
}

function readBalance(balance: XmlElement): Balance {
  const amount = elementAt(balance, 'Amt');
  if (!amount) throw faultAt(balance, 'has no Amt');
  const { amountCents, currency } = readAmount(amount);
  const sign = readDirection(balance) === 'CREDIT' ? 1 : -1;
  return {
    type: textAt(balance, 'Tp', 'CdOrPrtry', 'Cd') ?? textAt(balance, 'Tp', 'CdOrPrtry', 'Prtry'),
    amountCents: sign * amountCents,
    currency,
    date: readDay(balance, 'Dt').date,
  };
}

function readEntry(entry: XmlElement): StatementEntry {
  const amount = elementAt(entry, 'Amt');
  if (!amount) throw faultAt(entry, 'has no Amt');
  const { amountCents, currency } = readAmount(amount);
  const status = textAt(entry, 'Sts', 'Cd') ?? requiredTextAt(entry, 'Sts');
  const booking = readDay(entry, 'BookgDt');
  const bankReference = textAt(entry, 'AcctSvcrRef');
  return {
    direction: readDirection(entry),
    amountCents,
    currency,
    isBooked: status === 'BOOK',
    isReversal: readFlag(entry, 'RvslInd'),
    bookingDate: booking.date,
    bookedAt: booking.instant,
    valueDate: readDay(entry, 'ValDt').date,
    bankReference,
    batchReference: readBatchReference(entry),
    payments: readPayments(entry, { amountCents, currency, bankReference }),
    line: entry.line,
  };
}

function readBatchReference(entry: XmlElement): string | null {
  // The first version has no NtryDtls around the batch.
  const batch = elementAt(entry, 'NtryDtls', 'Btch') ?? elementAt(entry, 'Btch');
  return batch && (textAt(batch, 'PmtInfId') ?? textAt(batch, 'MsgId'));
}

/** `xs:boolean`: four spellings. */
function readFlag(element: XmlElement, name: string): boolean {
  const text = textAt(element, name) ?? 'false';
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw faultAt(element, `has a ${name} that is neither true nor false`);
}
