import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { referencesOf, textIn } from '#cases/model/operator-case.ts';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import type { UnmatchedMoney } from '#e-transfer/network-money.ts';
import { createReportBatcher } from '#payment-requests/network/apply-report.ts';
import {
  acceptMoney,
  assignMoney,
  type Settled,
  type SettledMoney,
} from '#payment-requests/network/money/settle-money.ts';
import { createLog } from '#telemetry/log/log.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { TEST_DEPLOYMENT } from '../support/metric-samples.ts';
import {
  createFakeNetwork,
  type FakeNetwork,
  success,
} from '../support/payment-requests/fake-network.ts';
import {
  entriesUnder,
  ledgerOf,
  moneyCasesOf,
  movement,
  part,
  returned,
  sumsOf,
  writerOf,
} from '../support/payment-requests/money.ts';
import { type Production, startProduction } from '../support/service/production.ts';

let network: FakeNetwork;
let production: Production;
let references = 0;

before(async () => {
  network = createFakeNetwork();
  production = await startProduction({ makeNetwork: network.make, roles: ['api'] });
});
after(() => production.stop());

function report(paymentRequestId: string, outcome: NetworkOutcome) {
  return network.listener.report({ paymentRequestId, outcome, isRevocable: false });
}

function newReference(): string {
  references += 1;
  return `SETTLE-${references}`;
}

/** The money of an operator's case, as the operator settles it, in a transaction of its own. */
function settled<Asked>(
  settle: (tx: never, deps: ReturnType<typeof writerOf>, asked: Asked) => Promise<Settled>,
  asked: Asked,
): Promise<Settled['outcome']> {
  const deps = writerOf(production.service);
  return deps.db.transaction(async (tx) => (await settle(tx as never, deps, asked)).outcome);
}

const accept = (asked: SettledMoney) => settled(acceptMoney, asked);
const assign = (paymentRequestId: string, networkReference: string) =>
  settled<SettledMoney>(assignMoney, {
    paymentRequestId,
    networkReferences: [networkReference],
    institution: null,
  });

async function openCase(id: string) {
  const [found] = (await moneyCasesOf(production.service, id)).filter(({ isOpen }) => isOpen);
  assert.ok(found, 'an open case');
  return { ...found, ...moneyOf(id, found) };
}

/** The money of a case, as `payreq cases accept` takes it. */
function moneyOf(
  paymentRequestId: string,
  { kind, details }: Awaited<ReturnType<typeof moneyCasesOf>>[number],
): SettledMoney {
  const about = { details: details as Record<string, unknown> };
  const networkReferences = kind === 'PART_PAYMENT' ? [] : referencesOf(about);
  return { paymentRequestId, networkReferences, institution: textIn(about, 'institution') };
}

function unmatched(changes: Partial<UnmatchedMoney> = {}): UnmatchedMoney {
  return {
    kind: 'UNMATCHED_MONEY',
    merchantId: production.merchant.merchantId,
    paymentRequestId: null,
    currency: 'CAD',
    movement: movement(newReference(), 1234),
    institution: 'Other Bank',
    candidates: [],
    ...changes,
  };
}

/** Money that waits for an operator; @returns its network reference. */
async function waitingMoney(amountCents: number, changes: Partial<UnmatchedMoney> = {}) {
  const networkReference = newReference();
  await network.listener.reportUnmatched(
    unmatched({ movement: movement(networkReference, amountCents), ...changes }),
  );
  return networkReference;
}

function casesUnder(networkReference: string) {
  return production.service.database.sql<{ kind: string; merchant_id: string | null }>(
    `SELECT kind, merchant_id FROM operator_cases WHERE details->>'networkReference' = $1`,
    [networkReference],
  );
}

describe('money that fits no payment request', () => {
  for (const kind of [
    'UNMATCHED_MONEY',
    'WRONG_ACCOUNT',
    'AMBIGUOUS_REFERENCE',
    'AMOUNT_ABOVE_LIMIT',
  ] as const) {
    it(`is one entry and one case ${kind} of the merchant, however often it comes`, async () => {
      const money = unmatched({ kind, candidates: ['01890000-0000-7000-8000-000000000001'] });
      const repeats = [money, { ...money, candidates: [] }, money];
      await Promise.all(repeats.map((each) => network.listener.reportUnmatched(each)));
      const { networkReference } = money.movement;
      assert.deepEqual(await entriesUnder(production.service, networkReference), [
        'UNMATCHED 1234 of none',
      ]);
      assert.deepEqual(await casesUnder(networkReference), [
        { kind, merchant_id: production.merchant.merchantId },
      ]);
    });
  }

  it('is a case without an entry when the merchant’s bank gave it back', async () => {
    const { id } = await production.createLink();
    const money = unmatched({ kind: 'REFUNDED_OUTSIDE', paymentRequestId: id });
    for (let time = 0; time < 2; time++) await network.listener.reportUnmatched(money);
    const { networkReference } = money.movement;
    assert.deepEqual(await entriesUnder(production.service, networkReference), []);
    assert.equal((await casesUnder(networkReference)).length, 1);
    const [found] = await moneyCasesOf(production.service, id);
    assert.deepEqual(found?.details, {
      askedCents: 1234,
      arrivedCents: 1234,
      networkReference,
      currency: 'CAD',
      institution: 'Other Bank',
    });
  });

  it('is a case without a merchant when its merchant is unknown', async () => {
    const networkReference = await waitingMoney(1, { merchantId: null });
    assert.deepEqual(await casesUnder(networkReference), [
      { kind: 'UNMATCHED_MONEY', merchant_id: null },
    ]);
  });
});

describe('money that an operator accepts', () => {
  it('makes PAID with what truly arrived, more than the amount', async () => {
    const { id } = await production.createLink();
    const [first, second] = [newReference(), newReference()];
    await report(id, part(first, 400));
    const movements = [movement(first, 400), movement(second, 900)];
    await report(id, success({ amountCents: 1300, networkReference: second, movements }));
    assert.equal(await accept(await openCase(id)), 'PAID');
    const { status, payment, refundSummary } = await production.read(id);
    assert.deepEqual(
      [status, payment.institution, payment.networkReference, payment.amountReceived],
      ['PAID', 'Other Bank', second, 13],
    );
    assert.equal(refundSummary.amountAvailable, 13);
    assert.deepEqual(await entriesUnder(production.service, second), [
      'UNMATCHED 900 of none',
      'ASSIGNED -900 of none',
      'ASSIGNED 900',
    ]);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
    // The network does not know of the decision, and reports again.
    const again = success({ amountCents: 1300, networkReference: second, movements });
    assert.equal(await report(id, again), 'TAKEN');
    assert.deepEqual(await sumsOf(production.service, id), [1300, 0]);
  });

  it('counts all movements that wait, when more came before the decision', async () => {
    const { id } = await production.createLink();
    const [first, last] = [newReference(), newReference()];
    await report(id, success({ amountCents: 2000, networkReference: first }));
    const movements = [movement(first, 2000), movement(last, 500)];
    await report(id, success({ amountCents: 2500, networkReference: last, movements }));
    const cases = await moneyCasesOf(production.service, id);
    const second = cases[1] ?? assert.fail('a second case');
    assert.equal(await accept(moneyOf(id, second)), 'PAID');
    assert.deepEqual(await sumsOf(production.service, id), [2500, 0]);
  });

  it('makes PAID late with the parts of a payment request that is over', async () => {
    const { id } = await production.createLink();
    await report(id, part(newReference(), 400));
    await production.cancel(id);
    assert.equal(await accept(await openCase(id)), 'PAID');
    const { paidLate, payment } = await production.read(id);
    assert.deepEqual([paidLate, payment.amountReceived], [true, 4]);
    assert.deepEqual(await ledgerOf(production.service, id), ['PART_PAYMENT 400']);
  });

  it('is accepted once by two operators at once', async () => {
    const { id } = await production.createLink();
    await report(id, success({ amountCents: 1300, networkReference: newReference() }));
    const asked = await openCase(id);
    const outcomes = await Promise.all([accept(asked), accept(asked)]);
    assert.deepEqual(outcomes.sort(), ['ALREADY_PAID', 'PAID']);
    assert.deepEqual(await sumsOf(production.service, id), [1300, 0]);
  });

  it('is refused when parts went back meanwhile', async () => {
    const { id } = await production.createLink();
    const first = newReference();
    await report(id, part(first, 400));
    await production.cancel(id);
    const asked = await openCase(id);
    await report(id, returned(newReference(), 400, first));
    assert.equal(await accept(asked), 'NO_MONEY');
    assert.equal((await production.read(id)).status, 'CANCELLED');
  });
});

describe('money that an operator assigns', () => {
  it('makes PAID when the sum is exact', async () => {
    const { id } = await production.createLink();
    const reference = await waitingMoney(1234);
    assert.equal(await assign(id, reference), 'PAID');
    assert.deepEqual(await ledgerOf(production.service, id), ['ASSIGNED 1234']);
    assert.deepEqual(await sumsOf(production.service, id), [1234, 0]);
    assert.equal((await production.read(id)).payment.networkReference, reference);
  });

  it('is a part when it is less, and the network completes it', async () => {
    const { id } = await production.createLink();
    assert.equal(await assign(id, await waitingMoney(400)), 'PART');
    assert.equal((await production.read(id)).status, 'CREATED');
    const networkReference = newReference();
    const movements = [movement(networkReference, 834)];
    assert.equal(
      await report(id, success({ amountCents: 834, networkReference, movements })),
      'TAKEN',
    );
    assert.equal((await production.read(id)).payment.amountReceived, 12.34);
  });

  it('is a case that can be accepted when it is more', async () => {
    const { id } = await production.createLink();
    assert.equal(await assign(id, await waitingMoney(2000)), 'MISMATCH');
    const asked = await openCase(id);
    assert.deepEqual([asked.kind, asked.details.arrivedCents], ['AMOUNT_MISMATCH', 2000]);
    assert.equal(await accept(asked), 'PAID');
    assert.deepEqual(await sumsOf(production.service, id), [2000, 0]);
  });

  it('leaves the payment request that it was a second payment of', async () => {
    const [paid, other] = [await production.createLink(), await production.createLink()];
    await report(paid.id, success({ networkReference: newReference() }));
    const second = newReference();
    await report(paid.id, success({ networkReference: second }));
    assert.equal(await assign(other.id, second), 'PAID');
    assert.deepEqual(await sumsOf(production.service, paid.id), [1234, 0]);
    assert.deepEqual(await entriesUnder(production.service, second), [
      'SECOND_PAYMENT 1234',
      'ASSIGNED -1234 of none',
      'ASSIGNED 1234',
    ]);
  });

  it('goes to one of two payment requests at once', async () => {
    const links = [await production.createLink(), await production.createLink()];
    const reference = await waitingMoney(1234);
    const outcomes = await Promise.all(links.map(({ id }) => assign(id, reference)));
    assert.deepEqual(outcomes.sort(), ['NO_MONEY', 'PAID']);
  });

  it('is refused for what cannot take it, and nothing is written', async () => {
    const { id } = await production.createLink();
    const other = await production.service.createMerchant({ name: 'Another Shop' });
    const [foreign, usd] = [
      await waitingMoney(1234, { merchantId: other.merchantId }),
      await waitingMoney(1234, { currency: 'USD' }),
    ];
    assert.equal(await assign(id, foreign), 'OTHER_MERCHANT');
    assert.equal(await assign(id, usd), 'OTHER_CURRENCY');
    assert.equal(await assign(id, newReference()), 'NO_MONEY');
    const unknown = '01890000-0000-7000-8000-00000000000f';
    assert.equal(await assign(unknown, usd), 'UNKNOWN_PAYMENT_REQUEST');
    await report(id, success({ networkReference: newReference() }));
    assert.equal(await assign(id, await waitingMoney(1234)), 'ALREADY_PAID');
    assert.deepEqual(await ledgerOf(production.service, id), ['PAYMENT 1234']);
  });
});

describe('the hook of money that was taken back', () => {
  it('is called in the transaction, after the sums, with each payment request once', async () => {
    const { id } = await production.createLink();
    const paid = newReference();
    await report(id, success({ networkReference: paid }));
    const calls: unknown[] = [];
    let published = 0;
    const take = createReportBatcher({
      ...writerOf(production.service),
      log: createLog({ level: 'silent' as 'error' }),
      metrics: createMetrics(TEST_DEPLOYMENT),
      currency: 'CAD',
      async onMoneyReturned(tx, ids) {
        const [row] = await tx.query<{ cents: number }>(
          { name: '', text: 'SELECT returned_cents AS cents FROM payment_requests WHERE id = $1' },
          [ids[0]],
        );
        calls.push([ids, row?.cents]);
        return {
          publish() {
            published += 1;
          },
        };
      },
    });
    const both = [returned(newReference(), 100, paid), returned(newReference(), 200, paid)];
    await Promise.all(
      both.map((outcome) => take({ paymentRequestId: id, outcome, isRevocable: false })),
    );
    assert.deepEqual(calls, [[[id], 300]]);
    assert.equal(published, 1);
  });
});
