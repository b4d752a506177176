import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
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
} from '../support/payment-requests/money.ts';
import { type Production, startProduction } from '../support/service/production.ts';

const DAY_SECONDS = 86_400;

let network: FakeNetwork;
let production: Production;
let references = 0;

before(async () => {
  network = createFakeNetwork();
  // Without loops: only the reports and calls of the tests change anything.
  production = await startProduction({ makeNetwork: network.make, roles: ['api'] });
});
after(() => production.stop());

function report(paymentRequestId: string, outcome: NetworkOutcome, isRevocable = false) {
  return network.listener.report({ paymentRequestId, outcome, isRevocable });
}

/** A network reference that no other test has. */
function newReference(): string {
  references += 1;
  return `MONEY-IN-${references}`;
}

/** The last part with all movements, as a network reports the exact sum. */
function completed(...movements: readonly (readonly [reference: string, cents: number])[]) {
  const all = movements.map(([reference, cents]) => movement(reference, cents));
  return success({
    amountCents: all.reduce((sum, { amountCents }) => sum + amountCents, 0),
    networkReference: all.at(-1)?.networkReference ?? '',
    movements: all,
  });
}

const cases = (id: string) => moneyCasesOf(production.service, id);
const openKinds = async (id: string) =>
  (await cases(id)).filter(({ isOpen }) => isOpen).map(({ kind }) => kind);

describe('money that makes a payment request PAID', () => {
  it('is one PAYMENT, which the answer shows, however often it is reported', async () => {
    const { id } = await production.createLink();
    const networkReference = newReference();
    for (let time = 0; time < 3; time++) {
      assert.equal(await report(id, success({ networkReference })), 'TAKEN');
    }
    assert.deepEqual(await ledgerOf(production.service, id), ['PAYMENT 1234']);
    const { payment, refundSummary } = await production.read(id);
    assert.equal(payment.amountReceived, 12.34);
    assert.deepEqual(refundSummary, {
      status: 'NONE',
      amountReceived: 12.34,
      amountReturned: 0,
      amountRefunded: 0,
      amountAvailable: 12.34,
    });
  });

  it('is a LATE_PAYMENT when the payment request is over', async () => {
    const { id } = await production.createLink();
    await production.cancel(id);
    await report(id, success({ networkReference: newReference() }));
    assert.deepEqual(await ledgerOf(production.service, id), ['LATE_PAYMENT 1234']);
  });

  it('has no sums in an answer before it arrives', async () => {
    const { id } = await production.createLink();
    const found = await production.read(id);
    assert.equal('refundSummary' in found || 'payment' in found, false);
  });

  it('writes amounts with two decimals into answer, list, webhook and CSV', async () => {
    const { id } = await production.createLink({ amount: 10, invoiceNumber: 'two-decimals' });
    await report(id, success({ amountCents: 1000, networkReference: newReference() }));
    const read = await production.call('GET', `/v1/payment-requests/${id}`);
    const listed = await production.call('GET', '/v1/payment-requests?invoiceNumber=two-decimals');
    const [event] = await production.service.database.sql<{ body: string }>(
      'SELECT body FROM webhook_events WHERE payment_request_id = $1',
      [id],
    );
    const shown =
      '"refundSummary":{"status":"NONE","amountReceived":10.00,"amountReturned":0.00,' +
      '"amountRefunded":0.00,"amountAvailable":10.00}';
    for (const text of [read.text, listed.text, event?.body ?? '']) {
      assert.ok(text.includes(shown), text);
      assert.ok(text.includes('"amountReceived":10.00}'), text);
    }
    const headers = { accept: 'text/csv' };
    const csv = await production.service.call(
      'GET',
      '/v1/payment-requests?invoiceNumber=two-decimals',
      { headers: { ...production.merchant.headers, ...headers } },
    );
    const [names = '', line = ''] = csv.text.split('\r\n');
    const cell = (name: string) => line.split(',')[names.split(',').indexOf(name)];
    assert.equal(cell('refundSummary.amountAvailable'), '10.00');
    assert.equal(cell('payment.amountReceived'), '10.00');
  });

  it('beside a payment is a SECOND_PAYMENT, no part of the sums', async () => {
    const { id } = await production.createLink();
    await report(id, success({ networkReference: newReference() }));
    const second = success({ networkReference: newReference() });
    for (let time = 0; time < 2; time++) assert.equal(await report(id, second), 'NOT_TAKEN');
    assert.deepEqual(await ledgerOf(production.service, id), [
      'PAYMENT 1234',
      'SECOND_PAYMENT 1234',
    ]);
    assert.deepEqual(await sumsOf(production.service, id), [1234, 0]);
    assert.deepEqual(await openKinds(id), ['SECOND_PAYMENT']);
  });

  it('is UNMATCHED when it has another amount, once, and no part of the sums', async () => {
    const { id } = await production.createLink();
    const networkReference = newReference();
    const wrong = success({ amountCents: 1235, networkReference });
    for (let time = 0; time < 3; time++) assert.equal(await report(id, wrong), 'NOT_TAKEN');
    assert.deepEqual(await entriesUnder(production.service, networkReference), [
      'UNMATCHED 1235 of none',
    ]);
    assert.deepEqual(await sumsOf(production.service, id), [0, 0]);
  });

  it('that the network takes back is no movement', async () => {
    const { id } = await production.createLink();
    const networkReference = newReference();
    const wrong = success({ amountCents: 1235, networkReference });
    assert.equal(await report(id, wrong, true), 'NOT_TAKEN');
    assert.deepEqual(await entriesUnder(production.service, networkReference), []);
  });

  it('for an unknown payment request is UNMATCHED', async () => {
    const networkReference = newReference();
    for (let time = 0; time < 2; time++) {
      await report('01890000-0000-7000-8000-00000000000f', success({ networkReference }));
    }
    assert.deepEqual(await entriesUnder(production.service, networkReference), [
      'UNMATCHED 1234 of none',
    ]);
  });
});

describe('money that comes in parts', () => {
  it('makes PAID with the last part, each part once in the ledger', async () => {
    const { id } = await production.createLink();
    const [first, second] = [newReference(), newReference()];
    const { version: etag } = { version: await etagOf(id) };
    for (let time = 0; time < 2; time++) {
      assert.equal(await report(id, part(first, 400)), 'TAKEN');
    }
    assert.notEqual(await etagOf(id), etag);
    assert.equal((await production.read(id)).status, 'CREATED');
    assert.deepEqual(await sumsOf(production.service, id), [400, 0]);
    for (let time = 0; time < 2; time++) {
      assert.equal(await report(id, completed([first, 400], [second, 834])), 'TAKEN');
    }
    assert.equal((await production.read(id)).payment.amountReceived, 12.34);
    assert.deepEqual(await ledgerOf(production.service, id), ['PART_PAYMENT 400', 'PAYMENT 834']);
    assert.deepEqual(await openKinds(id), []);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
  });

  it('shows each part in the timeline', async () => {
    const { id } = await production.createLink();
    await report(id, part(newReference(), 400));
    const { json } = await production.call('GET', `/v1/payment-requests/${id}/timeline`);
    const { type, amount, amountReceived } = json.data.at(-1);
    assert.deepEqual([type, amount, amountReceived], ['PART_RECEIVED', 4, 4]);
  });

  it('takes all parts of one report', async () => {
    const { id } = await production.createLink();
    await report(id, completed([newReference(), 400], [newReference(), 834]));
    assert.deepEqual(await ledgerOf(production.service, id), ['PART_PAYMENT 400', 'PAYMENT 834']);
  });

  it('stays a case after a cancellation, until a later part completes it', async () => {
    const { id } = await production.createLink();
    const [first, second, third] = [newReference(), newReference(), newReference()];
    await report(id, part(first, 400));
    await production.cancel(id);
    assert.deepEqual(await cases(id), [
      {
        kind: 'PART_PAYMENT',
        isOpen: true,
        details: { askedCents: 1234, receivedCents: 400 },
      },
    ]);
    assert.equal(await report(id, part(second, 100)), 'TAKEN');
    assert.deepEqual(
      (await cases(id)).map(({ isOpen, details }) => [isOpen, details.receivedCents]),
      [
        [false, 400],
        [true, 500],
      ],
    );
    await report(id, completed([first, 400], [second, 100], [third, 734]));
    assert.deepEqual(await openKinds(id), []);
    const { status, paidLate } = await production.read(id);
    assert.deepEqual([status, paidLate], ['PAID', true]);
    assert.equal((await ledgerOf(production.service, id)).at(-1), 'LATE_PAYMENT 734');
  });

  it('stays a case after a refusal by the network', async () => {
    const { id } = await production.createLink();
    await report(id, part(newReference(), 400));
    await report(id, { state: 'REFUSED', reason: 'NETWORK_REJECTED' });
    assert.equal((await production.read(id)).status, 'FAILED');
    assert.deepEqual(await openKinds(id), ['PART_PAYMENT']);
  });

  it('lowers its sum by a part that goes back, and opens no case for nothing', async () => {
    const { id } = await production.createLink();
    const [first, second] = [newReference(), newReference()];
    await report(id, part(first, 400));
    await production.cancel(id);
    const back = returned(newReference(), 400, first);
    for (let time = 0; time < 2; time++) assert.equal(await report(id, back), 'TAKEN');
    assert.deepEqual(await sumsOf(production.service, id), [400, 400]);
    assert.deepEqual(await openKinds(id), []);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-FAILED']);
    assert.equal(await report(id, completed([second, 1234])), 'TAKEN');
    const { refundSummary } = await production.read(id);
    assert.deepEqual(
      [refundSummary.amountReceived, refundSummary.amountReturned, refundSummary.amountAvailable],
      [16.34, 4, 12.34],
    );
  });

  it('has the same sum twice as two cases', async () => {
    const { id } = await production.createLink();
    const first = newReference();
    await production.cancel(id);
    await report(id, part(first, 400));
    await report(id, returned(newReference(), 400, first));
    await report(id, part(newReference(), 400));
    assert.deepEqual(
      (await cases(id)).map(({ isOpen }) => isOpen),
      [false, true],
    );
  });

  it('above the amount is a case with the true sum, and not PAID', async () => {
    const { id } = await production.createLink();
    const [first, second] = [newReference(), newReference()];
    await report(id, part(first, 400));
    const over = completed([first, 400], [second, 900]);
    for (let time = 0; time < 2; time++) assert.equal(await report(id, over), 'NOT_TAKEN');
    assert.equal((await production.read(id)).status, 'CREATED');
    const [found, ...others] = await cases(id);
    assert.deepEqual(others, []);
    assert.deepEqual(found?.details, {
      askedCents: 1234,
      arrivedCents: 1300,
      networkReference: second,
      currency: 'CAD',
      institution: 'Other Bank',
    });
    assert.deepEqual(await sumsOf(production.service, id), [400, 0]);
    assert.deepEqual(await entriesUnder(production.service, second), ['UNMATCHED 900 of none']);
  });

  it('in another currency is a case, and no part of the sums', async () => {
    const { id } = await production.createLink();
    const outcome = { ...part(newReference(), 400), currency: 'USD' } as NetworkOutcome;
    assert.equal(await report(id, outcome), 'NOT_TAKEN');
    assert.deepEqual(await sumsOf(production.service, id), [0, 0]);
    assert.deepEqual(await openKinds(id), ['CURRENCY_MISMATCH']);
  });

  it('is a SECOND_PAYMENT beside a PAID payment request', async () => {
    const { id } = await production.createLink();
    await report(id, success({ networkReference: newReference() }));
    assert.equal(await report(id, part(newReference(), 400)), 'NOT_TAKEN');
    assert.equal((await ledgerOf(production.service, id)).at(-1), 'SECOND_PAYMENT 400');
    assert.deepEqual(await sumsOf(production.service, id), [1234, 0]);
  });

  it('counts towards an expiry that has passed and is not written yet', async () => {
    const { id } = await production.createLink();
    await report(id, part(newReference(), 400));
    await production.service.advance(DAY_SECONDS + 1);
    await report(id, part(newReference(), 100));
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'EXPIRED']);
    assert.deepEqual(
      (await cases(id)).map(({ isOpen, details }) => [isOpen, details.receivedCents]),
      [[true, 500]],
    );
  });
});

async function etagOf(id: string): Promise<string | null> {
  return (await production.call('GET', `/v1/payment-requests/${id}`)).headers.get('etag');
}

describe('money that was taken back', () => {
  it('leaves PAID, lowers the amount available and notifies merchant and operator', async () => {
    const { id } = await production.createLink();
    const [paid, back] = [newReference(), newReference()];
    await report(id, success({ networkReference: paid }));
    const etag = await etagOf(id);
    for (let time = 0; time < 3; time++) {
      assert.equal(await report(id, returned(back, 1000, paid)), 'TAKEN');
    }
    const found = await production.read(id);
    assert.equal(found.status, 'PAID');
    assert.deepEqual(found.refundSummary, {
      status: 'NONE',
      amountReceived: 12.34,
      amountReturned: 10,
      amountRefunded: 0,
      amountAvailable: 2.34,
    });
    assert.notEqual(await etagOf(id), etag);
    assert.deepEqual(await ledgerOf(production.service, id), ['PAYMENT 1234', 'RETURN -1000']);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED', 'PAYMENT-RETURNED']);
    const [event] = await production.service.database.sql<{ body: string }>(
      `SELECT body FROM webhook_events
       WHERE payment_request_id = $1 AND event_type = 'PAYMENT-RETURNED'`,
      [id],
    );
    const { resource, sequence } = JSON.parse(event?.body ?? '{}');
    assert.deepEqual([resource, sequence], [found, 2]);
    const [opened] = await cases(id);
    assert.deepEqual(opened, {
      kind: 'MONEY_RETURNED',
      isOpen: true,
      details: {
        askedCents: 1234,
        returnedCents: 1000,
        networkReference: back,
        currency: 'CAD',
        returnedReference: paid,
        reason: 'AC04',
      },
    });
    const { json } = await production.call('GET', `/v1/payment-requests/${id}/timeline`);
    const note = json.data.find(({ type }: { type: string }) => type === 'MONEY_RETURNED');
    assert.deepEqual([note.amount, note.reason], [10, 'AC04']);
  });

  it('leaves the sums and the merchant alone when it undoes a second payment', async () => {
    const { id } = await production.createLink();
    await report(id, success({ networkReference: newReference() }));
    const [second, back] = [newReference(), newReference()];
    await report(id, success({ networkReference: second }));
    await report(id, returned(back, 1234, second));
    assert.deepEqual(await sumsOf(production.service, id), [1234, 0]);
    assert.deepEqual(await entriesUnder(production.service, back), ['RETURN -1234 of none']);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
    // Nothing is left of the second payment: its case is overtaken.
    assert.deepEqual(await openKinds(id), ['MONEY_RETURNED']);
  });

  it('before it was reported to have arrived comes to the same sums', async () => {
    const { id } = await production.createLink();
    const [paid, back] = [newReference(), newReference()];
    await report(id, returned(back, 1234, paid));
    assert.deepEqual(await openKinds(id), ['MONEY_RETURNED']);
    assert.equal(await report(id, success({ networkReference: paid })), 'TAKEN');
    assert.deepEqual(await sumsOf(production.service, id), [1234, 1234]);
    assert.equal((await production.read(id)).refundSummary.amountAvailable, 0);
  });
});

describe('reports of one payment request at once', () => {
  it('lose no entry and double none', async () => {
    const { id } = await production.createLink();
    const parts = Array.from({ length: 8 }, () => newReference());
    const reports = parts.flatMap((reference) => [
      report(id, part(reference, 100)),
      report(id, part(reference, 100)),
    ]);
    await Promise.all([...reports, production.cancel(id)]);
    assert.deepEqual(await sumsOf(production.service, id), [800, 0]);
    assert.deepEqual(
      await ledgerOf(production.service, id),
      parts.map(() => 'PART_PAYMENT 100'),
    );
    assert.deepEqual(
      (await cases(id)).filter(({ isOpen }) => isOpen).map(({ details }) => details.receivedCents),
      [800],
    );
    assert.equal((await production.read(id)).status, 'CANCELLED');
  });

  it('with a cancellation and a second payment end in one payment and one case', async () => {
    const { id } = await production.createLink();
    const [one, other] = [newReference(), newReference()];
    await Promise.all([
      report(id, success({ networkReference: one })),
      production.cancel(id),
      report(id, success({ networkReference: other })),
      report(id, success({ networkReference: one })),
    ]);
    assert.equal((await production.read(id)).status, 'PAID');
    const types = (await ledgerOf(production.service, id)).map((entry) => entry.split(' ')[0]);
    assert.equal(types.length, 2);
    assert.ok(types.includes('SECOND_PAYMENT'));
    assert.deepEqual(await sumsOf(production.service, id), [1234, 0]);
  });
});
