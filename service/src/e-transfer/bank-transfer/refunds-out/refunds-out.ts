import type { Database, Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret, encryptSecret } from '#lib/secrets/secret-box.ts';
import { wholesOf } from '../../money-parts.ts';
import type { MoneyMovement } from '../../network-money.ts';
import type {
  NetworkRefund,
  NetworkRefunds,
  RefundOutcome,
  RefundStart,
  RefundState,
} from '../../network-refunds.ts';
import {
  type AskedReference,
  findIncomingMovements,
  findNamedMovements,
} from '../entries/incoming-store.ts';
import type { IncomingMovement } from '../entries/model/movement.ts';
import { newListReference } from '../references/list-reference.ts';
import type { RefundCreditor } from './bank-refund.ts';
import {
  findBankRefunds,
  findPartCents,
  findReferencesOfPayments,
  insertBankRefund,
  type StoredBankRefund,
  sumRefundsOfMovement,
} from './refund-store.ts';

export interface RefundsOutDeps {
  readonly db: Database;
  readonly secretsKey: RotatingKey;
}

type Reading = Pick<RefundsOutDeps, 'secretsKey'> & { readonly db: Executor };

/** A payer's account of a refund, encrypted; no other row's box opens in its place. */
const creditorContext = (refundId: string): string => `bank-refund:${refundId}:creditor`;

/** The payer's account of a refund, from its encrypted form. */
export function openCreditor(key: RotatingKey, refundId: string, box: Buffer): RefundCreditor {
  return JSON.parse(decryptSecret(key, box, creditorContext(refundId)));
}

/**
 * The refunds of the bank-transfer network (bank-transfer §5): each waits as QUEUED until a payment
 * file takes it.
 */
export function createRefundsOut(deps: RefundsOutDeps): NetworkRefunds {
  return {
    async start(refund) {
      const [known] = await findBankRefunds(deps.db, [refund.refundId]);
      return known ? startOf(known) : queueRefund(deps, refund);
    },
    async askState(refundId) {
      const [known] = await findBankRefunds(deps.db, [refundId]);
      return known ? stateOf(known) : { state: 'UNKNOWN' };
    },
  };
}

/**
 * Those of the payment requests whose payers' banks named no account, as for every e-Transfer. In
 * EUR each refund says so by its failure (bank-transfer §5).
 */
export async function findUnpayable(
  db: Executor,
  { secretsKey, currency }: Pick<RefundsOutDeps, 'secretsKey'> & { readonly currency: string },
  paymentRequestIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = currency === 'EUR' ? [] : paymentRequestIds;
  const found = await findMovementsOfPayments({ db, secretsKey }, ids);
  return new Set(ids.filter((id) => chooseSource(found.get(id) ?? []) === null));
}

function startOf(known: StoredBankRefund): RefundStart {
  if (known.state === 'QUEUED') return { state: 'QUEUED' };
  if (known.outcome?.state === 'FAILED') return known.outcome;
  return { state: 'PROCESSING' };
}

function stateOf({ state, outcome }: StoredBankRefund): RefundState {
  if (outcome === null) return { state: state === 'QUEUED' ? 'QUEUED' : 'PROCESSING' };
  return withInstants(outcome);
}

/** JSON keeps an instant as a text. */
function withInstants(outcome: RefundOutcome): RefundOutcome {
  if (outcome.state !== 'COMPLETED') return outcome;
  return { ...outcome, completedAt: new Date(outcome.completedAt) };
}

async function queueRefund(deps: RefundsOutDeps, refund: NetworkRefund): Promise<RefundStart> {
  const { db, secretsKey } = deps;
  const { refundId } = refund;
  const source = await (refund.movementReference === null
    ? chooseOfPayment(deps, refund.paymentRequestId)
    : chooseMovement(deps, refund, refund.movementReference));
  if (source === null) return { state: 'FAILED', reason: 'PAYER_ACCOUNT_UNKNOWN' };
  if ('state' in source) return source;
  const creditorEncrypted = encryptSecret(
    secretsKey,
    JSON.stringify(source.creditor),
    creditorContext(refundId),
  );
  const listReference = newListReference();
  const { account } = source;
  await insertBankRefund(db, { ...refund, account, creditorEncrypted, listReference });
  return { state: 'QUEUED' };
}

interface Source {
  /** The account that received the money. */
  readonly account: string;
  readonly creditor: RefundCreditor;
}

type NoSource = Extract<RefundStart, { state: 'FAILED' | 'ACCOUNT_UNCLEAR' }>;

/** An operator has named the movement: exactly that money goes back, once. */
async function chooseMovement(
  { db, secretsKey }: RefundsOutDeps,
  { refundId, amountCents, paymentRequestId }: NetworkRefund,
  reference: string,
): Promise<Source | NoSource | null> {
  const asked = [{ networkReference: reference, paymentRequestId }];
  const [movement] = await findMovements({ db, secretsKey }, asked);
  if (!movement) return null;
  const others = await sumRefundsOfMovement(db, reference, refundId);
  const isCovered = others + amountCents <= movement.amountCents - movement.returnedCents;
  return isCovered ? sourceOf(movement) : { state: 'FAILED', reason: 'NETWORK_REJECTED' };
}

async function chooseOfPayment(deps: Reading, id: string): Promise<Source | NoSource | null> {
  return chooseSource((await findMovementsOfPayments(deps, [id])).get(id) ?? []);
}

/** The one account from which all money of the payment came; several: never a guess. */
function chooseSource(movements: readonly IncomingMovement[]): Source | NoSource | null {
  const left = movements.filter(({ amountCents, returnedCents }) => returnedCents < amountCents);
  const sources = left.map(sourceOf);
  const [first] = sources.filter((source) => source !== null);
  if (!first) return null;
  const isOne = sources.every(
    (each) => each?.account === first.account && each.creditor.account === first.creditor.account,
  );
  return isOne ? first : { state: 'ACCOUNT_UNCLEAR', movements: left.map(withoutParty) };
}

/**
 * The money of each payment request. The ledger says which money belongs to it, also after an
 * operator has assigned it; the statements say where the money came from.
 */
async function findMovementsOfPayments(
  { db, secretsKey }: Reading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly IncomingMovement[]>> {
  if (ids.length === 0) return new Map();
  const references = await findReferencesOfPayments(db, ids);
  const named = await findMovements({ db, secretsKey }, references);
  const known = Map.groupBy(named, ({ askedFor }) => askedFor);
  const others = ids.filter((id) => !known.has(id));
  const found = others.length > 0 ? await findIncomingMovements(db, secretsKey, others) : [];
  const incoming = found.filter(({ outcome }) => outcome !== 'SECOND');
  return new Map([
    ...known,
    ...Map.groupBy(incoming, ({ paymentRequestId }) => paymentRequestId ?? ''),
  ]);
}

/**
 * The money under network references, in their order. A part of a transfer that an operator has
 * split has its own amount, which the ledger has, and the accounts of the whole.
 */
async function findMovements(
  { db, secretsKey }: Reading,
  asked: readonly AskedReference[],
): Promise<(IncomingMovement & { readonly askedFor: string })[]> {
  const wholes = asked.flatMap((each) =>
    wholesOf(each.networkReference).map((networkReference) => ({ ...each, networkReference })),
  );
  if (wholes.length === 0) return [];
  const nameOf = (askedFor: string, reference: string) => `${askedFor} ${reference}`;
  const found = await findNamedMovements(db, secretsKey, wholes);
  const byName = new Map(found.map((each) => [nameOf(each.askedFor, each.networkReference), each]));
  const parts = asked.filter((each) => wholesOf(each.networkReference).length > 1);
  const cents = parts.length > 0 ? await findPartCents(db, parts) : [];
  const centsOf = new Map(cents.map((part) => [part.networkReference, part.amountCents]));
  return asked.flatMap(({ networkReference, paymentRequestId }) => {
    const names = wholesOf(networkReference).map((each) => nameOf(paymentRequestId, each));
    const [movement] = names.flatMap((name) => byName.get(name) ?? []);
    if (!movement || movement.networkReference === networkReference) return movement ?? [];
    const amountCents = centsOf.get(networkReference) ?? 0;
    return { ...movement, networkReference, amountCents, returnedCents: 0 };
  });
}

/** null: the bank gave no account. */
function sourceOf({ account, debtorAccount, debtorName }: IncomingMovement): Source | null {
  if (debtorAccount === null) return null;
  return { account, creditor: { name: debtorName, account: debtorAccount } };
}

function withoutParty(movement: IncomingMovement): MoneyMovement {
  const { networkReference, amountCents, bankReference, bookingDate } = movement;
  return { networkReference, amountCents, bankReference, bookingDate };
}
