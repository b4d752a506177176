import type { OperatorCase } from '#cases/model/operator-case.ts';
import { referencesOf } from '#cases/model/operator-case.ts';
import { hintsOf, type ReadCase, readCandidates, readCase } from '#cases/read/read-case.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { known } from '#console/shell/known.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { DescribedMoney, NetworkBooks, ShownTransfer } from '#e-transfer/network-books.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { centsOfCase, currencyOfCase } from './case-facts.ts';

/** Why a payment request stands beside the money. */
export type CandidateOrigin = 'NAMED' | 'HINT' | 'ASKED';

/** A payment request that the money may be for. */
export interface Candidate {
  readonly paymentRequest: PaymentRequest;
  readonly origin: CandidateOrigin;
  /** The amount that is open: that of which money may be missing. */
  readonly openCents: number;
  /** Reference and account of its page; null: it has no transfer page. */
  readonly shown: ShownTransfer | null;
}

export type CaseView = Awaited<ReturnType<typeof viewCase>>;

/** The kinds whose sum holds all that has arrived for the payment request. */
const SUM_KINDS = new Set(['AMOUNT_MISMATCH', 'PART_PAYMENT']);

/** The cents that an act would settle: an open case’s movements without what went back of them. */
function actedCents({ operatorCase, leftCents }: ReadCase): number | null {
  return operatorCase.closedAt === null ? leftCents : null;
}

/** Whether the sum of a case holds all that has arrived, and not only what an act would add. */
export function isWholeSum(read: ReadCase): boolean {
  return SUM_KINDS.has(read.operatorCase.kind) && actedCents(read) === null;
}

/**
 * A case with its money and the payment requests beside it, for an operator.
 *
 * @param beside the id of a payment request that the person wants to compare; null: none
 * @throws Problem ROUTE_NOT_FOUND for an unknown case
 */
export async function viewCase(
  { db, money: { books }, currency }: Pick<ConsoleDeps, 'db' | 'money' | 'currency'>,
  { now }: Pick<Visit, 'now'>,
  id: string,
  beside: string | null,
) {
  const read = known(await readCase(db, id, null));
  const { operatorCase } = read;
  const references = [
    ...referencesOf(operatorCase),
    ...read.money.map((each) => each.networkReference),
  ];
  const described = (await books?.describe([...new Set(references)])) ?? [];
  const asked = beside ?? '';
  const ids = [operatorCase.paymentRequestId ?? '', asked, ...hintsOf(operatorCase)];
  const found = await readCandidates(db, ids, now);
  return {
    read,
    described,
    candidates: await candidatesAmong(books, read, found, asked),
    money: moneyOf(read, described, currency),
    /** The payment request that the address asks for does not exist. */
    isAskedUnknown: asked !== '' && !found.some((each) => each.id === asked),
  };
}

/** Payment requests whose open amounts together are exactly the money; empty: these are not. */
export function exactParts(
  { cents }: Pick<ReturnType<typeof moneyOf>, 'cents'>,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const open = candidates.filter(({ openCents }) => openCents > 0);
  const sum = open.reduce((all, { openCents }) => all + openCents, 0);
  return open.length > 1 && sum === cents ? open : [];
}

/** The payment requests that a person has named for the money of a case. */
export async function viewNamed(
  { db, money: { books } }: Pick<ConsoleDeps, 'db' | 'money'>,
  { now }: Pick<Visit, 'now'>,
  { read }: CaseView,
  ids: readonly string[],
): Promise<readonly Candidate[]> {
  const found = await readCandidates(db, ids, now, ids.length);
  return candidatesAmong(books, read, found, '');
}

async function candidatesAmong(
  books: NetworkBooks | null,
  read: ReadCase,
  found: readonly PaymentRequest[],
  asked: string,
): Promise<Candidate[]> {
  const shown = (await books?.shown(found.map((each) => each.id))) ?? [];
  return found.map((paymentRequest) => ({
    paymentRequest,
    origin: originOf(read.operatorCase, paymentRequest.id, asked),
    openCents: openCents(read, paymentRequest),
    shown: shown.find((each) => each.paymentRequestId === paymentRequest.id) ?? null,
  }));
}

function originOf({ paymentRequestId }: OperatorCase, id: string, asked: string): CandidateOrigin {
  if (id === paymentRequestId) return 'NAMED';
  return id === asked ? 'ASKED' : 'HINT';
}

/** A sum that counts all money is compared with the whole amount. */
function openCents(read: ReadCase, paymentRequest: PaymentRequest): number {
  const isOwn = read.operatorCase.paymentRequestId === paymentRequest.id;
  if (isOwn && isWholeSum(read)) return paymentRequest.amountCents;
  return Math.max(0, paymentRequest.amountCents - heldCents(paymentRequest));
}

/** The money of a case, as ledger and bank describe it. */
function moneyOf(read: ReadCase, described: readonly DescribedMoney[], currency: string) {
  const { operatorCase, money } = read;
  const last = described.at(-1);
  const booked = last?.bookingDate ?? money.at(-1)?.bookingDate ?? null;
  return {
    /** null: the case is about no sum. */
    cents: actedCents(read) ?? centsOfCase(operatorCase),
    currency: currencyOfCase(operatorCase, currency),
    references: [...new Set(described.flatMap((each) => each.creditorReferences))],
    partyName: last?.partyName ?? null,
    partyAccount: last?.partyAccount ?? null,
    account: last?.account ?? null,
    bookingDate: booked,
  };
}
