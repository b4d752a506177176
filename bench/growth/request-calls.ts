import { randomUUID } from 'node:crypto';
import {
  findStoredAnswer,
  saveAnswer,
  tryLockKey,
} from '../../service/src/idempotency/idempotency-store.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { insertPaymentRequests } from '../../service/src/payment-requests/create/insert-store.ts';
import { findPaymentRequests } from '../../service/src/payment-requests/lookup/find-store.ts';
import {
  claimDueLooks,
  insertNetworkRequest,
} from '../../service/src/payment-requests/network/request-store.ts';
import { findPaymentLinks } from '../../service/src/payment-requests/payer-link/link-store.ts';
import { movePaymentRequest } from '../../service/src/payment-requests/status/change-status.ts';
import { lockDueToExpire } from '../../service/src/payment-requests/status/status-store.ts';
import { findTimelineEntries } from '../../service/src/payment-requests/timeline/timeline-store.ts';
import { OWNERS } from './seed-rows.ts';
import { type Call, call, create, expireAll, moveDeps, newRow } from './seeded-database.ts';

/** About what is asked for in a day at ten million a year. */
const DAY = 27_000;
const nothing = async () => {};

/** What merchants, payers and the timers ask of payment requests. */
export const REQUEST_CALLS: readonly Call[] = [
  call(
    'create',
    async () => [newRow()],
    (db, rows) => insertPaymentRequests(db, rows),
  ),
  call(
    'create, 64 together',
    async () => Array.from({ length: 64 }, () => newRow()),
    (db, rows) => insertPaymentRequests(db, rows),
  ),
  call('Idempotency-Key: look and keep', nothing, (db) =>
    db.transaction(async (tx) => {
      const key = { merchantId: OWNERS.giant, key: randomUUID() };
      await tryLockKey(tx, key);
      await findStoredAnswer(tx, key);
      const answer = { status: 201, headers: {}, body: 'x'.repeat(1_000) };
      await saveAnswer(tx, { ...key, fingerprint: Buffer.alloc(32) }, answer);
    }),
  ),
  call('read, of the last day', async ({ draw }) => [draw(DAY).id], findPaymentRequests),
  call('read, of the whole year', async ({ draw }) => [draw().id], findPaymentRequests),
  call(
    'payer page: find by short code',
    async ({ draw }) => [draw(DAY).shortCode],
    findPaymentLinks,
  ),
  call(
    'timeline',
    async ({ draw }) => draw(DAY).id,
    (db, id) => findTimelineEntries(db, id, null, 100),
  ),
  call(
    'move to PAID, with its webhook event',
    async ({ probe }) => create(probe.db, 1),
    async (db, [row]) => {
      const { identity, asked } = row ?? newRow();
      return movePaymentRequest(moveDeps(db), identity.id, {
        name: 'PAYMENT_SUCCEEDED',
        amountCents: asked.amountCents,
        institution: 'Maple Bank',
        networkReference: 'REF-1',
        completedAt: new Date(),
      });
    },
  ),
  call(
    'expiry: claim, nothing due',
    ({ probe }) => expireAll(probe.db),
    (db) => db.transaction((tx) => lockDueToExpire(tx, systemClock.now(), 200)),
  ),
  call(
    'expiry: claim and move 20',
    async ({ probe }) => {
      await expireAll(probe.db);
      await create(probe.db, 20, -1_000);
    },
    expireAll,
  ),
  call(
    'network: note a request',
    async ({ probe }) => create(probe.db, 1),
    (db, [row]) => insertNetworkRequest(db, row?.identity.id ?? '', 3_600),
  ),
  call('network: claim, nothing due', nothing, (db) => claimDueLooks(db, 10, 30)),
];
