import { accountIdPart, institutionPart } from '#e-transfer/bank-transfer/xml/account-parts.ts';
import {
  type OptionalPart,
  optional,
  part,
  type XmlPart,
} from '#e-transfer/bank-transfer/xml/write-xml.ts';
import { parseAccount } from '#lib/bank/account-number.ts';
import type { EntryOptions, PaymentOptions } from './statement-options.ts';

/** The names of elements changed with these versions of the messages. */
const FIRST_WITH = { entryDetails: 2, bicfi: 3, amountOfPayment: 3, statusCode: 7, partyChoice: 7 };

export interface EntryPlace {
  readonly version: number;
  readonly currency: string;
  readonly date: string;
}

export const decimalOf = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

export const amountPart = (cents: number, currency: string): XmlPart =>
  part('Amt', decimalOf(cents), { Ccy: currency });

export const directionPart = (direction: 'CREDIT' | 'DEBIT'): XmlPart =>
  part('CdtDbtInd', direction === 'CREDIT' ? 'CRDT' : 'DBIT');

const BANK_CODE = part('BkTxCd', [part('Prtry', [part('Cd', 'NTRF')])]);

export function entryPart(entry: EntryOptions, place: EntryPlace): XmlPart {
  const { version, currency } = place;
  const status = entry.status ?? 'BOOK';
  const direction = entry.direction ?? 'CREDIT';
  const booked = entry.date === undefined ? place.date : entry.date;
  const value = entry.valueDate === undefined ? booked : entry.valueDate;
  const payments = entry.payments ?? (entry.hasNoDetails ? [] : [withoutBankReference(entry)]);
  const details = payments.map((payment) => paymentPart(payment, entry, place));
  const batch =
    entry.batchReference === undefined
      ? null
      : part('Btch', [
          part('PmtInfId', entry.batchReference),
          entry.hasNoDetails ? null : part('NbOfTxs', String(payments.length)),
        ]);
  return part('Ntry', [
    optional('NtryRef', entry.entryReference),
    amountPart(entry.amountCents, entry.currency ?? currency),
    directionPart(direction),
    entry.isReversal === undefined ? null : part('RvslInd', String(entry.isReversal)),
    part('Sts', version >= FIRST_WITH.statusCode ? [part('Cd', status)] : status),
    entry.bookedAt ? part('BookgDt', [part('DtTm', entry.bookedAt)]) : dayPart('BookgDt', booked),
    dayPart('ValDt', value),
    optional('AcctSvcrRef', entry.bankReference),
    BANK_CODE,
    entry.transactionCents === undefined
      ? null
      : part('AmtDtls', [part('TxAmt', [amountPart(entry.transactionCents, currency)])]),
    chargesPart(entry.chargeCents, place),
    ...(version >= FIRST_WITH.entryDetails
      ? [part('NtryDtls', [batch, ...details])]
      : [batch, ...details]),
  ]);
}

/** The second version writes the record into Chrgs itself. */
function chargesPart(cents: number | undefined, { version, currency }: EntryPlace): OptionalPart {
  if (cents === undefined) return null;
  const amount = amountPart(cents, currency);
  return part('Chrgs', version <= 2 ? [amount] : [part('Rcrd', [amount])]);
}

/** The entry's own bank reference stands beside its details, not in them. */
function withoutBankReference({ bankReference: _, ...payment }: EntryOptions): PaymentOptions {
  return payment;
}

const dayPart = (name: string, day: string | null): OptionalPart =>
  day === null ? null : part(name, [part('Dt', day)]);

function paymentPart(payment: PaymentOptions, entry: EntryOptions, place: EntryPlace): XmlPart {
  const { version } = place;
  const currency = entry.currency ?? place.currency;
  const cents = payment.amountCents === undefined ? entry.amountCents : payment.amountCents;
  const amount = cents === null ? null : amountPart(cents, payment.detailCurrency ?? currency);
  const { instructedCents, detailDirection = entry.direction ?? 'CREDIT' } = payment;
  const instructed =
    instructedCents === undefined
      ? null
      : part('InstdAmt', [amountPart(instructedCents, currency)]);
  const isAmountOfPayment = version >= FIRST_WITH.amountOfPayment;
  return part('TxDtls', [
    groupPart('Refs', [
      optional('AcctSvcrRef', payment.bankReference),
      optional('EndToEndId', payment.endToEndId),
    ]),
    ...(isAmountOfPayment ? [amount, amount && directionPart(detailDirection)] : []),
    groupPart('AmtDtls', [
      instructed,
      isAmountOfPayment || amount === null ? null : part('TxAmt', [amount]),
    ]),
    chargesPart(payment.detailChargeCents, place),
    groupPart('RltdPties', [
      partyPart('Dbtr', payment.debtorName, version),
      accountPart('DbtrAcct', payment.debtorIban),
      partyPart('Cdtr', payment.creditorName, version),
      accountPart('CdtrAcct', payment.creditorIban),
    ]),
    groupPart('RltdAgts', [agentPart(payment, version)]),
    remittancePart(payment, version),
    returnPart(payment.returned, version),
  ]);
}

/** Not there when nothing is inside. */
function groupPart(name: string, parts: readonly OptionalPart[]): OptionalPart {
  return parts.some((each) => each !== null) ? part(name, parts) : null;
}

function partyPart(role: string, name: string | undefined, version: number): OptionalPart {
  if (name === undefined) return null;
  const named = part('Nm', name);
  return part(role, [version >= FIRST_WITH.partyChoice ? part('Pty', [named]) : named]);
}

export function accountPart(name: string, iban: string | undefined): OptionalPart {
  return iban === undefined ? null : part(name, [accountIdPart(parseAccount(iban))]);
}

function agentPart(
  { debtorAgent: bic, debtorIban }: PaymentOptions,
  version: number,
): OptionalPart {
  const account = parseAccount(debtorIban ?? '');
  // The number of an account without an IBAN stands beside its bank.
  if (account.bank) return part('DbtrAgt', [institutionPart(account, bic)]);
  if (bic === undefined) return null;
  const name = version >= FIRST_WITH.bicfi ? 'BICFI' : 'BIC';
  return part('DbtrAgt', [part('FinInstnId', [part(name, bic)])]);
}

function remittancePart({ reference, text }: PaymentOptions, version: number): OptionalPart {
  const texts = text === undefined ? [] : [text].flat();
  const isFirst = version < FIRST_WITH.entryDetails;
  const type = part('Tp', [part('CdOrPrtry', [part('Cd', 'SCOR')])]);
  const structured =
    reference === undefined
      ? null
      : part('Strd', [
          part(
            'CdtrRefInf',
            isFirst ? [part('CdtrRef', reference)] : [type, part('Ref', reference)],
          ),
        ]);
  return groupPart('RmtInf', [...texts.map((each) => part('Ustrd', each)), structured]);
}

function returnPart(returned: string | true | undefined, version: number): OptionalPart {
  if (returned === undefined) return null;
  const isFirst = version < FIRST_WITH.entryDetails;
  if (returned === true) {
    return part('RtrInf', [part(isFirst ? 'AddtlRtrRsnInf' : 'AddtlInf', 'returned')]);
  }
  // The first version lists its codes; a proprietary reason takes any.
  return isFirst
    ? part('RtrInf', [part('RtrRsn', [part('Prtry', returned)])])
    : part('RtrInf', [part('Rsn', [part('Cd', returned)])]);
}
