import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import type { NetworkRefund, RefundOutcome, RefundStart } from '#e-transfer/network-refunds.ts';
import { runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeNetwork, success } from '../support/payment-requests/fake-network.ts';
import {
  entriesUnder,
  ledgerOf,
  movement,
  part,
  returned,
  sumsOf,
} from '../support/payment-requests/money.ts';
import { type Production, startProduction } from '../support/service/production.ts';

const network = createFakeNetwork();
let production: Production;
let references = 0;
/** The answer to each hand-over of a refund. */
let startAnswer: RefundStart = { state: 'QUEUED' };
const started = new Map<string, NetworkRefund>();

before(async () => {
  production = await startProduction({
    makeNetwork: (surroundings) => ({
      ...network.make(surroundings),
      refunds: {
        async start(refund) {
          started.set(refund.refundId, refund);
          return startAnswer;
        },
        askState: async () => ({ state: 'PROCESSING' }),
      },
    }),
  });
});
after(() => production.stop());

const newReference = () => `BACK-${++references}`;
const sql = <Row>(text: string, values?: unknown[]) =>
  production.service.database.sql<Row>(text, values);
const cases = (...args: string[]) => runCli(['cases', ...args, '--json'], production.service.env);

async function settled(...args: string[]) {
  const ran = await cases(...args);
  assert.equal(ran.exitCode, 0, ran.stderr);
  return ran.json();
}

async function refused(...args: string[]): Promise<string> {
  const ran = await cases(...args);
  assert.equal(ran.exitCode, 1, ran.stdout);
  return ran.stderr;
}

const report = (paymentRequestId: string, outcome: NetworkOutcome) =>
  network.listener.report({ paymentRequestId, outcome, isRevocable: false });

async function arrive(id: string, amountCents = 1234): Promise<string> {
  const networkReference = newReference();
  await report(id, success({ amountCents, networkReference }));
  return networkReference;
}

async function arrivePart(id: string, amountCents: number): Promise<string> {
  const networkReference = newReference();
  await report(id, part(networkReference, amountCents));
  return networkReference;
}

const takeBack = (id: string, reference: string, amountCents = 1234) =>
  report(id, returned(newReference(), amountCents, reference));

interface StoredCase {
  readonly id: string;
  readonly kind: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const casesOf = (id: string) =>
  sql<StoredCase>(
    `SELECT id, kind, details FROM operator_cases
     WHERE payment_request_id = $1 ORDER BY opened_at, id`,
    [id],
  );

async function caseOf(id: string, kind: string): Promise<StoredCase> {
  const found = (await casesOf(id)).findLast((each) => each.kind === kind);
  assert.ok(found, `a case ${kind}`);
  return found;
}

const refundsOf = (id: string) =>
  sql<{ id: string; cents: number; status: string; reference: string | null }>(
    `SELECT id, amount_cents::int AS cents, status, movement_reference AS reference
     FROM refunds WHERE payment_request_id = $1 ORDER BY created_at, id`,
    [id],
  );

const statusesOf = async (id: string) =>
  (await refundsOf(id)).map(({ cents, status, reference }) => [cents, status, reference]);

const tellOf = (refundId: string, outcome: RefundOutcome) =>
  network.listener.reportRefunds([{ refundId, outcome }]);

async function onlyRefund(id: string): Promise<string> {
  const [refund, ...others] = await refundsOf(id);
  assert.ok(refund && others.length === 0);
  return refund.id;
}

/** A payment request that is PAID, with money that waits beside it. */
async function paidTwice(): Promise<{ id: string; second: string; caseId: string }> {
  const { id } = await production.createLink();
  await arrive(id);
  const second = await arrive(id);
  return { id, second, caseId: (await caseOf(id, 'SECOND_PAYMENT')).id };
}

describe('money of a case that was taken back', () => {
  it('is not given back by a refund again', async () => {
    const { id, second, caseId } = await paidTwice();
    await takeBack(id, second);
    assert.match(await refused('refund', caseId), /was taken back/);
    assert.deepEqual(await refundsOf(id), []);
  });

  it('is neither accepted nor assigned', async () => {
    const { id } = await production.createLink();
    const reference = await arrive(id, 1300);
    await takeBack(id, reference, 1300);
    const { id: caseId } = await caseOf(id, 'AMOUNT_MISMATCH');
    assert.match(await refused('accept', caseId), /taken back/);
    assert.match(await refused('refund', caseId), /taken back/);
    assert.equal((await production.read(id)).status, 'CREATED');
    const { id: other } = await production.createLink();
    const twice = await paidTwice();
    await takeBack(twice.id, twice.second);
    const sentence = await refused('assign', twice.caseId, '--payment-request', other);
    assert.match(sentence, /taken back/);
    assert.deepEqual(await ledgerOf(production.service, other), []);
  });
});

describe('a refund of a case whose money is taken back then', () => {
  it('fails while it is CREATED', async () => {
    const { id, second, caseId } = await paidTwice();
    await settled('refund', caseId);
    await takeBack(id, second);
    assert.deepEqual(await statusesOf(id), [[1234, 'FAILED', second]]);
    assert.deepEqual(await sumsOf(production.service, id), [1234, 0]);
    assert.match(await refused('refund', caseId), /was taken back/);
  });

  it('is a case for an operator when the network has it', async () => {
    const { id, second, caseId } = await paidTwice();
    await settled('refund', caseId);
    await tellOf(await onlyRefund(id), { state: 'PROCESSING' });
    await takeBack(id, second);
    assert.deepEqual(await statusesOf(id), [[1234, 'PROCESSING', second]]);
    const { details } = await caseOf(id, 'REFUNDED_AND_RETURNED');
    assert.equal(details.uncoveredCents, 1234);
  });

  it('fails for the part that went back, and for no other part', async () => {
    const { id } = await production.createLink();
    const [first, other] = [await arrivePart(id, 400), await arrivePart(id, 500)];
    await production.cancel(id);
    await settled('refund', (await caseOf(id, 'PART_PAYMENT')).id);
    await takeBack(id, first, 400);
    const statuses = await statusesOf(id);
    assert.deepEqual(statuses.toSorted(), [
      [400, 'FAILED', first],
      [500, 'CREATED', other],
    ]);
  });
});

describe('the parts of a payment request that is over', () => {
  it('can be given back again when the refund of any of them has failed', async () => {
    const { id } = await production.createLink();
    await arrivePart(id, 400);
    const second = await arrivePart(id, 500);
    await production.cancel(id);
    const { id: caseId } = await caseOf(id, 'PART_PAYMENT');
    await settled('refund', caseId);
    const failing = (await refundsOf(id)).find(({ reference }) => reference === second);
    await tellOf(failing?.id ?? '', { state: 'FAILED', reason: 'NETWORK_REJECTED' });
    await settled('refund', caseId);
    const open = (await refundsOf(id)).filter(({ status }) => status === 'CREATED');
    assert.deepEqual(open.map(({ cents }) => cents).sort(), [400, 500]);
    assert.match(await refused('refund', caseId), /settled before/);
    assert.match(await refused('accept', caseId), /settled before/);
  });
});

describe('assigned money that is taken back', () => {
  it('lowers the sums of the payment request that has it', async () => {
    const { id, second, caseId } = await paidTwice();
    const { id: owner } = await production.createLink();
    await settled('assign', caseId, '--payment-request', owner);
    const back = newReference();
    // The network knows nothing of the assignment.
    await report(id, returned(back, 1234, second));
    await report(id, returned(back, 1234, second));
    assert.deepEqual(await sumsOf(production.service, owner), [1234, 1234]);
    assert.deepEqual(await sumsOf(production.service, id), [1234, 0]);
    assert.deepEqual(await entriesUnder(production.service, back), ['RETURN -1234']);
    assert.deepEqual(await production.webhooksOf(owner), ['PAYMENT-COMPLETED', 'PAYMENT-RETURNED']);
    assert.equal((await production.read(owner)).refundSummary.amountAvailable, 0);
    await caseOf(owner, 'MONEY_RETURNED');
  });

  it('lowers them beside returns of other money in one transaction', async () => {
    const { id, second, caseId } = await paidTwice();
    const { id: owner } = await production.createLink();
    await settled('assign', caseId, '--payment-request', owner);
    const { id: third } = await production.createLink();
    const paid = await arrive(third);
    await Promise.all([
      takeBack(third, paid, 1),
      takeBack(id, second, 34),
      takeBack(third, paid, 2),
    ]);
    assert.deepEqual(await sumsOf(production.service, third), [1234, 3]);
    assert.deepEqual(await sumsOf(production.service, owner), [1234, 34]);
    assert.deepEqual(await sumsOf(production.service, id), [1234, 0]);
  });
});

describe('a refund of a payment from several accounts', () => {
  async function unclear(movements: readonly (readonly [string, number])[], cents?: number) {
    const { id } = await production.createLink();
    const all = movements.map(([reference, amount]) => movement(reference, amount));
    const networkReference = all.at(-1)?.networkReference ?? '';
    await report(id, success({ amountCents: 1234, networkReference, movements: all }));
    for (const _ of cents === undefined ? [0] : [0, 1]) await ask(id, all, cents);
    return id;
  }

  async function ask(id: string, movements: readonly ReturnType<typeof movement>[], cents = 1234) {
    startAnswer = { state: 'ACCOUNT_UNCLEAR', movements };
    const body = { amount: cents / 100, merchantRefundId: newReference() };
    const answer = await production.call('POST', `/v1/payment-requests/${id}/refunds`, { body });
    assert.equal(answer.status, 201, answer.text);
    await production.service.advance(1);
    await eventually(async () => {
      const { json } = await production.call('GET', `/v1/refunds/${answer.json.id}`);
      return json.status === 'FAILED';
    });
    startAnswer = { state: 'QUEUED' };
  }

  it('is a case, and goes back by the movement that an operator names', async () => {
    const [first, last] = [newReference(), newReference()];
    const id = await unclear([
      [first, 1000],
      [last, 234],
    ]);
    const { id: caseId, details } = await caseOf(id, 'REFUND_ACCOUNT_UNCLEAR');
    assert.deepEqual(details.movements, [
      { networkReference: first, amountCents: 1000 },
      { networkReference: last, amountCents: 234 },
    ]);
    assert.equal(details.refundCents, 1234);
    assert.match(await refused('refund', caseId), new RegExp(`${first}, ${last}`));
    assert.match(await refused('refund', caseId, '--movement', 'NO'), /Give --movement/);
    await settled('refund', caseId, '--movement', first);
    const open = (await refundsOf(id)).filter(({ status }) => status === 'CREATED');
    assert.deepEqual(
      open.map(({ cents, reference }) => [cents, reference]),
      [[1000, first]],
    );
    await production.service.advance(1);
    const handed = await eventually(() => started.get(open[0]?.id ?? ''));
    assert.deepEqual([handed.movementReference, handed.amountCents], [first, 1000]);
    assert.equal((await production.read(id)).refundSummary.amountAvailable, 2.34);
    assert.match(await refused('refund', caseId, '--movement', last), /settled before/);
  });

  it('never exceeds the movement, whichever cases name it', async () => {
    const [first, last] = [newReference(), newReference()];
    const id = await unclear(
      [
        [first, 600],
        [last, 634],
      ],
      500,
    );
    const open = (await casesOf(id)).filter(({ kind }) => kind === 'REFUND_ACCOUNT_UNCLEAR');
    const [one, two] = open.map((each) => each.id);
    await settled('refund', one ?? '', '--movement', first);
    await settled('refund', two ?? '', '--movement', first);
    const given = (await refundsOf(id)).filter(({ status }) => status === 'CREATED');
    assert.deepEqual(given.map(({ cents }) => cents).sort(), [100, 500]);
  });

  it('does not go back by a movement that was taken back', async () => {
    const [first, last] = [newReference(), newReference()];
    const id = await unclear([
      [first, 600],
      [last, 634],
    ]);
    await takeBack(id, first, 600);
    const { id: caseId } = await caseOf(id, 'REFUND_ACCOUNT_UNCLEAR');
    assert.match(await refused('refund', caseId, '--movement', first), /Nothing of the/);
    await settled('refund', caseId, '--movement', last);
  });
});

describe('payreq doctor, after all of this', () => {
  it('finds that sums, refunds and ledger agree', async () => {
    const { checks } = (await runCli(['doctor', '--json'], production.service.env)).json();
    for (const name of ['money', 'day sums', 'payment requests', 'outbox', 'audited settings']) {
      const found = checks.find((each: { name: string }) => each.name === name);
      assert.equal(found?.ok, true, found?.message);
    }
  });
});
