import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitCase } from '#cases/split-case.ts';
import { newId } from '#lib/new-id.ts';
import { CURRENCY } from '../payments/payment-world.ts';
import { ASKED, assign, CaseWorld, mismatched, OTHER_MERCHANT, refuses } from './case-world.ts';

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
    const many = Array.from({ length: 21 }, (): readonly [string, number] => [newId(), 1]);
    const refused: readonly (readonly [ReturnType<typeof partsOf>, RegExp])[] = [
      [partsOf([request, 1_900]), /Give 2 to/],
      [partsOf(...many), /Give 2 to/],
      [partsOf(...many.slice(1)), /no payment request of one/],
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

  it('is the one movement that is left of several', async () => {
    const { world, request, references } = await mismatched(300, 600);
    const kind = 'UNMATCHED_MONEY';
    const first = world.open({ kind, details: { networkReference: references[0] } });
    const both = world.open({ kind, details: { networkReferences: references } });
    await assign(world, first, request);
    const parts = partsOf([request, 100], [world.request(), 500]);
    const settled = await split(world, both, parts);
    assert.deepEqual(
      settled.parts.map((each) => each.networkReference),
      [`${references[1]}/1`, `${references[1]}/2`],
    );
  });

  it('records a refund of each payment request when it is a debit', async () => {
    const world = new CaseWorld();
    const [one, two] = [world.request(), world.request()];
    for (const each of [one, two]) await world.pay(each, ASKED);
    const openedAt = new Date('2026-03-02T00:00:00.000Z');
    const details = {
      ...{ networkReference: 'OUT', arrivedCents: 700 },
      ...{ bankReference: 'B-OUT', bookingDate: '2026-03-02' },
    };
    const id = world.open({ details, openedAt });
    const unowned = world.open({ merchantId: null, details: { ...details, arrivedCents: 2 } });
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
    assert.equal((await split(world, unowned, partsOf([one, 1], [two, 1]))).outcome, 'SPLIT');
  });
});
