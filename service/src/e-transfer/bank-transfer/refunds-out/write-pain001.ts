import { type AccountNumber, domesticOf, parseAccount } from '#lib/bank/account-number.ts';
import { formatAmount } from '#lib/money.ts';
import { accountIdPart, institutionPart } from '../xml/account-parts.ts';
import { optional, part, writeXml, type XmlPart } from '../xml/write-xml.ts';
import type { RefundCreditor } from './bank-refund.ts';
import { endToEndIdOf } from './bank-refund.ts';
import { sepaText } from './sepa-text.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
/** SEPA takes fewer characters than ISO 20022, which allows 140. */
const LONGEST_NAME = 70;
const LONGEST_TEXT = 140;
/** ISO 20022's word for a name that is not known. */
const NOT_PROVIDED = 'NOTPROVIDED';
/** The text of a refund without a message. It never holds our reference: it would be money back. */
const DEFAULT_TEXT = 'Refund';

/** The account that pays. */
export interface PayingAccount {
  readonly holder: string;
  /** An IBAN in electronic form, or `SCHEME:bank:number`. */
  readonly account: string;
  readonly bic: string | null;
}

export interface CreditTransfer {
  readonly refundId: string;
  readonly amountCents: number;
  readonly message: string | null;
  /** The text that a person copies into a transfer of a list. */
  readonly listReference: string;
  readonly creditor: RefundCreditor;
}

export interface PaymentFile {
  readonly messageId: string;
  readonly createdAt: Date;
  /** A working day, as in `2026-03-01`. */
  readonly executionDate: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly debtor: PayingAccount;
  readonly transfers: readonly CreditTransfer[];
}

export const totalCentsOf = (transfers: readonly CreditTransfer[]): number =>
  transfers.reduce((sum, { amountCents }) => sum + amountCents, 0);

/**
 * A file of credit transfers, `pain.001.001.09`: of SEPA in EUR (bank-transfer §5), else of the
 * country's clearing system, by its codes for banks (bank-connection §4).
 */
export function writePain001(file: PaymentFile): string {
  const { messageId, createdAt, debtor, currency, transfers } = file;
  const service = SERVICES[currency === 'EUR' ? 'SEPA' : 'CLEARING'];
  const account = accountIn(currency, debtor.account);
  const totals = [
    part('NbOfTxs', String(transfers.length)),
    part('CtrlSum', formatAmount(totalCentsOf(transfers))),
  ];
  const debtorName = part('Nm', nameOf(debtor.holder));
  const payment = part('PmtInf', [
    part('PmtInfId', messageId),
    part('PmtMtd', 'TRF'),
    // Each transfer is an entry of its own in the statement, with its EndToEndId.
    part('BtchBookg', 'false'),
    ...totals,
    part('PmtTpInf', [part('SvcLvl', [part('Cd', service.level)])]),
    part('ReqdExctnDt', [part('Dt', file.executionDate)]),
    part('Dbtr', [debtorName]),
    part('DbtrAcct', [accountIdPart(account)]),
    part('DbtrAgt', [institutionPart(account, debtor.bic)]),
    part('ChrgBr', service.charges),
    ...transfers.map((each) => transferPart(each, currency)),
  ]);
  const header = part('GrpHdr', [
    part('MsgId', messageId),
    part('CreDtTm', createdAt.toISOString()),
    ...totals,
    part('InitgPty', [debtorName]),
  ]);
  const body = part('CstmrCdtTrfInitn', [header, payment]);
  return writeXml(part('Document', [body], { xmlns: NAMESPACE }));
}

function transferPart(
  { refundId, amountCents, message, creditor }: CreditTransfer,
  currency: string,
): XmlPart {
  const account = accountIn(currency, creditor.account);
  const text = message === null ? '' : sepaText(message, LONGEST_TEXT);
  return part('CdtTrfTxInf', [
    part('PmtId', [part('EndToEndId', endToEndIdOf(refundId))]),
    part('Amt', [part('InstdAmt', formatAmount(amountCents), { Ccy: currency })]),
    // SEPA finds the bank by the IBAN.
    account.scheme === 'IBAN' ? null : part('CdtrAgt', [institutionPart(account)]),
    part('Cdtr', [part('Nm', nameOf(creditor.name ?? ''))]),
    part('CdtrAcct', [accountIdPart(account)]),
    part('RmtInf', [optional('Ustrd', text || DEFAULT_TEXT)]),
  ]);
}

/** Non-urgent transfers, whose charges both sides share, are what clearing systems know. */
const SERVICES = {
  SEPA: { level: 'SEPA', charges: 'SLEV' },
  CLEARING: { level: 'NURG', charges: 'SHAR' },
} as const;

/** A clearing system takes its own numbers: those of a British IBAN stand in it. */
function accountIn(currency: string, text: string): AccountNumber {
  const account = parseAccount(text);
  return currency === 'EUR' ? account : domesticOf(account);
}

const nameOf = (name: string): string => sepaText(name, LONGEST_NAME) || NOT_PROVIDED;
