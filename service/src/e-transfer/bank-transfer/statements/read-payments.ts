import { readAmount } from './read-values.ts';
import type { Party, StatementEntry, StatementPayment } from './statement.ts';
import { elementAt, elementsAt, textAt, type XmlElement } from './xml-element.ts';

/** The bank writes it where the debtor gave no EndToEndId (ISO 20022). */
const NOT_PROVIDED = 'NOTPROVIDED';

type Whole = Pick<StatementEntry, 'amountCents' | 'currency' | 'bankReference'>;

/**
 * The payments inside an entry. Amounts of the details count only if all are there in the entry's
 * currency and their sum is the entry's; else the entry is one payment with all references, so
 * that no money is invented and no reference is lost.
 */
export function readPayments(entry: XmlElement, whole: Whole): readonly StatementPayment[] {
  // The first version of the messages has no NtryDtls around the details.
  const paths = [['NtryDtls', 'TxDtls'], ['TxDtls']];
  const details = paths.flatMap((path) => elementsAt(entry, path));
  const payments = details.map((detail) => readPayment(detail));
  const amounts = details.map((detail) => amountInside(detail, whole.currency));
  const [only] = payments;
  if (only && payments.length === 1) return [mergeInto(whole, [only])];
  const sum = amounts.reduce((total: number, amount) => total + (amount ?? Number.NaN), 0);
  if (sum !== whole.amountCents) return [mergeInto(whole, payments)];
  return payments.map((payment, n) => ({ ...payment, amountCents: amounts[n] ?? 0 }));
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
    isReturn: payments.some(({ isReturn }) => isReturn),
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

function readPayment(detail: XmlElement): StatementPayment {
  const texts = (...path: string[]) => elementsAt(detail, path).flatMap(({ text }) => text || []);
  const returned = elementAt(detail, 'RtrInf');
  return {
    amountCents: 0,
    bankReference: textAt(detail, 'Refs', 'AcctSvcrRef'),
    endToEndIds: texts('Refs', 'EndToEndId').filter((id) => id !== NOT_PROVIDED),
    structuredReferences: [
      ...texts('RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
      // The first version of the messages.
      ...texts('RmtInf', 'Strd', 'CdtrRefInf', 'CdtrRef'),
    ],
    unstructuredTexts: texts('RmtInf', 'Ustrd'),
    debtor: readParty(detail, 'Dbtr'),
    creditor: readParty(detail, 'Cdtr'),
    isReturn: returned !== null,
    returnReason: returned && returnReasonOf(returned),
  };
}

/** The first version of the messages writes `RtrRsn`. */
function returnReasonOf(returned: XmlElement): string | null {
  const reason = elementAt(returned, 'Rsn') ?? elementAt(returned, 'RtrRsn');
  return reason && (textAt(reason, 'Cd') ?? textAt(reason, 'Prtry'));
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
  const iban = textAt(parent, name, 'Id', 'IBAN');
  if (iban !== null) return iban.replaceAll(/\s/g, '').toUpperCase();
  return (
    textAt(parent, name, 'Id', 'Othr', 'Id') ??
    textAt(parent, name, 'Id', 'BBAN') ??
    textAt(parent, name, 'Id', 'PrtryAcct', 'Id')
  );
}

function amountInside(detail: XmlElement, currency: string): number | null {
  const found =
    elementAt(detail, 'Amt') ??
    elementAt(detail, 'AmtDtls', 'TxAmt', 'Amt') ??
    elementAt(detail, 'AmtDtls', 'InstdAmt', 'Amt');
  if (!found) return null;
  const amount = readAmount(found);
  return amount.currency === currency ? amount.amountCents : null;
}
