import { accountAtMember, foreignNumber, formatAccount } from '#lib/bank/account-number.ts';
import { explainDetails } from './explain-details.ts';
import { chargesIn, sumCharges } from './read-charges.ts';
import { readAmount } from './read-values.ts';
import { readReference } from './reference.ts';
import type { Party, StatementEntry, StatementPayment, UnclearDetail } from './statement.ts';
import { elementAt, elementsAt, textAt, type XmlElement } from './xml-element.ts';

/**
 * Sub-families of bank transaction codes (ISO 20022) whose money goes back: returned, recalled, and
 * returned by a clearing house.
 */
const RETURN_CODES = new Set(['RRTN', 'RPCR', 'ARET']);

/** A `TxDtls`; its amounts are read once the entry's currency is known. */
export interface PaymentDetail {
  readonly payment: StatementPayment;
  /** `Amt`, else `TxAmt`, else `InstdAmt`. */
  readonly amount: XmlElement | null;
  /** `TxAmt` and `InstdAmt`. */
  readonly stated: readonly XmlElement[];
  /** `InstdAmt` alone is the amount: another bank may have taken charges from it on the way. */
  readonly isInstructed: boolean;
  readonly charges: readonly XmlElement[];
  /** `CdtDbtInd` as it stands; null: that of the entry. */
  readonly direction: string | null;
  /** `MsgId` and `PmtInfId`: those of a payment file. */
  readonly messageIds: readonly string[];
}

type Whole = Pick<StatementEntry, 'amountCents' | 'currency' | 'bankReference' | 'direction'> & {
  readonly isReturn: boolean;
  readonly charges: readonly XmlElement[];
  /** `TxAmt` and `InstdAmt` of the entry. */
  readonly stated: readonly XmlElement[];
};

export interface ReadPayments {
  readonly payments: readonly StatementPayment[];
  /** Charges of the entry that none of its several payments states. */
  readonly feeCents: number;
}

/**
 * The payments inside an entry. Amounts of the details count only if all are there in the entry's
 * currency, and their sum is the entry's but for charges that the bank states (bank-transfer §3).
 * Else the entry is one payment with all references and all details, so that no money is invented
 * and no reference is lost.
 */
export function readPayments(whole: Whole, details: readonly PaymentDetail[]): ReadPayments {
  const payments = details.map(({ payment }) => payment);
  const chargeCents = sumCharges(whole.charges, whole.currency);
  const [only] = details;
  const alone = (payment: StatementPayment) => ({ payments: [payment], feeCents: 0 });
  const merged = mergeInto(whole, payments);
  const statedCents = details.length > 1 ? [] : statedBy(whole, only, chargeCents);
  if (!only) return alone({ ...merged, statedCents });
  const isOne = details.length === 1;
  if (isOne && (only.isInstructed || amountInside(only, whole) === null)) {
    return alone({ ...merged, statedCents });
  }
  const explained = explainDetails(
    { ...whole, chargeCents },
    details.map((detail) => ({
      amountCents: amountInside(detail, whole),
      chargeCents: sumCharges(detail.charges, whole.currency),
    })),
  );
  if (explained === null) {
    const unclear = details.map((detail) => unclearOf(detail, whole));
    return alone({ ...merged, statedCents, unclear });
  }
  const { entryFeeCents, details: own } = explained;
  if (isOne) {
    const feeCents = entryFeeCents + (own[0]?.feeCents ?? 0);
    return alone({ ...merged, ...own[0], feeCents, statedCents });
  }
  return {
    payments: payments.map((payment, n) => ({
      ...payment,
      ...own[n],
      isReturn: payment.isReturn || whole.isReturn,
    })),
    feeCents: entryFeeCents,
  };
}

/**
 * The bank's statement about the only payment beside the booked amount. Of money that comes and is
 * no return these are its charges alone: payers choose the amount that they instruct.
 */
function statedBy(
  { currency, direction, amountCents, stated, isReturn }: Whole,
  detail: PaymentDetail | undefined,
  entryChargeCents: number,
): readonly number[] {
  const isOfPayer = direction === 'CREDIT' && !isReturn && !detail?.payment.isReturn;
  const all = [...(detail?.amount ? [detail.amount] : []), ...(detail?.stated ?? []), ...stated];
  const inside = isOfPayer ? [] : all;
  const cents = inside
    .filter((amount) => amount.attributes.Ccy === currency)
    .map((amount) => readAmount(amount).amountCents);
  const sign = direction === 'CREDIT' ? 1 : -1;
  const own = sumCharges(detail?.charges ?? [], currency);
  const charges = [own, entryChargeCents].filter((each) => each > 0);
  const before = charges.map((each) => amountCents + sign * each);
  return [...new Set([...cents, ...before])].filter((each) => each > 0);
}

function unclearOf(detail: PaymentDetail, whole: Whole): UnclearDetail {
  const { amount, direction, payment } = detail;
  const { endToEndIds, structuredReferences, unstructuredTexts, debtor, creditor } = payment;
  const currency = amount?.attributes.Ccy ?? null;
  const amountCents = amount && currency ? readAmount(amount).amountCents : null;
  const facts = { endToEndIds, structuredReferences, unstructuredTexts, debtor, creditor };
  return { ...facts, amountCents, currency: currency ?? whole.currency, direction };
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
    debtor: commonParty(payments.map(({ debtor }) => debtor)),
    creditor: commonParty(payments.map(({ creditor }) => creditor)),
    returnReason: payments.find(({ isReturn }) => isReturn)?.returnReason ?? null,
    isReturn: whole.isReturn || payments.some(({ isReturn }) => isReturn),
  };
}

const NOBODY: Party = { name: null, account: null, agent: null };

/** The other side of all payments, where it is one account. */
function commonParty(parties: readonly Party[]): Party {
  const [first = NOBODY, ...others] = parties;
  const isOne = others.length === 0 || first.account !== null;
  return isOne && others.every(({ account }) => account === first.account) ? first : NOBODY;
}

const NOTHING: StatementPayment = {
  amountCents: 0,
  feeCents: 0,
  statedCents: [],
  unclear: [],
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
    ...NOTHING,
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
  const own = elementAt(detail, 'Amt') ?? elementAt(detail, 'AmtDtls', 'TxAmt', 'Amt');
  return {
    payment,
    amount: own ?? elementAt(detail, 'AmtDtls', 'InstdAmt', 'Amt'),
    isInstructed: own === null,
    stated: statedAmounts(detail),
    charges: chargesIn(detail),
    direction: textAt(detail, 'CdtDbtInd'),
    messageIds: [...texts('Refs', 'MsgId'), ...texts('Refs', 'PmtInfId')],
  };
}

/** `TxAmt` and `InstdAmt`, which an entry and a detail can state. */
export const statedAmounts = (element: XmlElement): readonly XmlElement[] =>
  ['TxAmt', 'InstdAmt'].flatMap((name) => elementAt(element, 'AmtDtls', name, 'Amt') ?? []);

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
  const number = related && accountOf(related, `${role}Acct`);
  return {
    name: party && (textAt(party, 'Nm') ?? textAt(party, 'Pty', 'Nm')),
    account: number && ((agent && accountAt(agent, number)) ?? foreignNumber(number)),
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

/** `SCHEME:bank:number` of an account without an IBAN; null: no scheme has the bank and number. */
function accountAt(agent: XmlElement, number: string): string | null {
  const system = textAt(agent, 'ClrSysMmbId', 'ClrSysId', 'Cd');
  const memberId = textAt(agent, 'ClrSysMmbId', 'MmbId');
  const found = system && memberId ? accountAtMember(system, memberId, number) : null;
  return found && formatAccount(found);
}

/** The clearing id and the BIC of the bank that keeps an account. */
export function readServicer(account: XmlElement): readonly string[] {
  const servicer = elementAt(account, 'Svcr', 'FinInstnId');
  if (!servicer) return [];
  const codes = [['ClrSysMmbId', 'MmbId'], ['BICFI'], ['BIC']];
  return codes.flatMap((path) => textAt(servicer, ...path) ?? []);
}

/** null where the detail's amount is no part of the entry's. */
function amountInside({ amount, direction }: PaymentDetail, whole: Whole): number | null {
  if (!amount || amount.attributes.Ccy !== whole.currency) return null;
  if (direction !== null && direction !== (whole.direction === 'CREDIT' ? 'CRDT' : 'DBIT')) {
    return null;
  }
  return readAmount(amount).amountCents;
}
