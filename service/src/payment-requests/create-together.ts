import type { Database } from '#database/database.ts';
import { gather } from '#database/gather.ts';
import type { Merchant } from '#merchants/merchant.ts';
import {
  type CreateDeps,
  createdPaymentRequest,
  createPaymentRequest,
  newIdentity,
} from './create-payment-request.ts';
import type { NewPaymentRequest, PaymentRequest } from './payment-request.ts';
import { insertPaymentRequests, type NewIdentity } from './payment-request-insert-store.ts';

/** One statement's parameter stays well below a megabyte with usual bodies. */
const MOST_AT_ONCE = 100;
/** While one commit waits for the disk the next batch is written. */
const LANES = 2;
/** A second's worth at full speed; whoever comes behind that had better come back. */
const MOST_WAITING = 5_000;

interface Creation {
  readonly merchant: Merchant;
  readonly identity: NewIdentity;
  readonly asked: NewPaymentRequest;
}

export type Create = (merchant: Merchant, asked: NewPaymentRequest) => Promise<PaymentRequest>;

/**
 * Makes the creation that many callers share: those that come together are one statement and one
 * commit. A merchant whose transaction ids are unique has each creation to itself, because it looks
 * before it writes.
 */
export function createTogether(db: Database, deps: CreateDeps): Create {
  const create = gather<Creation, PaymentRequest>({
    run: async (creations) => {
      await write(db, deps, creations);
      return creations.map((one) => createdPaymentRequest(one.merchant, one.identity, one.asked));
    },
    most: MOST_AT_ONCE,
    lanes: LANES,
    mostWaiting: MOST_WAITING,
  });
  return (merchant, asked) =>
    merchant.uniqueTransactionIds
      ? db.transaction((tx) => createPaymentRequest(tx, deps, merchant, asked))
      : create({ merchant, identity: newIdentity(merchant), asked });
}

/** Together or not at all. Where nothing is scheduled the one statement is its own transaction. */
async function write(
  db: Database,
  { rules }: CreateDeps,
  creations: readonly Creation[],
): Promise<void> {
  const rows = creations.map((one) => ({ ...one, isTransactionIdUnique: false }));
  const scheduled = creations.filter(({ asked }) => rules.isScheduled(asked.payer.name));
  if (scheduled.length === 0) return insertPaymentRequests(db, rows);
  await db.transaction(async (tx) => {
    await insertPaymentRequests(tx, rows);
    for (const { identity, asked } of scheduled) {
      await rules.schedule(tx, { id: identity.id, payerName: asked.payer.name });
    }
  });
}
