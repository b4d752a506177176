import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { acceptCase } from '#cases/accept-case.ts';
import { assignCase } from '#cases/assign-case.ts';
import { closeCase } from '#cases/close-case.ts';
import { refundCase } from '#cases/refund-case.ts';
import { replaceCase } from '#cases/replace-case.ts';
import type { SettledCase } from '#cases/settle-case.ts';
import { splitCase } from '#cases/split-case.ts';
import type { Database, Executor } from '#database/database.ts';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import { newId } from '#lib/new-id.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import type { CaseRow } from '../memory/case-rows.ts';
import type { LedgerRow } from '../memory/ledger-rows.ts';
import { CURRENCY, MERCHANT, PaymentWorld } from '../payments/payment-world.ts';
import { Random } from '../run/random.ts';

const ASKED = 1_000;
const OTHER_MERCHANT = 'mer_2';
let count = 0;

/** The real settlements of cases over tables in memory. */
class CaseWorld extends PaymentWorld {
  readonly audited: { readonly action: string; readonly merchant: unknown; details: object }[] = [];
  /** The payment requests and cases that were locked, in their order. */
  readonly locked: string[] = [];
  readonly settling = {
    ...this.settleDeps,
    findShowing: null,
    db: Object.create(this.db, {
      query: { value: this.db.query.bind(this.db) },
      transaction: {
        value: (work: (tx: Executor) => Promise<unknown>) =>
          this.db.transaction((tx) => work({ query: (...given) => this.#note(tx, ...given) })),
      },
    }) as Database,
  };

  #note(
    tx: Executor,
    ...[statement, values = []]: Parameters<Executor['query']>
  ): Promise<never[]> {
    const { name } = statement;
    if (name === 'audit-log-insert') {
      const [, , action, merchant, details] = values;
      const read = typeof details === 'string' ? JSON.parse(details) : details;
      this.audited.push({ action: String(action), merchant, details: read });
    }
    if (/^(payment-request|cases)-lock$/.test(name)) this.locked.push(String(values[0]));
    return tx.query(statement, values);
  }

  request(cents = ASKED, changes: Partial<ReturnType<PaymentWorld['create']>> = {}): string {
    const { id } = this.create(new Random(1), cents);
    this.requests.rows.patch(id, { ...changes, expires_at: new Date('2027-01-01T00:00:00Z') });
    return id;
  }

  /** Money of several movements for a payment request, which the network reports at once. */
  async pay(paymentRequestId: string, ...amounts: readonly number[]): Promise<readonly string[]> {
    const movements = amounts.map((amountCents) => {
      count += 1;
      const networkReference = `N${count}`;
      return { networkReference, amountCents, bankReference: null, bookingDate: null };
    });
    const references = movements.map(({ networkReference }) => networkReference);
    const outcome: NetworkOutcome = {
      state: 'SUCCEEDED',
      amountCents: amounts.reduce((sum, each) => sum + each, 0),
      currency: CURRENCY,
      institution: 'A Bank',
      networkReference: references.at(-1) ?? '',
      completedAt: this.clock.now(),
      movements,
    };
    await this.report({ paymentRequestId, outcome, isRevocable: false });
    return references;
  }

  async part(paymentRequestId: string, amountCents: number): Promise<void> {
    count += 1;
    const movement = {
      ...{ networkReference: `N${count}`, amountCents },
      ...{ bankReference: null, bookingDate: null },
    };
    const outcome = { state: 'PART_RECEIVED', currency: CURRENCY, movement } as const;
    await this.report({ paymentRequestId, outcome, isRevocable: false });
  }

  /** A case that no report of this network opens. */
  open(changes: Partial<CaseRow>): string {
    const id = newId();
    this.cases.rows.put(id, {
      ...{ id, kind: 'REFUNDED_OUTSIDE', paymentRequestId: null, merchantId: MERCHANT.id },
      ...{ details: {}, openedAt: this.clock.now(), closedAt: null, settlement: null },
      ...changes,
    });
    return id;
  }

  /** A booking that fits no payment request. */
  book(reference: string, cents: number, changes: Partial<LedgerRow> = {}): void {
    const id = newId();
    this.ledger.rows.put(id, {
      ...{ id, merchant_id: MERCHANT.id, type: 'UNMATCHED', amount_cents: cents },
      ...{ currency: CURRENCY, payment_request_id: null, refund_id: null },
      ...{ network_reference: reference, bank_reference: 'B', booking_date: '2026-03-01' },
      created_at: this.clock.now(),
      ...changes,
    });
  }

  /** A booking NEW that may correct others, with its case. */
  correct(cents: number, named: readonly string[], details: object = {}): string {
    this.book('NEW', cents);
    return this.open({
      kind: 'AMBIGUOUS_REFERENCE',
      details: { networkReference: 'NEW', correctedReferences: named, ...details },
    });
  }

  /** The one open case. */
  get openCase(): string {
    const [found, ...others] = this.cases.open();
    assert.ok(found && others.length === 0, `${others.length} other open cases`);
    return found.id;
  }

  /** Status and money of a payment request. */
  money(id: string): readonly unknown[] {
    const row = this.requests.rows.get(id);
    return [row?.status, row?.received_cents, row?.refunding_cents, row?.refunded_cents];
  }

  get entries(): string[] {
    return this.ledger.rows
      .all()
      .map(
        ({ type, amount_cents: cents, network_reference: name, payment_request_id: id }) =>
          `${type} ${cents} ${name} ${id === null ? '-' : 'own'}`,
      );
  }

  get refundsTold(): readonly unknown[] {
    return this.refunds.rows
      .all()
      .map((row) => [row.amountCents, row.movementReference, row.isOfPayment, row.operatorCaseId]);
  }
}

const accept = (world: CaseWorld, id: string, note: string | null = null) =>
  acceptCase(world.settling, id, note);
const assign = (world: CaseWorld, id: string, paymentRequestId: string) =>
  assignCase(world.settling, id, { paymentRequestId, note: null });
const refund = (world: CaseWorld, id: string, movement: string | null = null) =>
  refundCase(world.settling, id, { movement, note: null });
const faultOf = (pattern: RegExp) => (error: unknown) =>
  error instanceof OperatorFault && pattern.test(error.message);
const refuses = (act: Promise<unknown>, pattern: RegExp) => assert.rejects(act, faultOf(pattern));

/** Money of another amount than the one asked for, with its case. */
async function mismatched(...amounts: readonly number[]) {
  const world = new CaseWorld();
  const request = world.request();
  const references = await world.pay(request, ...amounts);
  return { world, request, references, id: world.openCase };
}

describe('a case that is accepted', () => {
  it('makes PAID with what truly arrived, once, and stands in the audit log', async () => {
    const { world, request, references, id } = await mismatched(300, 600);
    const settled = await accept(world, id, 'as agreed');
    const about = { kind: 'AMOUNT_MISMATCH', settlement: 'ACCEPTED', outcome: 'PAID' } as const;
    assert.deepEqual(settled, { id, ...about, paymentRequestId: request } satisfies SettledCase);
    assert.deepEqual(world.money(request), ['PAID', 900, 0, 0]);
    const [one, two] = references;
    assert.deepEqual(world.entries, [
      `UNMATCHED 300 ${one} -`,
      `UNMATCHED 600 ${two} -`,
      `ASSIGNED -300 ${one} -`,
      `ASSIGNED 300 ${one} own`,
      `ASSIGNED -600 ${two} -`,
      `ASSIGNED 600 ${two} own`,
    ]);
    const none = { returnedCents: 0, refundingCents: 0, refundedCents: 0 };
    const details = {
      ...{ caseId: id, ...about, paymentRequestId: request },
      before: { status: 'CREATED', receivedCents: 0, ...none },
      after: { status: 'PAID', receivedCents: 900, ...none },
      note: 'as agreed',
    };
    assert.deepEqual(world.audited, [
      { action: 'OPERATOR_CASE_SETTLED', merchant: MERCHANT.id, details },
    ]);
    assert.equal(world.cases.rows.get(id)?.settlement, 'ACCEPTED');
    const payment = world.requests.rows.get(request)?.payment_institution;
    assert.equal(payment, 'A Bank');
    await refuses(accept(world, id), /settled before \(ACCEPTED\)/);
  });

  it('is known, open, and names a payment request', async () => {
    const world = new CaseWorld();
    await refuses(accept(world, 'no id'), /No open case has the id no id/);
    await refuses(accept(world, newId()), /No open case has the id/);
    await refuses(accept(world, world.open({})), /names no payment request/);
    const kind = 'MONEY_RETURNED';
    await refuses(accept(world, world.open({ kind })), /cannot be settled by accept/);
    const overtaken = world.open({ closedAt: world.clock.now() });
    await refuses(accept(world, overtaken), /overtaken/);
  });

  it('takes the parts of a payment request that is over as its payment', async () => {
    const world = new CaseWorld();
    const request = world.request();
    await world.part(request, 300);
    await world.part(request, 200);
    world.requests.rows.patch(request, { status: 'FAILED' });
    const id = world.open({ kind: 'PART_PAYMENT', paymentRequestId: request });
    assert.equal((await accept(world, id)).outcome, 'PAID');
    assert.deepEqual(world.money(request), ['PAID', 500, 0, 0]);
    assert.equal(world.requests.rows.get(request)?.payment_institution, 'Unknown');
    assert.deepEqual(world.audited[0]?.details, {
      ...(world.audited[0]?.details ?? {}),
      before: {
        ...{ status: 'FAILED', receivedCents: 500, returnedCents: 0 },
        ...{ refundingCents: 0, refundedCents: 0 },
      },
    });
    const empty = world.request();
    const none = world.open({ kind: 'PART_PAYMENT', paymentRequestId: empty });
    await refuses(accept(world, none), /does not wait any more/);
  });

  it('records a refund that the merchant’s bank made', async () => {
    const world = new CaseWorld();
    const request = world.request();
    await world.pay(request, ASKED);
    const details = {
      ...{ networkReference: 'OUT', arrivedCents: 400 },
      ...{ bankReference: 'B-OUT', bookingDate: '2026-03-02' },
    };
    const openedAt = new Date('2026-03-02T00:00:00.000Z');
    const id = world.open({ paymentRequestId: request, details, openedAt });
    const settled = await accept(world, id);
    assert.equal(settled.outcome, 'REFUND_RECORDED');
    assert.deepEqual(world.money(request), ['PAID', ASKED, 0, 400]);
    const [made] = world.refunds.rows.all();
    assert.deepEqual(
      [made?.status, made?.operatorCaseId, made?.completedAt, made?.movementReference],
      ['COMPLETED', id, openedAt, null],
    );
    assert.deepEqual(made?.isOfPayment, true);
    const entry = world.ledger.rows.all().at(-1);
    assert.deepEqual(
      [entry?.network_reference, entry?.bank_reference, entry?.booking_date],
      ['OUT', 'B-OUT', '2026-03-02'],
    );
    const audited = world.audited[0]?.details as { refundIds?: string[] };
    assert.deepEqual(audited.refundIds, [made?.id]);
    for (const broken of [{ arrivedCents: 400 }, { networkReference: 'OUT' }]) {
      const other = world.open({ paymentRequestId: request, details: broken });
      await refuses(accept(world, other), /names no refund/);
    }
  });

  it('is refused when nothing of its money waits any more', async () => {
    const { world, request, id } = await mismatched(900);
    world.requests.rows.patch(request, { status: 'PAID', payment_network_reference: 'X' });
    world.requests.rows.patch(request, { payment_completed_at: new Date(0) });
    world.requests.rows.patch(request, { payment_institution: 'A Bank' });
    await refuses(accept(world, id), /PAID already/);
    assert.deepEqual(world.audited, []);
    const gone = await mismatched(900);
    await refund(gone.world, gone.id);
    const other = gone.world.open({
      ...{ kind: 'AMOUNT_MISMATCH', paymentRequestId: gone.request },
      details: { networkReference: gone.references[0] },
    });
    await refuses(accept(gone.world, other), /does not wait any more/);
  });
});

describe('a booking of another amount than its refunds that is accepted', () => {
  const booked = async (details: object, openedAt = new Date('2026-03-02T00:00:00.000Z')) => {
    const world = new CaseWorld();
    const request = world.request();
    const [old = ''] = await world.pay(request, ASKED);
    const movements = [{ networkReference: old, amountCents: ASKED }];
    const unclear = { kind: 'REFUND_ACCOUNT_UNCLEAR', paymentRequestId: request } as const;
    await refund(world, world.open({ ...unclear, details: { movements, refundCents: 100 } }), old);
    const refundId = world.refunds.rows.all()[0]?.id ?? '';
    world.refunds.rows.patch(refundId, { status: 'PROCESSING' });
    const named = Object.hasOwn(details, 'refundIds') ? { refundIds: [refundId, 7] } : { refundId };
    const reference = { networkReference: 'OUT', bankReference: 'B', bookingDate: '2026-03-02' };
    const all = { ...reference, bookedCents: 105, ...details, ...named };
    const id = world.open({ kind: 'REFUND_AMOUNT', details: all, openedAt });
    return { world, id, refundId, openedAt };
  };

  it('completes the refund, or brings its money back, with the charges of the bank', async () => {
    for (const [details, outcome, status] of [
      [{ direction: 'DEBIT' }, 'REFUND_COMPLETED', 'COMPLETED'],
      [{ refundIds: [] }, 'REFUND_COMPLETED', 'COMPLETED'],
      [{ direction: 'CREDIT', bookedCents: 95 }, 'REFUND_RETURNED', 'FAILED'],
    ] as const) {
      const { world, id, refundId, openedAt } = await booked(details);
      assert.equal((await accept(world, id)).outcome, outcome);
      const row = world.refunds.rows.get(refundId);
      assert.equal(row?.status, status);
      if (status === 'COMPLETED') assert.deepEqual(row?.completedAt, openedAt);
      const audited = world.audited.at(-1)?.details as { refundIds?: unknown };
      assert.deepEqual(audited.refundIds, [refundId]);
      const entry = world.ledger.rows.where((each) => each.network_reference === 'OUT')[0];
      assert.deepEqual([entry?.bank_reference, entry?.booking_date], ['B', '2026-03-02']);
      const fees = world.ledger.rows.where(({ type }) => type === 'FEE');
      assert.deepEqual(
        fees.map((each) => each.amount_cents),
        [-5],
      );
    }
  });

  it('moves nothing when the ledger has the money already, and needs an amount', async () => {
    const { world, id, refundId } = await booked({ isBooked: true, bookedCents: null });
    const entries = world.entries.length;
    assert.equal((await accept(world, id)).outcome, 'CHARGES_ACCEPTED');
    assert.equal(world.entries.length, entries);
    const audited = world.audited.at(-1)?.details as { refundIds?: unknown };
    assert.deepEqual(audited.refundIds, [refundId]);
    const none = await booked({ bookedCents: null });
    await refuses(accept(none.world, none.id), /names no amount/);
  });
});

describe('money that is assigned', () => {
  const beside = async (cents: number) => {
    const world = new CaseWorld();
    const paid = world.request();
    await world.pay(paid, ASKED);
    const [reference = ''] = await world.pay(paid, cents);
    return { world, paid, reference, id: world.openCase, target: world.request() };
  };

  for (const [cents, outcome, status, received] of [
    [1_000, 'PAID', 'PAID', 1_000],
    [999, 'PART', 'CREATED', 999],
    [1_001, 'MISMATCH', 'CREATED', null],
  ] as const) {
    it(`follows the table: ${cents} of 1,000 is ${outcome}`, async () => {
      const { world, paid, reference, id, target } = await beside(cents);
      const settled = await assign(world, id, target);
      assert.deepEqual([settled.outcome, settled.paymentRequestId], [outcome, target]);
      assert.deepEqual(world.money(target), [status, received, 0, 0]);
      assert.deepEqual(world.money(paid), ['PAID', ASKED, 0, 0]);
      const moved = [`ASSIGNED -${cents} ${reference} -`, `ASSIGNED ${cents} ${reference} own`];
      assert.deepEqual(world.entries.slice(2), outcome === 'MISMATCH' ? [] : moved);
      const open = world.cases.open().map(({ kind, details }) => [kind, details.arrivedCents]);
      assert.deepEqual(open, outcome === 'MISMATCH' ? [['AMOUNT_MISMATCH', cents]] : []);
      assert.deepEqual(world.locked.slice(0, 3), [...[paid, target].sort(), id]);
    });
  }

  it('goes to a known, unpaid payment request of its merchant', async () => {
    const { world, paid, id } = await beside(5);
    await refuses(assign(world, id, 'x'), /must be an id/);
    const unknown = newId();
    await refuses(assign(world, id, unknown), new RegExp(`no payment request ${unknown}`));
    await refuses(assign(world, id, paid), /PAID already/);
    const foreign = world.request(ASKED, { merchant_id: OTHER_MERCHANT });
    await refuses(assign(world, id, foreign), /another merchant/);
    assert.equal(world.cases.rows.get(id)?.closedAt, null);
  });

  it('is all that is left of the case, in its currency and of its merchant', async () => {
    const { world, id, target, reference } = await beside(5);
    await refuses(
      assign(world, world.open({ kind: 'SECOND_PAYMENT' }), target),
      /not wait any more/,
    );
    const [entry] = world.ledger.rows.where((row) => row.network_reference === reference);
    assert.ok(entry);
    world.ledger.rows.patch(entry.id, { currency: 'USD' });
    await refuses(assign(world, id, target), /another currency/);
    world.ledger.rows.patch(entry.id, { currency: CURRENCY, merchant_id: OTHER_MERCHANT });
    await refuses(assign(world, id, target), /account of another merchant/);
    world.ledger.rows.patch(entry.id, { merchant_id: null });
    const unowned = world.open({
      ...{ kind: 'SECOND_PAYMENT', merchantId: null },
      details: { networkReference: reference },
    });
    assert.equal((await assign(world, unowned, target)).outcome, 'PART');
  });

  it('is the sum of several movements', async () => {
    const { world, references } = await mismatched(300, 600);
    const details = { networkReferences: [...references, 'N0'] };
    const target = world.request(900);
    const id = world.open({ kind: 'SECOND_PAYMENT', details });
    assert.equal((await assign(world, id, target)).outcome, 'PAID');
    assert.deepEqual(world.money(target), ['PAID', 900, 0, 0]);
  });
});

describe('money that is given back', () => {
  it('is a refund of each movement, beside the sums, and the first names the case', async () => {
    const { world, request, references, id } = await mismatched(300, 600);
    const settled = await refund(world, id);
    assert.equal(settled.outcome, 'REFUND_CREATED');
    assert.deepEqual(world.refundsTold, [
      [300, references[0], false, id],
      [600, references[1], false, null],
    ]);
    assert.deepEqual(world.money(request), ['CREATED', null, 0, 0]);
    const audited = world.audited[0]?.details as { refundIds?: string[] };
    assert.deepEqual(
      audited.refundIds,
      world.refunds.rows.all().map((row) => row.id),
    );
    await refuses(refund(world, id), /settled before \(REFUNDED\)/);
    for (const row of world.refunds.rows.all()) {
      world.refunds.rows.patch(row.id, { status: 'FAILED' });
    }
    assert.equal((await accept(world, id)).outcome, 'PAID');
  });

  it('needs a network with refunds, a payment request, money that is left, and no choice', async () => {
    const { world, id, request } = await mismatched(900);
    const without = { ...world.settling, canRefund: false };
    await refuses(refundCase(without, id, { movement: null, note: null }), /cannot give money/);
    await refuses(refund(world, id, 'N1'), /REFUND_ACCOUNT_UNCLEAR alone/);
    const kind = 'AMOUNT_MISMATCH';
    await refuses(refund(world, world.open({ kind })), /names no payment request/);
    const empty = world.open({ kind, paymentRequestId: request });
    await refuses(refund(world, empty), /Nothing is left/);
    const foreign = world.open({ kind, paymentRequestId: request, merchantId: OTHER_MERCHANT });
    await refuses(refund(world, foreign), /on the account of the merchant "mer_2"/);
    const details = { networkReference: `N${count}` };
    const unowned = world.open({ kind, paymentRequestId: request, merchantId: null, details });
    assert.equal((await refund(world, unowned)).outcome, 'REFUND_CREATED');
  });

  const parts = async () => {
    const world = new CaseWorld();
    const request = world.request();
    await world.part(request, 300);
    await world.part(request, 200);
    world.requests.rows.patch(request, { status: 'FAILED' });
    const id = world.open({ kind: 'PART_PAYMENT', paymentRequestId: request });
    return { world, request, id, names: [`N${count - 1}`, `N${count}`] };
  };

  it('is each part of a payment request that is over, and again what has failed', async () => {
    const { world, request, id, names } = await parts();
    await refuses(refund(world, id, 'N1'), /REFUND_ACCOUNT_UNCLEAR alone/);
    const closedAt = world.clock.now();
    const part = { kind: 'PART_PAYMENT', paymentRequestId: request } as const;
    const overtaken = world.open({ ...part, closedAt, details: { receivedCents: 1 } });
    await refuses(refund(world, overtaken), /overtaken/);
    const details = { receivedCents: 300 };
    const earlier = world.open({ kind: 'PART_PAYMENT', paymentRequestId: request, details });
    await refund(world, id);
    assert.notEqual(world.cases.rows.get(earlier)?.closedAt, null);
    assert.deepEqual(world.refundsTold, [
      [300, names[0], true, id],
      [200, names[1], true, null],
    ]);
    assert.deepEqual(world.money(request), ['FAILED', 500, 500, 0]);
    await refuses(refund(world, id), /settled before/);
    const [, second] = world.refunds.rows.all();
    world.refunds.rows.patch(second?.id ?? '', { status: 'FAILED' });
    world.requests.rows.patch(request, { refunding_cents: 300 });
    await refuses(accept(world, id), /settled before/);
    await refund(world, id);
    assert.deepEqual(world.refundsTold.slice(2), [[200, null, true, null]]);
    const empty = world.open({ kind: 'PART_PAYMENT', paymentRequestId: world.request() });
    await refuses(refund(world, empty), /No part of the amount is left/);
  });

  it('is the rest of the parts by one refund after a return', async () => {
    const { world, request, id } = await parts();
    world.requests.rows.patch(request, { returned_cents: 100 });
    await refund(world, id);
    assert.deepEqual(world.refundsTold, [[400, null, true, id]]);
  });

  it('is the movement that the operator chooses, at most what is left of all', async () => {
    const world = new CaseWorld();
    const request = world.request();
    const [one = ''] = await world.pay(request, 600, 400);
    const movements = [{ networkReference: one, amountCents: 600 }];
    const unclear = (details: object) =>
      world.open({
        ...{ kind: 'REFUND_ACCOUNT_UNCLEAR', paymentRequestId: request },
        details: { ...details },
      });
    await refuses(refund(world, unclear({ movements })), /has N\d+\./);
    await refuses(refund(world, unclear({ movements }), 'x'), /Give --movement/);
    await refuses(refund(world, unclear({})), /has no movements/);
    await refund(world, unclear({ movements, refundCents: 250 }), one);
    await refund(world, unclear({ movements, refundCents: 500 }), one);
    assert.deepEqual(
      world.refunds.rows.all().map((row) => [row.amountCents, row.movementReference]),
      [
        [250, one],
        [350, one],
      ],
    );
    await refuses(refund(world, unclear({ movements }), one), /Nothing of the movement is left/);
    const other = new CaseWorld();
    const paid = other.request();
    const [all = ''] = await other.pay(paid, ASKED);
    other.requests.rows.patch(paid, { returned_cents: 700 });
    const named = { movements: [{ networkReference: all, amountCents: ASKED }] };
    const kind = 'REFUND_ACCOUNT_UNCLEAR';
    await refund(other, other.open({ kind, paymentRequestId: paid, details: named }), all);
    assert.deepEqual(other.refundsTold[0], [300, all, true, other.cases.rows.all()[0]?.id]);
  });
});

describe('a case that is closed', () => {
  it('moves no money, and the audit log says why', async () => {
    const { world, request, id } = await mismatched(900);
    const settled = await closeCase(world.settling, id, 'given back at the bank');
    assert.deepEqual([settled.outcome, settled.paymentRequestId], ['CLOSED', request]);
    assert.deepEqual(world.money(request), ['CREATED', null, 0, 0]);
    const details = { caseId: id, kind: 'AMOUNT_MISMATCH', note: 'given back at the bank' };
    assert.deepEqual(world.audited, [
      { action: 'OPERATOR_CASE_CLOSED', merchant: MERCHANT.id, details },
    ]);
    await refuses(closeCase(world.settling, id, 'again'), /settled before \(CLOSED\)/);
    const unowned = world.open({ kind: 'MONEY_RETURNED', merchantId: 'mer_3' });
    await closeCase(world.settling, unowned, 'seen');
    assert.equal(world.audited.at(-1)?.merchant, 'mer_3');
  });
});

describe('a case that is split', () => {
  const partsOf = (...given: readonly (readonly [string, number])[]) =>
    given.map(([paymentRequestId, amountCents]) => ({ paymentRequestId, amountCents }));
  const split = (
    world: CaseWorld,
    id: string,
    parts: ReturnType<typeof partsOf>,
    showing?: string[],
  ) =>
    splitCase({ ...world.settling, ...(showing && { findShowing: async () => showing }) }, id, {
      parts,
      note: null,
    });

  it('gives each payment request its part by the table', async () => {
    const { world, request, references, id } = await mismatched(1_900);
    const other = world.request();
    const settled = await split(world, id, partsOf([request, 1_000], [other, 900]));
    const [whole] = references;
    const parts = [
      { ...partsOf([request, 1_000])[0], networkReference: `${whole}/1`, outcome: 'PAID' },
      { ...partsOf([other, 900])[0], networkReference: `${whole}/2`, outcome: 'PART' },
    ];
    assert.deepEqual([settled.outcome, settled.parts], ['SPLIT', parts]);
    assert.deepEqual(world.entries.slice(1), [
      `ASSIGNED -1900 ${whole} -`,
      `ASSIGNED 1000 ${whole}/1 own`,
      `ASSIGNED 900 ${whole}/2 own`,
    ]);
    assert.deepEqual(world.money(other), ['CREATED', 900, 0, 0]);
    const audited = world.audited[0]?.details as { parts?: unknown };
    assert.deepEqual(audited.parts, parts);
    const payment = world.requests.rows.get(request)?.payment_institution;
    assert.equal(payment, 'A Bank');
  });

  it('has two parts or more, of known payment requests, which are its money', async () => {
    const { world, request, id } = await mismatched(1_900);
    const other = world.request();
    const many = Array.from({ length: 101 }, (): readonly [string, number] => [newId(), 1]);
    const refused: readonly (readonly [ReturnType<typeof partsOf>, RegExp])[] = [
      [partsOf([request, 1_900]), /Give 2 to/],
      [partsOf(...many), /Give 2 to/],
      [partsOf([request, 1], ['x', 1_899]), /must begin with an id, a UUID: x/],
      [partsOf([request, 1_000], [request, 900]), /each payment request once/],
      [partsOf([request, 1_900], [other, 0]), /at least 0.01/],
      [partsOf([request, 1_000.5], [other, 899.5]), /at least 0.01/],
      [partsOf([request, 1_000], [other, 899]), /are 18.99 together/],
      [partsOf([request, 1_000], [newId(), 900]), /no payment request of one/],
    ];
    for (const [parts, pattern] of refused) await refuses(split(world, id, parts), pattern);
    const foreign = world.request(ASKED, { merchant_id: OTHER_MERCHANT });
    const good = partsOf([request, 1_000], [other, 900]);
    await refuses(split(world, id, partsOf([request, 1_000], [foreign, 900])), /another merchant/);
    await refuses(split(world, id, good, [request]), new RegExp(`${other} does not show`));
    assert.deepEqual(world.audited, []);
    assert.equal((await split(world, id, good, [request, other])).outcome, 'SPLIT');
  });

  it('is one movement in the deployment’s currency that waits', async () => {
    const { world, request, references, id } = await mismatched(1_900);
    const good = partsOf([request, 1_000], [world.request(), 900]);
    const kind = 'UNMATCHED_MONEY';
    const two = await mismatched(300, 600);
    const halves = partsOf([two.request, 300], [two.world.request(), 600]);
    const both = two.world.open({ kind, details: { networkReferences: two.references } });
    await refuses(split(two.world, both, halves), /no single movement/);
    await refuses(split(world, world.open({ kind }), good), /no single movement/);
    const gone = world.open({ kind, details: { networkReference: 'x' } });
    await refuses(split(world, gone, good), /does not wait any more/);
    const [entry] = world.ledger.rows.all();
    assert.ok(entry);
    world.ledger.rows.patch(entry.id, { currency: 'USD' });
    await refuses(split(world, id, good), /another currency/);
    world.ledger.rows.patch(entry.id, { currency: CURRENCY });
    const taken = { ...entry, id: newId(), network_reference: `${references[0]}/2` };
    world.ledger.rows.put(taken.id, taken);
    await refuses(split(world, id, good), /does not wait any more/);
  });

  it('of a debit records a refund of each payment request', async () => {
    const world = new CaseWorld();
    const [one, two] = [world.request(), world.request()];
    for (const each of [one, two]) await world.pay(each, ASKED);
    const openedAt = new Date('2026-03-02T00:00:00.000Z');
    const details = {
      ...{ networkReference: 'OUT', arrivedCents: 700 },
      ...{ bankReference: 'B-OUT', bookingDate: '2026-03-02' },
    };
    const id = world.open({ details, openedAt });
    await refuses(split(world, id, partsOf([one, 300], [two, 399])), /are 6.99 together/);
    await refuses(split(world, id, partsOf([one, 300], [newId(), 400])), /no payment request/);
    const foreign = world.request(ASKED, { merchant_id: OTHER_MERCHANT });
    await refuses(split(world, id, partsOf([one, 300], [foreign, 400])), /another merchant/);
    const parts = partsOf([one, 300], [two, 400]);
    const settled = await split(world, id, parts);
    assert.deepEqual([settled.outcome, settled.parts], ['SPLIT', parts]);
    assert.deepEqual(
      world.refunds.rows
        .all()
        .map((row) => [row.status, row.amountCents, row.operatorCaseId, row.completedAt]),
      [
        ['COMPLETED', 300, id, openedAt],
        ['COMPLETED', 400, null, openedAt],
      ],
    );
    assert.deepEqual(
      world.ledger.rows
        .all()
        .slice(2)
        .map((row) => [row.network_reference, row.bank_reference, row.booking_date]),
      [
        ['OUT/1', 'B-OUT', '2026-03-02'],
        ['OUT/2', 'B-OUT', '2026-03-02'],
      ],
    );
    assert.deepEqual(
      [world.money(one), world.money(two)],
      [
        ['PAID', ASKED, 0, 300],
        ['PAID', ASKED, 0, 400],
      ],
    );
    const audited = world.audited[0]?.details as { parts?: unknown; refundIds?: string[] };
    assert.deepEqual(audited.parts, parts);
    assert.deepEqual(
      audited.refundIds,
      world.refunds.rows.all().map((row) => row.id),
    );
  });
});

describe('a case whose booking replaces an earlier one', () => {
  const replace = (world: CaseWorld, id: string, movement: string | null = null) =>
    replaceCase(world.settling, id, { movement, note: null });
  const auditOf = (world: CaseWorld) =>
    world.audited.at(-1)?.details as { replaced?: unknown; closedCaseIds?: unknown };

  it('counts in the place of a part', async () => {
    const world = new CaseWorld();
    const request = world.request();
    await world.part(request, 400);
    const old = `N${count}`;
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
