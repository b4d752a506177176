import { createHash } from 'node:crypto';
import { checkDigit10 } from '#lib/bank/check-digits.ts';
import {
  isOurReference,
  ourReferencesIn,
  withoutSeparators,
} from '../references/creditor-reference.ts';
import { listReferencesIn } from '../references/list-reference.ts';
import { isOurMessageId } from '../references/message-id.ts';
import type { StatementEntry, StatementPayment, UnclearDetail } from '../statements/statement.ts';
import type { EntryDetail, MoneyIdentity } from './model/movement.ts';
import type { StagedPayment } from './model/staged-payment.ts';

const QR_REFERENCE = /^\d{27}$/;
/** A refund's id without its dashes (bank-transfer §5). */
const REFUND_ID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;
/** ISO 20022's longest name of a bank. */
const LONGEST_INSTITUTION = 140;
/** ISO 20022's longest text of a payment is 140 characters; banks add some. */
const LONGEST_TEXT = 500;
/** A person reads no more of them. */
const MOST_DETAILS = 50;

export interface EntryPlace {
  readonly account: string;
  readonly entryNumber: number;
  /** For an entry without a day of its own; null: the bank gives none. */
  readonly statementDay: string | null;
}

/** The payments of an entry, with the facts by which money is recognised and matched. */
export function stagePayments(
  entry: StatementEntry,
  { account, entryNumber, statementDay }: EntryPlace,
): StagedPayment[] {
  const bookingDate = entry.bookingDate ?? entry.valueDate ?? statementDay;
  const own = ownReferences(entry);
  const entryReference = entry.payments.length > 1 ? entry.bankReference : null;
  const staged = entry.payments.map((payment, paymentNumber) => {
    const { direction, isBooked, isReversal, isBatchSum, currency, bookedAt } = entry;
    const other = direction === 'CREDIT' ? payment.debtor : payment.creditor;
    const identity = {
      account,
      direction,
      amountCents: payment.amountCents,
      currency,
      bookingDate,
      creditorReferences: creditorReferencesOf(payment),
      endToEndHash: endToEndHashOf(payment),
      bankReference: own[paymentNumber] ?? null,
      entryReference,
      batchReference: entry.batchReference,
    };
    return {
      ...identity,
      entryNumber,
      paymentNumber,
      rank: rankOf(identity),
      isBooked,
      isReversal,
      isReturn: payment.isReturn,
      returnReason: payment.returnReason,
      isBatchSum,
      bookedAt,
      refundIds: payment.endToEndIds.flatMap((id) => refundIdOf(id) ?? []),
      institution: other.agent?.slice(0, LONGEST_INSTITUTION) ?? null,
      party: {
        name: other.name,
        account: other.account,
        ...(payment.unclear.length > 0 && { details: partiesOf(payment, direction) }),
      },
      text: direction === 'CREDIT' && !isBatchSum ? textOf(payment) : null,
      fingerprint: fingerprintOf(identity),
      feeCents: payment.feeCents,
      statedCents: payment.statedCents,
      details: payment.unclear.slice(0, MOST_DETAILS).map((each) => detailOf(each, direction)),
      messageIds: [
        ...(entry.payments.length === 1 ? entry.messageIds.filter(isOurMessageId) : []),
        ...(direction === 'DEBIT' ? listReferencesIn(payment) : []),
      ],
    };
  });
  return withEntryFee(staged, entry.feeCents);
}

/** Charges of the whole entry stand beside a payment of ours: the others are not booked here. */
function withEntryFee(staged: readonly StagedPayment[], feeCents: number): StagedPayment[] {
  const ours = staged.findIndex(({ creditorReferences }) => creditorReferences.length > 0);
  return staged.map((each, n) =>
    n === Math.max(0, ours) ? { ...each, feeCents: each.feeCents + feeCents } : each,
  );
}

function detailOf(detail: UnclearDetail, direction: StatementEntry['direction']): EntryDetail {
  const { amountCents, currency } = detail;
  const isOpposite = detail.direction === (direction === 'CREDIT' ? 'DBIT' : 'CRDT');
  return {
    amountCents: amountCents !== null && isOpposite ? -amountCents : amountCents,
    currency,
    references: creditorReferencesOf(detail),
  };
}

/** Money of such an entry can go back to the account that the request's own detail names. */
function partiesOf({ unclear }: StatementPayment, direction: StatementEntry['direction']) {
  return unclear.flatMap((detail) => {
    const references = creditorReferencesOf(detail);
    const { name, account } = direction === 'CREDIT' ? detail.debtor : detail.creditor;
    return references.length > 0 && account !== null ? [{ name, account, references }] : [];
  });
}

/** All that may hold a reference, as the payer wrote it. */
function textOf(payment: StatementPayment): string | null {
  const { structuredReferences, unstructuredTexts, endToEndIds } = payment;
  const texts = [...structuredReferences, ...unstructuredTexts, ...endToEndIds];
  return [...new Set(texts)].join(' ').slice(0, LONGEST_TEXT) || null;
}

/** A reference of a detail is the payment's own unless it repeats the entry's or another's. */
function ownReferences({ payments, bankReference }: StatementEntry): readonly (string | null)[] {
  if (payments.length === 1) return payments.map((payment) => payment.bankReference);
  const all = payments.map((payment) => payment.bankReference);
  return all.map((each) =>
    each === bankReference || all.indexOf(each) !== all.lastIndexOf(each) ? null : each,
  );
}

/**
 * A payment that names a request finds its money before an equal one that names none. Among equal
 * payments without a bank reference, a payment with an EndToEndId comes first. A payment without an
 * EndToEndId fits the money of both, and could take it from the other.
 */
export function rankOf(identity: MoneyIdentity): number {
  const isUnnamed = identity.creditorReferences.length === 0;
  const identityRank = identityRankOf(identity);
  const isVague = identityRank > ENTRY_RANK && identity.endToEndHash === null;
  return 4 * identityRank + 2 * Number(isUnnamed) + Number(isVague);
}

const ENTRY_RANK = 1;

function identityRankOf({ bankReference, entryReference, batchReference }: MoneyIdentity): number {
  if (bankReference !== null) return 0;
  if (entryReference !== null) return ENTRY_RANK;
  return batchReference === null ? 3 : 2;
}

type NamedPayment = Pick<
  StatementPayment,
  'structuredReferences' | 'unstructuredTexts' | 'endToEndIds'
>;

/** Structured references, references in the text, and an EndToEndId that is one; each once. */
function creditorReferencesOf(payment: NamedPayment): readonly string[] {
  const { structuredReferences, unstructuredTexts, endToEndIds } = payment;
  const whole = [...structuredReferences, ...endToEndIds].map(withoutSeparators);
  // Banks break a text into lines of 35 characters, in the middle of a reference too.
  const texts = [...unstructuredTexts, unstructuredTexts.join('')];
  return [
    ...new Set([
      ...whole.filter(isPossiblyOurs),
      ...texts.flatMap((text) => ourReferencesIn(text)),
    ]),
  ];
}

function isPossiblyOurs(reference: string): boolean {
  if (QR_REFERENCE.test(reference)) {
    return checkDigit10(reference.slice(0, -1)) === reference.at(-1);
  }
  return isOurReference(reference);
}

/** Several EndToEndIds in one payment name none of it. */
function endToEndHashOf({ endToEndIds }: StatementPayment): string | null {
  const [id] = endToEndIds;
  return id === undefined || endToEndIds.length > 1 ? null : sha256(id).toString('hex');
}

function refundIdOf(endToEndId: string): string | null {
  const match = REFUND_ID.exec(endToEndId.toLowerCase());
  return match?.slice(1).join('-') ?? null;
}

/** Money with a bank's reference is named by it, so that every message gives the same. */
function fingerprintOf(identity: MoneyIdentity): Buffer {
  const { account, direction, amountCents, currency, bankReference } = identity;
  const { bookingDate, creditorReferences, endToEndHash, entryReference } = identity;
  const rest = [bookingDate, creditorReferences, endToEndHash, entryReference];
  const name = bankReference === null ? rest : [bankReference];
  return sha256(JSON.stringify([account, direction, amountCents, currency, ...name]));
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
