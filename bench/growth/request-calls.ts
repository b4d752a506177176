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
  claimDuePolls,
  insertNetworkRequest,
} from '../../service/src/payment-requests/network/request-store.ts';
import { findPaymentLinks } from '../../service/src/payment-requests/payer-link/link-store.ts';
import { lockDueToExpire } from '../../service/src/payment-requests/status/lock-store.ts';
import { findTimelineEntries } from '../../service/src/payment-requests/timeline/timeline-store.ts';
import { type Call, call } from './call.ts';
import { OWNERS } from './seed-rows.ts';
import { expireAll, insertRows, newRow, payRow } from './write-rows.ts';

/** The payment requests of a day at ten million a year. */
const ROWS_A_DAY = 27_000;
const noPreparation = async () => {};

/** The calls of merchants, payers and loops on payment requests. */
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
  call('Idempotency-Key: look and keep', noPreparation, (db) =>
    db.transaction(async (tx) => {
      const key = { merchantId: OWNERS.giant, key: randomUUID() };
      await tryLockKey(tx, key);
      await findStoredAnswer(tx, key);
      const answer = { status: 201, headers: {}, body: 'x'.repeat(1_000) };
      await saveAnswer(tx, { ...key, fingerprint: Buffer.alloc(32) }, answer);
    }),
  ),
  call(
    'read, of the last day',
    async ({ randomRow }) => [randomRow(ROWS_A_DAY).id],
    findPaymentRequests,
  ),
  call('read, of the whole year', async ({ randomRow }) => [randomRow().id], findPaymentRequests),
  call(
    'payer page: find by short code',
    async ({ randomRow }) => [randomRow(ROWS_A_DAY).shortCode],
    findPaymentLinks,
  ),
  call(
    'timeline',
    async ({ randomRow }) => randomRow(ROWS_A_DAY).id,
    (db, id) => findTimelineEntries(db, id, null, 100),
  ),
  call(
    'move to PAID, with its webhook event',
    ({ probe }) => insertRows(probe.db, 1),
    (db, [row = newRow()]) => payRow(db, row),
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
      await insertRows(probe.db, 20, -1_000);
    },
    expireAll,
  ),
  call(
    'network: note a request',
    ({ probe }) => insertRows(probe.db, 1),
    (db, [row]) => insertNetworkRequest(db, row?.identity.id ?? '', 3_600),
  ),
  call('network: claim, nothing due', noPreparation, (db) => claimDuePolls(db, 10, 30)),
];
