import { type OperatorCase, referencesOf } from '#cases/model/operator-case.ts';
import type { Earlier } from '#cases/read/earlier-bookings.ts';
import { findEarlier, findReplaced } from '#cases/read/find-replaced.ts';
import { hintsOf, type ReadCase, readCandidates, readCase } from '#cases/read/read-case.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ActOfCase } from '#console/money/money-deps.ts';
import { known } from '#console/shell/known.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { DescribedMoney, NetworkBooks, ShownTransfer } from '#e-transfer/network-books.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { centsOfCase, currencyOfCase } from './case-facts.ts';
import type { TypedSettlement } from './typed-settlement.ts';

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

export type SettlePageDeps = Pick<ConsoleDeps, 'db' | 'money' | 'currency'>;

/** A case with all that the page of one settlement shows. */
export interface SettlementView {
  readonly view: CaseView;
  /** The payment request that the act changes; null: none, or several. */
  readonly target: Candidate | null;
  /** The earlier bookings that a replacement can take out of the ledger. */
  readonly earlier: readonly Earlier[];
  /** The payment requests of the parts that were typed. */
  readonly named: readonly Candidate[];
}

/** @throws Problem ROUTE_NOT_FOUND for an unknown case */
export async function viewSettlement(
  deps: SettlePageDeps,
  visit: Visit,
  act: ActOfCase,
  { paymentRequest, movement, parts }: Omit<TypedSettlement, 'note' | 'formId'>,
): Promise<SettlementView> {
  const view = await viewCase(deps, visit, visit.params.id ?? '', paymentRequest);
  const { candidates, read } = view;
  const none = { view, target: null, earlier: [], named: [] };
  switch (act) {
    case 'accept':
    case 'refund':
    case 'close':
      return { ...none, target: candidates.find(({ origin }) => origin === 'NAMED') ?? null };
    case 'assign': {
      const target = candidates.find((each) => each.paymentRequest.id === paymentRequest);
      return { ...none, target: target ?? null };
    }
    case 'replace': {
      const earlier = await findEarlier(deps.db, read.operatorCase);
      const chosen = chosenOf(earlier, movement);
      if (!chosen) return { ...none, earlier };
      const { networkReference } = chosen.old;
      const replaced = await findReplaced(deps.db, read.operatorCase, networkReference);
      const [target = null] = await viewNamed(deps, visit, view, [
        replaced?.paymentRequestId ?? '',
      ]);
      return { ...none, earlier, target };
    }
    case 'split': {
      const ids = parts?.map(({ id }) => id);
      return { ...none, named: ids ? await viewNamed(deps, visit, view, ids) : candidates };
    }
  }
}

/** The earlier money that the form means: the only one, or the one that the person chose. */
export function chosenOf(earlier: readonly Earlier[], movement: string): Earlier | null {
  if (earlier.length === 1) return earlier[0] ?? null;
  return earlier.find(({ old }) => old.networkReference === movement) ?? null;
}
