import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import type { StatementKind } from '#e-transfer/bank-transfer/statements/statement.ts';
import { institutionPart } from '#e-transfer/bank-transfer/xml/account-parts.ts';
import {
  type OptionalPart,
  part,
  writeXml,
  type XmlPart,
} from '#e-transfer/bank-transfer/xml/write-xml.ts';
import { parseAccount } from '#lib/bank/account-number.ts';
import type { EntryOptions, FileOptions, StatementOptions } from './statement-options.ts';
import { accountPart, amountPart, directionPart, entryPart } from './write-entry.ts';

/** A reference as payers type it: RF, check digits, 15 digits and the issuer's pattern. */
export const referenceOfDigits = creditorReferenceOf;

const NAMES = {
  'camt.052': { message: 'BkToCstmrAcctRpt', statement: 'Rpt' },
  'camt.053': { message: 'BkToCstmrStmt', statement: 'Stmt' },
  'camt.054': { message: 'BkToCstmrDbtCdtNtfctn', statement: 'Ntfctn' },
} as const satisfies Readonly<Record<StatementKind, { message: string; statement: string }>>;

const LATEST_VERSION = 8;
export const STATEMENT_DAY = '2026-03-01';
let files = 0;

/** A statement file of one account. */
export function writeStatement(
  statement: StatementOptions,
  file: Omit<FileOptions, 'statements'> = {},
): Buffer {
  return writeStatementFile({ ...file, statements: [statement] });
}

/** A statement file as a bank would write it: valid by the schema of its kind and version. */
export function writeStatementFile(options: FileOptions): Buffer {
  const { kind = 'camt.053', version = LATEST_VERSION, encoding = 'UTF-8', prefix } = options;
  const { message } = NAMES[kind];
  files += 1;
  const messageId = options.messageId ?? `MSG-${files}`;
  const header = part('GrpHdr', [
    part('MsgId', messageId),
    part('CreDtTm', `${options.statements[0]?.date ?? STATEMENT_DAY}T20:00:00Z`),
  ]);
  const number = String(version).padStart(2, '0');
  const statements = options.statements.map((each, n) =>
    statementPart(each, { kind, version, id: `${messageId}-${n + 1}` }),
  );
  // The first version carries its number in the element's name.
  const body = part(version === 1 ? `${message}V01` : message, [header, ...statements]);
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${kind}.001.${number}`;
  const root = part('Document', [body], { [prefix ? `xmlns:${prefix}` : 'xmlns']: namespace });
  return encoded(writeXml(prefix ? prefixed(root, prefix) : root, encoding), encoding);
}

function prefixed(each: XmlPart, prefix: string): XmlPart {
  const { content } = each;
  return {
    ...each,
    name: `${prefix}:${each.name}`,
    content: typeof content === 'string' ? content : content.map((it) => prefixed(it, prefix)),
  };
}

function encoded(text: string, encoding: NonNullable<FileOptions['encoding']>): Buffer {
  if (encoding === 'UTF-8') return Buffer.from(text, 'utf8');
  if (encoding === 'ISO-8859-1') return Buffer.from(text, 'latin1');
  // XML asks for a byte order mark, and "UTF-16" is the name that goes with it.
  return Buffer.from(`\ufeff${text.replace('UTF-16LE', 'UTF-16')}`, 'utf16le');
}

interface Message {
  readonly kind: StatementKind;
  readonly version: number;
  readonly id: string;
}

function statementPart(statement: StatementOptions, { kind, version, id }: Message): XmlPart {
  const { iban, currency = 'EUR', date = STATEMENT_DAY, entries = [] } = statement;
  const number = statement.sequenceNumber;
  const account = accountPart('Acct', iban)?.content as readonly XmlPart[];
  return part(NAMES[kind].statement, [
    part('Id', statement.id ?? id),
    number === undefined ? null : part('ElctrncSeqNb', String(number)),
    part('CreDtTm', `${date}T20:00:00Z`),
    part('Acct', [...account, part('Ccy', currency), servicerPart(statement)]),
    ...(kind === 'camt.054' ? [] : balanceParts(statement, { kind, version, currency, date })),
    ...entries.map((entry) => entryPart(entry, { version, currency, date })),
  ]);
}

/** Beside an IBAN a bank need not name itself. */
function servicerPart({ iban, servicer }: StatementOptions): OptionalPart {
  const account = parseAccount(iban);
  if (servicer === null || (servicer === undefined && account.scheme === 'IBAN')) return null;
  if (servicer === undefined) return part('Svcr', [institutionPart(account)]);
  const isBic = /^[A-Z]{6}/.test(servicer);
  const name = isBic ? part('BICFI', servicer) : part('ClrSysMmbId', [part('MmbId', servicer)]);
  return part('Svcr', [part('FinInstnId', [name])]);
}

interface BalancePlace {
  readonly kind: StatementKind;
  readonly version: number;
  readonly currency: string;
  readonly date: string;
}

/** By default the statement of a day adds up, from an opening balance of 1,000.00. */
function balanceParts(statement: StatementOptions, place: BalancePlace): readonly OptionalPart[] {
  const isDay = place.kind === 'camt.053';
  const { entries = [], openingCents = isDay ? 100_000 : null } = statement;
  const booked = entries.filter(({ status = 'BOOK' }) => status === 'BOOK').reduce(addEntry, 0);
  const { closingCents = openingCents === null ? null : openingCents + booked } = statement;
  return [
    openingCents === null ? null : balancePart('OPBD', openingCents, place),
    closingCents === null ? null : balancePart('CLBD', closingCents, place),
  ];
}

const addEntry = (sum: number, { amountCents, direction = 'CREDIT' }: EntryOptions): number =>
  sum + (direction === 'CREDIT' ? amountCents : -amountCents);

function balancePart(type: string, cents: number, place: BalancePlace): XmlPart {
  const { version, currency, date } = place;
  const code = part('Cd', type);
  return part('Bal', [
    part('Tp', [version === 1 ? code : part('CdOrPrtry', [code])]),
    amountPart(cents, currency),
    directionPart(cents < 0 ? 'DEBIT' : 'CREDIT'),
    part('Dt', [part('Dt', date)]),
  ]);
}
