import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { replaceCase } from '#cases/replace-case.ts';
import { splitCase } from '#cases/split-case.ts';
import type { Executor } from '#database/database.ts';
import { newId } from '#lib/new-id.ts';
import type { LedgerRow } from '../memory/ledger-rows.ts';
import { CURRENCY, MERCHANT } from '../payments/payment-world.ts';
import {
  ASKED,
  assign,
  CaseWorld,
  mismatched,
  OTHER_MERCHANT,
  referenceOf,
  refund,
  refuses,
} from './case-world.ts';

describe('a case whose booking replaces an earlier one', () => {
  const replace = (world: CaseWorld, id: string, movement: string | null = null) =>
    replaceCase(world.settling, id, { movement, note: null });
  const atLock = (world: CaseWorld, act: () => void) => {
    world.meanwhile = (statement) => {
      if (statement === 'network-reference-lock') act();
    };
  };
  /** The corrected booking, the earlier one, and the parts that can come to be. */
  const locksOf = (...old: readonly string[]) => {
    const parts = ['NEW/1', 'NEW/2', 'NEW/1/1', 'NEW/1/2'];
    return ['NEW', ...old, ...parts];
  };
  const auditOf = (world: CaseWorld) =>
    world.audited.at(-1)?.details as { replaced?: unknown; closedCaseIds?: unknown };

  it('counts in the place of a part', async () => {
    const world = new CaseWorld();
    const request = world.request();
    await world.part(request, 400);
    const old = referenceOf();
    const id = world.correct(300, [old]);
    assert.equal((await replace(world, id)).outcome, 'PART');
    assert.deepEqual(world.money(request), ['CREATED', 300, 0, 0]);
    assert.deepEqual(world.entries.slice(2), [
      `ADJUSTMENT -400 ${old} own`,
      'ASSIGNED -300 NEW -',
      'ASSIGNED 300 NEW own',
    ]);
    const { replaced, closedCaseIds } = auditOf(world);
    const told = { networkReference: old, amountCents: 400, by: 'NEW' };
    assert.deepEqual([replaced, closedCaseIds], [told, []]);
    await refuses(replace(world, id), /settled before \(REPLACED\)/);
  });

  it('fails a refund that the smaller sum does not cover', async () => {
    const paying = async (cents: number) => {
      const world = new CaseWorld();
      const request = world.request();
      const [old = ''] = await world.pay(request, ASKED);
      const part = world.open({ kind: 'REFUND_ACCOUNT_UNCLEAR', paymentRequestId: request });
      const movements = [{ networkReference: old, amountCents: ASKED }];
      world.cases.rows.patch(part, { details: { movements, refundCents: 950 } });
      await refund(world, part, old);
      const { outcome } = await replace(world, world.correct(cents, [old]));
      return [outcome, world.refunds.rows.all()[0]?.status];
    };
    assert.deepEqual(await paying(900), ['REDUCED', 'FAILED']);
    assert.deepEqual(await paying(960), ['REDUCED', 'CREATED']);
    assert.deepEqual(await paying(1_100), ['SECOND', 'CREATED']);
  });

  it('lowers the sum of a payment that the ledger does not have', async () => {
    const world = new CaseWorld();
    const request = world.request();
    const payment = { payment_network_reference: 'OLD', payment_institution: 'A Bank' };
    const payment_completed_at = world.clock.now();
    const paid = { status: 'PAID', received_cents: ASKED, payment_completed_at } as const;
    world.requests.rows.patch(request, { ...paid, ...payment });
    assert.equal((await replace(world, world.correct(900, ['OLD']))).outcome, 'REDUCED');
    assert.deepEqual(world.money(request), ['PAID', 900, 0, 0]);
    assert.deepEqual(world.lockedReferences, [locksOf('OLD')]);
  });

  it('follows the table for money that waited, and closes its case', async () => {
    const { world, request, references, id: waiting } = await mismatched(900);
    const corrected = world.correct(ASKED, references, { institution: 'C Bank' });
    const closed = world.open({
      ...{ kind: 'UNMATCHED_MONEY', closedAt: world.clock.now(), settlement: 'CLOSED' },
      details: { networkReference: references[0] },
    });
    const settled = await replace(world, corrected);
    assert.deepEqual([settled.outcome, settled.paymentRequestId], ['PAID', request]);
    assert.equal(world.requests.rows.get(request)?.payment_institution, 'C Bank');
    assert.equal(world.cases.rows.get(waiting)?.settlement, 'REPLACED');
    assert.deepEqual(auditOf(world).closedCaseIds, [waiting]);
    assert.equal(world.cases.rows.get(closed)?.settlement, 'CLOSED');
  });

  it('waits on where the earlier money waited for another decision', async () => {
    const world = new CaseWorld();
    world.book('OLD', 400);
    const request = world.request();
    const about = world.open({
      ...{ kind: 'WRONG_ACCOUNT', paymentRequestId: request },
      details: { networkReference: 'OLD' },
    });
    const details = { institution: 'C Bank', candidates: ['c'] };
    const id = world.correct(300, ['OLD', 'GONE'], details);
    assert.equal((await replace(world, id)).outcome, 'HELD');
    assert.equal(world.cases.rows.get(about)?.settlement, 'REPLACED');
    const [opened] = world.cases.open();
    assert.deepEqual(
      [opened?.kind, opened?.paymentRequestId, opened?.merchantId, opened?.details],
      [
        ...['WRONG_ACCOUNT', request, MERCHANT.id],
        {
          ...{ networkReference: 'NEW', arrivedCents: 300, currency: CURRENCY },
          ...{ ...details, correctedReferences: ['GONE'] },
        },
      ],
    );
    const entry = world.ledger.rows.all().at(-1);
    assert.deepEqual(
      [entry?.type, entry?.amount_cents, entry?.currency, entry?.created_at],
      ['ADJUSTMENT', -400, CURRENCY, world.clock.now()],
    );
    const other = new CaseWorld();
    other.book('OLD', 400);
    const unplaced = other.correct(300, ['OLD']);
    other.cases.rows.patch(unplaced, { paymentRequestId: other.request() });
    assert.equal((await replace(other, unplaced)).outcome, 'HELD');
    const [plain] = other.cases.open();
    assert.deepEqual(
      [plain?.kind, plain?.paymentRequestId, plain?.details],
      [
        ...['UNMATCHED_MONEY', null],
        { networkReference: 'NEW', arrivedCents: 300, currency: CURRENCY },
      ],
    );
  });

  it('is refused when the earlier booking changes its place at this moment', async () => {
    const { world, references, id: waiting } = await mismatched(900);
    const corrected = world.correct(ASKED, references);
    const other = world.request();
    const db = Object.create(world.settling.db, {
      transaction: {
        value(work: (tx: Executor) => Promise<unknown>) {
          world.cases.rows.patch(waiting, { paymentRequestId: other });
          return world.settling.db.transaction(work);
        },
      },
    });
    const act = replaceCase({ ...world.settling, db }, corrected, { movement: null, note: null });
    await refuses(act, /settled at this moment/);
  });

  it('is refused when the earlier booking is settled or replaced while it waits', async () => {
    const settled = await mismatched(900);
    const [old = ''] = settled.references;
    const corrected = settled.world.correct(ASKED, [old]);
    atLock(settled.world, () =>
      settled.world.book(old, 900, { type: 'ASSIGNED', payment_request_id: settled.request }),
    );
    await refuses(replace(settled.world, corrected), /settled at this moment/);
    const replaced = new CaseWorld();
    replaced.book('OLD', 400);
    const id = replaced.correct(300, ['OLD', 'OLDER']);
    atLock(replaced, () => {
      replaced.book('OLD', 400, { type: 'ADJUSTMENT' });
      replaced.book('OLDER', 400);
    });
    await refuses(replace(replaced, id), /settled at this moment/);
  });

  it('corrects one known booking of the merchant, in the currency, that has not moved', async () => {
    const world = new CaseWorld();
    const held = (changes: Partial<LedgerRow> = {}) => {
      const made = new CaseWorld();
      made.book('OLD', 400, changes);
      return { made, id: made.correct(300, ['OLD']) };
    };
    await refuses(replace(world, 'x'), /No open case has the id x/);
    await refuses(replace(world, newId()), /No open case/);
    await refuses(replace(world, world.correct(300, [])), /corrects no earlier booking/);
    await refuses(replace(world, world.correct(300, ['GONE'])), /was replaced before/);
    world.book('OLD', 400);
    world.book('OLDER', 500);
    const several = world.correct(300, ['OLD', 'OLDER']);
    await refuses(replace(world, several), /several bookings came before, OLD, OLDER/);
    assert.equal((await replace(world, several, 'OLDER')).outcome, 'HELD');
    world.book('LAST', 600);
    const unnamed = { correctedReferences: ['LAST'] };
    const bare = world.open({ kind: 'AMBIGUOUS_REFERENCE', details: unnamed });
    await refuses(replace(world, bare), /corrects no earlier booking/);
    const partial = held();
    const spent = { returnedReference: 'NEW', returnedCents: 5 };
    partial.made.open({ kind: 'MONEY_RETURNED', details: spent });
    await refuses(replace(partial.made, partial.id), /does not wait any more/);
    const foreign = held({ currency: 'USD' });
    await refuses(replace(foreign.made, foreign.id), /another currency/);
    const owned = held({ merchant_id: OTHER_MERCHANT });
    await refuses(replace(owned.made, owned.id), /another merchant/);
    const shared = held();
    const names = { networkReferences: ['OLD', 'N0'] };
    shared.made.open({ kind: 'UNMATCHED_MONEY', details: names });
    await refuses(replace(shared.made, shared.id), /one of several movements/);
    const returned = held();
    const back = { returnedReference: 'OLD', returnedCents: 5 };
    returned.made.open({ kind: 'MONEY_RETURNED', details: back });
    await refuses(replace(returned.made, returned.id), /bank has taken the money/);
    const settled = held();
    const target = settled.made.request();
    const free = { kind: 'UNMATCHED_MONEY', details: { networkReference: 'NEW' } } as const;
    await assign(settled.made, settled.made.open(free), target);
    await refuses(replace(settled.made, settled.id), /does not wait any more|settled before/);
    const given = await mismatched(900);
    const part = given.world.correct(300, given.references);
    await refund(given.world, given.id);
    await refuses(replace(given.world, part), /gives the money of the earlier booking back/);
  });

  it('replaces a part of a booking that was split, by the difference of the bookings', async () => {
    const { world, request, references, id } = await mismatched(1_900);
    const other = world.request();
    const parts = [
      { paymentRequestId: request, amountCents: 1_000 },
      { paymentRequestId: other, amountCents: 900 },
    ];
    await splitCase(world.settling, id, { parts, note: null });
    const corrected = world.correct(1_890, references);
    await refuses(replace(world, corrected), /several bookings came before/);
    const [whole = ''] = references;
    const before = world.entries.length;
    assert.equal((await replace(world, corrected, `${whole}/2`)).outcome, 'PART');
    assert.deepEqual(world.lockedReferences.at(-1), locksOf(`${whole}/2`, whole));
    assert.deepEqual(world.entries.slice(before), [
      'ASSIGNED -1890 NEW -',
      'ASSIGNED 890 NEW/1 -',
      `ASSIGNED 1000 ${whole} -`,
      `ADJUSTMENT -1000 ${whole} -`,
      `ADJUSTMENT -900 ${whole}/2 own`,
      'ASSIGNED -890 NEW/1 -',
      'ASSIGNED 890 NEW/1 own',
    ]);
    assert.deepEqual(world.money(other), ['CREATED', 890, 0, 0]);
    assert.deepEqual(world.money(request), ['PAID', ASKED, 0, 0]);
    const less = await mismatched(1_900);
    const second = less.world.request();
    const shares = [
      { paymentRequestId: less.request, amountCents: 1_800 },
      { paymentRequestId: second, amountCents: 100 },
    ];
    await splitCase(less.world.settling, less.id, { parts: shares, note: null });
    const much = less.world.correct(1_800, less.references);
    const named = replace(less.world, much, `${less.references[0]}/2`);
    await refuses(named, /corrected by more than this part/);
  });
});
