import { formatAmount } from '#lib/money.ts';
import { optional, part, writeXml, type XmlPart } from '../xml/write-xml.ts';
import type { RefundCreditor } from './bank-refund.ts';
import { endToEndIdOf } from './bank-refund.ts';
import { sepaText } from './sepa-text.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
/** SEPA takes fewer characters than ISO 20022, which allows 140. */
const LONGEST_NAME = 70;
const LONGEST_TEXT = 140;
/** ISO 20022's word for a name or a bank that is not known. */
const NOT_PROVIDED = 'NOTPROVIDED';
/** The text of a refund without a message. It never holds our reference: it would be money back. */
const DEFAULT_TEXT = 'Refund';

/** The account that pays. */
export interface PayingAccount {
  readonly holder: string;
  readonly iban: string;
  readonly bic: string | null;
}

export interface CreditTransfer {
  readonly refundId: string;
  readonly amountCents: number;
  readonly message: string | null;
  readonly creditor: RefundCreditor;
}

export interface PaymentFile {
  readonly messageId: string;
  readonly createdAt: Date;
  /** A day on which TARGET settles, as in `2026-03-01`. */
  readonly executionDate: string;
  readonly debtor: PayingAccount;
  readonly transfers: readonly CreditTransfer[];
}

export const totalCentsOf = (transfers: readonly CreditTransfer[]): number =>
  transfers.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** A file of SEPA credit transfers, `pain.001.001.09`, in EUR (bank-transfer §5). */
export function writePain001(file: PaymentFile): string {
  const { messageId, createdAt, debtor, transfers } = file;
  const totals = [
    part('NbOfTxs', String(transfers.length)),
    part('CtrlSum', formatAmount(totalCentsOf(transfers))),
  ];
  const debtorName = part('Nm', nameOf(debtor.holder));
  const bank = debtor.bic ? part('BICFI', debtor.bic) : part('Othr', [part('Id', NOT_PROVIDED)]);
  const payment = part('PmtInf', [
    part('PmtInfId', messageId),
    part('PmtMtd', 'TRF'),
    // Each transfer is an entry of its own in the statement, with its EndToEndId.
    part('BtchBookg', 'false'),
    ...totals,
    part('PmtTpInf', [part('SvcLvl', [part('Cd', 'SEPA')])]),
    part('ReqdExctnDt', [part('Dt', file.executionDate)]),
    part('Dbtr', [debtorName]),
    accountPart('DbtrAcct', debtor.iban),
    part('DbtrAgt', [part('FinInstnId', [bank])]),
    part('ChrgBr', 'SLEV'),
    ...transfers.map(transferPart),
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

function transferPart({ refundId, amountCents, message, creditor }: CreditTransfer): XmlPart {
  const text = message === null ? '' : sepaText(message, LONGEST_TEXT);
  return part('CdtTrfTxInf', [
    part('PmtId', [part('EndToEndId', endToEndIdOf(refundId))]),
    part('Amt', [part('InstdAmt', formatAmount(amountCents), { Ccy: 'EUR' })]),
    part('Cdtr', [part('Nm', nameOf(creditor.name ?? ''))]),
    accountPart('CdtrAcct', creditor.iban),
    part('RmtInf', [optional('Ustrd', text || DEFAULT_TEXT)]),
  ]);
}

const nameOf = (name: string): string => sepaText(name, LONGEST_NAME) || NOT_PROVIDED;

const accountPart = (name: string, iban: string): XmlPart =>
  part(name, [part('Id', [part('IBAN', iban)])]);
