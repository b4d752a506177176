import { readAmount } from './read-values.ts';
import { readReference } from './reference.ts';
import type { Party, StatementEntry, StatementPayment } from './statement.ts';
import { elementAt, elementsAt, textAt, type XmlElement } from './xml-element.ts';

/**
 * Sub-families of bank transaction codes (ISO 20022) whose money goes back: returned, recalled, and
 * returned by a clearing house.
 */
const RETURN_CODES = new Set(['RRTN', 'RPCR', 'ARET']);

/** A `TxDtls`; its amount is read once the entry's currency is known. */
export interface PaymentDetail {
  readonly payment: StatementPayment;
  readonly amount: XmlElement | null;
  /** `CdtDbtInd` as it stands; null: that of the entry. */
  readonly direction: string | null;
}

type Whole = Pick<StatementEntry, 'amountCents' | 'currency' | 'bankReference' | 'direction'> & {
  readonly isReturn: boolean;
};

/**
 * The payments inside an entry. Amounts of the details count only if all are there in the entry's
 * currency and their sum is the entry's; else the entry is one payment with all references, so
 * that no money is invented and no reference is lost.
 */
export function readPayments(
  whole: Whole,
  details: readonly PaymentDetail[],
): readonly StatementPayment[] {
  const payments = details.map(({ payment }) => payment);
  const [only] = payments;
  if (only && payments.length === 1) return [mergeInto(whole, [only])];
  const amounts = details.map((detail) => amountInside(detail, whole));
  const sum = amounts.reduce((total: number, amount) => total + (amount ?? Number.NaN), 0);
  if (sum !== whole.amountCents) return [mergeInto(whole, payments)];
  return payments.map((payment, n) => ({
    ...payment,
    amountCents: amounts[n] ?? 0,
    isReturn: payment.isReturn || whole.isReturn,
  }));
}

function mergeInto(whole: Whole, payments: readonly StatementPayment[]): StatementPayment {
  const [first = NOTHING] = payments;
  const isOne = payments.length === 1;
  return {
    ...NOTHING,
    ...(isOne && first),
    amountCents: whole.amountCents,
    bankReference: whole.bankReference ?? (isOne ? first.bankReference : null),
    endToEndIds: payments.flatMap(({ endToEndIds }) => endToEndIds),
    structuredReferences: payments.flatMap((payment) => payment.structuredReferences),
    unstructuredTexts: payments.flatMap((payment) => payment.unstructuredTexts),
    returnReason: payments.find(({ isReturn }) => isReturn)?.returnReason ?? null,
    isReturn: whole.isReturn || payments.some(({ isReturn }) => isReturn),
  };
}

const NOBODY: Party = { name: null, account: null, agent: null };
const NOTHING: StatementPayment = {
  amountCents: 0,
  bankReference: null,
  endToEndIds: [],
  structuredReferences: [],
  unstructuredTexts: [],
  debtor: NOBODY,
  creditor: NOBODY,
  returnReason: null,
  isReturn: false,
};

/** Reads a `TxDtls` at its end, so that a batch of thousands of payments holds no elements. */
export function readDetail(detail: XmlElement): PaymentDetail {
  const texts = (...path: string[]) => elementsAt(detail, path).flatMap(({ text }) => text || []);
  const returned = elementAt(detail, 'RtrInf');
  const payment = {
    amountCents: 0,
    bankReference: readReference(textAt(detail, 'Refs', 'AcctSvcrRef')),
    endToEndIds: texts('Refs', 'EndToEndId').filter((id) => readReference(id) !== null),
    structuredReferences: [
      ...texts('RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
      // The first version of the messages names it so.
      ...texts('RmtInf', 'Strd', 'CdtrRefInf', 'CdtrRef'),
    ],
    unstructuredTexts: texts('RmtInf', 'Ustrd'),
    debtor: readParty(detail, 'Dbtr'),
    creditor: readParty(detail, 'Cdtr'),
    isReturn: returned !== null || isReturnCode(detail),
    returnReason: returned && readReason(returned),
  };
  const amount =
    elementAt(detail, 'Amt') ??
    elementAt(detail, 'AmtDtls', 'TxAmt', 'Amt') ??
    elementAt(detail, 'AmtDtls', 'InstdAmt', 'Amt');
  return { payment, amount, direction: textAt(detail, 'CdtDbtInd') };
}

/** The first version of the messages writes `RtrRsn`. */
function readReason(returned: XmlElement): string | null {
  const reason = elementAt(returned, 'Rsn') ?? elementAt(returned, 'RtrRsn');
  return reason && (textAt(reason, 'Cd') ?? textAt(reason, 'Prtry'));
}

/** Whether the bank's code of an entry or a detail says that money goes back. */
export function isReturnCode(element: XmlElement): boolean {
  return RETURN_CODES.has(textAt(element, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd') ?? '');
}

/** Newer versions put `Pty` or `Agt` between the role and its name. */
function readParty(detail: XmlElement, role: 'Dbtr' | 'Cdtr'): Party {
  const related = elementAt(detail, 'RltdPties');
  const agent = elementAt(detail, 'RltdAgts', `${role}Agt`, 'FinInstnId');
  const party = related && elementAt(related, role);
  return {
    name: party && (textAt(party, 'Nm') ?? textAt(party, 'Pty', 'Nm')),
    account: related && accountOf(related, `${role}Acct`),
    agent: agent && (textAt(agent, 'BICFI') ?? textAt(agent, 'BIC') ?? textAt(agent, 'Nm')),
  };
}

/** An IBAN, without blanks and in capitals, or another number as the bank writes it. */
export function accountOf(parent: XmlElement, name: string): string | null {
  const account = elementAt(parent, name);
  return account && readAccount(account);
}

export function readAccount(account: XmlElement): string | null {
  const iban = textAt(account, 'Id', 'IBAN');
  if (iban !== null) return iban.replaceAll(/\s/g, '').toUpperCase();
  return (
    textAt(account, 'Id', 'Othr', 'Id') ??
    textAt(account, 'Id', 'BBAN') ??
    textAt(account, 'Id', 'PrtryAcct', 'Id')
  );
}

/** null where the detail's amount is no part of the entry's. */
function amountInside({ amount, direction }: PaymentDetail, whole: Whole): number | null {
  if (!amount || amount.attributes.Ccy !== whole.currency) return null;
  if (direction !== null && direction !== (whole.direction === 'CREDIT' ? 'CRDT' : 'DBIT')) {
    return null;
  }
  return readAmount(amount).amountCents;
}
