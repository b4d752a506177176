import { type AccountNumber, clearingOf, parseAccount } from '#lib/bank/account-number.ts';
import { formatAmount } from '#lib/money.ts';
import { accountIdPart, institutionPart } from '../xml/account-parts.ts';
import { part, writeXml, type XmlPart } from '../xml/write-xml.ts';

const PAYER_NAME = 'Demo Payer';
/** The made payer: the IBAN is the registry's example, and the numbers belong to nobody. */
const PAYERS: Readonly<Partial<Record<AccountNumber['scheme'], string>>> = {
  CA: 'CA:99899999:7654321',
  US: 'US:999999992:987654321',
  GB: 'GB:999998:55779911',
  AU: 'AU:999998:123456789',
};
const EUROPEAN = 'FR1420041010050500013M02606';
/** The made account holds this much before each statement. */
const OPENING_CENTS = 100_000;

const MESSAGES = {
  camt053: { number: 'camt.053.001.08', name: 'BkToCstmrStmt', statement: 'Stmt' },
  camt054: { number: 'camt.054.001.08', name: 'BkToCstmrDbtCdtNtfctn', statement: 'Ntfctn' },
} as const;
export type DemoMessage = keyof typeof MESSAGES;

export interface DemoEntry {
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  /** Unique: it names the money. */
  readonly bankReference: string;
  readonly endToEndId: string | null;
  /** The creditor reference of the payment; null: a refund has none. */
  readonly reference: string | null;
  /** An Interac e-Transfer: the reference is its message, and no account is named. */
  readonly isEtransfer?: boolean;
}

export interface DemoStatement {
  readonly message: DemoMessage;
  readonly id: string;
  /** The merchant's, as payers type it. */
  readonly account: string;
  readonly currency: string;
  readonly createdAt: Date;
  /** The booking day, as in `2026-03-01`. */
  readonly day: string;
  readonly entries: readonly DemoEntry[];
}

/** A statement as a bank would write it, valid by ISO 20022, for a demo without a bank. */
export function writeDemoStatement(statement: DemoStatement): string {
  const { message, id, account, currency, createdAt, entries } = statement;
  const { number, name, statement: element } = MESSAGES[message];
  const header = part('GrpHdr', [part('MsgId', id), part('CreDtTm', createdAt.toISOString())]);
  const sum = entries.reduce((total, entry) => total + signedCents(entry), 0);
  const body = part(element, [
    part('Id', id),
    part('CreDtTm', createdAt.toISOString()),
    accountPart(account, currency),
    ...(message === 'camt053'
      ? [
          balancePart('OPBD', OPENING_CENTS, statement),
          balancePart('CLBD', OPENING_CENTS + sum, statement),
        ]
      : []),
    ...entries.map((entry) => entryPart(entry, statement)),
  ]);
  const xmlns = `urn:iso:std:iso:20022:tech:xsd:${number}`;
  return writeXml(part('Document', [part(name, [header, body])], { xmlns }));
}

/** A bank names itself beside an account without an IBAN, since its number alone is no name. */
function accountPart(text: string, currency: string): XmlPart {
  const account = parseAccount(text);
  const servicer = clearingOf(account) && part('Svcr', [institutionPart(account)]);
  return part('Acct', [accountIdPart(account), part('Ccy', currency), servicer]);
}

const signedCents = ({ direction, amountCents }: DemoEntry): number =>
  direction === 'CREDIT' ? amountCents : -amountCents;

const amountPart = (cents: number, currency: string): XmlPart =>
  part('Amt', formatAmount(cents), { Ccy: currency });

function balancePart(type: string, cents: number, { currency, day }: DemoStatement): XmlPart {
  return part('Bal', [
    part('Tp', [part('CdOrPrtry', [part('Cd', type)])]),
    amountPart(Math.abs(cents), currency),
    part('CdtDbtInd', cents < 0 ? 'DBIT' : 'CRDT'),
    part('Dt', [part('Dt', day)]),
  ]);
}

function entryPart(entry: DemoEntry, { currency, day, account }: DemoStatement): XmlPart {
  const { direction, amountCents, bankReference, endToEndId, reference, isEtransfer } = entry;
  const payer = parseAccount(PAYERS[parseAccount(account).scheme] ?? EUROPEAN);
  const role = direction === 'CREDIT' ? 'Dbtr' : 'Cdtr';
  const dated = [part('Dt', day)];
  const structured = (text: string) =>
    part('RmtInf', [part('Strd', [part('CdtrRefInf', [part('Ref', text)])])]);
  const message = (text: string) => part('RmtInf', [part('Ustrd', text)]);
  return part('Ntry', [
    amountPart(amountCents, currency),
    part('CdtDbtInd', direction === 'CREDIT' ? 'CRDT' : 'DBIT'),
    part('Sts', [part('Cd', 'BOOK')]),
    part('BookgDt', dated),
    part('ValDt', dated),
    part('AcctSvcrRef', bankReference),
    part('BkTxCd', [part('Prtry', [part('Cd', 'NTRF')])]),
    part('NtryDtls', [
      part('TxDtls', [
        part('Refs', [part('EndToEndId', endToEndId ?? 'NOTPROVIDED')]),
        part('RltdPties', [
          part(role, [part('Pty', [part('Nm', PAYER_NAME)])]),
          isEtransfer ? null : part(`${role}Acct`, [accountIdPart(payer)]),
        ]),
        isEtransfer ? null : part('RltdAgts', [part(`${role}Agt`, [institutionPart(payer)])]),
        reference === null ? null : isEtransfer ? message(reference) : structured(reference),
      ]),
    ]),
  ]);
}
