import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { CASE_KINDS, SETTLEMENTS } from '#cases/model/case-kinds.ts';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import type { UnmatchedMoney } from '#e-transfer/network-money.ts';
import { OPERATOR_CASES } from '#telemetry/metrics/network-metrics.ts';
import { runCli } from '../commands/run-cli.ts';
import { createFakeNetwork, success } from '../support/payment-requests/fake-network.ts';
import { type Production, startProduction } from '../support/service/production.ts';

/** The sums of a payment request of which nothing went back. */
const NO_REFUNDS = { returnedCents: 0, refundingCents: 0, refundedCents: 0 };

const network = createFakeNetwork();
let production: Production;
let references = 0;

before(async () => {
  production = await startProduction({ makeNetwork: network.make });
});
after(() => production.stop());

const sql = <Row>(text: string, values?: unknown[]) =>
  production.service.database.sql<Row>(text, values);
const cases = (...args: string[]) => runCli(['cases', ...args, '--json'], production.service.env);
const newReference = () => `REF-${++references}`;

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

function report(paymentRequestId: string, outcome: NetworkOutcome) {
  return network.listener.report({ paymentRequestId, outcome, isRevocable: false });
}

function arrive(id: string, amountCents: number, networkReference = newReference()) {
  return report(id, success({ amountCents, networkReference }));
}

const movementOf = (amountCents: number, networkReference = newReference()) => ({
  networkReference,
  amountCents,
  bankReference: null,
  bookingDate: null,
});

function arrivePart(id: string, amountCents: number, networkReference = newReference()) {
  const movement = movementOf(amountCents, networkReference);
  return report(id, { state: 'PART_RECEIVED', currency: 'CAD', movement });
}

function unmatched(changes: Partial<UnmatchedMoney> = {}, amountCents = 1234) {
  return network.listener.reportUnmatched({
    kind: 'UNMATCHED_MONEY',
    merchantId: production.merchant.merchantId,
    paymentRequestId: null,
    currency: 'CAD',
    movement: movementOf(amountCents),
    institution: 'Other Bank',
    candidates: [],
    ...changes,
  });
}

/** The newest open case of the kind. */
async function openCase(kind: string): Promise<string> {
  const listed = (await cases('list')).json().cases;
  const found = listed.find((each: { kind: string }) => each.kind === kind);
  assert.ok(found, `an open case ${kind}`);
  return found.id;
}

/** The sum of a payment request's entries in the ledger. */
async function ledgerOf(id: string): Promise<number> {
  const [row] = await sql<{ cents: number }>(
    `SELECT coalesce(sum(amount_cents), 0)::int AS cents FROM ledger_entries
     WHERE payment_request_id = $1 AND type <> 'SECOND_PAYMENT'`,
    [id],
  );
  return row?.cents ?? 0;
}

const stored = async (id: string) =>
  (
    await sql<{ settlement: string; closed: boolean }>(
      'SELECT settlement, closed_at IS NOT NULL AS closed FROM operator_cases WHERE id = $1',
      [id],
    )
  )[0];
const refundsOf = (id: string) =>
  sql<{ amount: number; isOfPayment: boolean; reference: string; status: string; caseId: string }>(
    `SELECT amount_cents::int AS amount, is_of_payment AS "isOfPayment", status,
       movement_reference AS reference, operator_case_id AS "caseId"
     FROM refunds WHERE payment_request_id = $1 ORDER BY created_at, id`,
    [id],
  );

/** A payment request of 12.34 that is over, with parts of 4.00 and 5.00. */
async function makeParts(): Promise<{ id: string; caseId: string }> {
  const { id } = await production.createLink();
  await arrivePart(id, 400);
  await arrivePart(id, 500);
  await production.cancel(id);
  return { id, caseId: await openCase('PART_PAYMENT') };
}

describe('payreq cases accept', () => {
  it('makes a payment request PAID with the amount that truly arrived', async () => {
    const { id } = await production.createLink();
    await arrive(id, 1300);
    const caseId = await openCase('AMOUNT_MISMATCH');
    const result = await settled('accept', caseId, '--note', 'the merchant agrees');
    assert.deepEqual(result, {
      ...{ id: caseId, kind: 'AMOUNT_MISMATCH', settlement: 'ACCEPTED', outcome: 'PAID' },
      paymentRequestId: id,
    });
    const paid = await production.read(id);
    assert.equal(paid.status, 'PAID');
    assert.equal(paid.payment.amountReceived, 13);
    assert.equal(await ledgerOf(id), 1300);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
    assert.deepEqual(await stored(caseId), { settlement: 'ACCEPTED', closed: true });
  });

  it('is written to the audit log and the timeline', async () => {
    const { id } = await production.createLink();
    await arrive(id, 1);
    const caseId = await openCase('AMOUNT_MISMATCH');
    await settled('accept', caseId, '--note', 'enough');
    const [entry] = await sql<{ merchant_id: string; details: object }>(
      `SELECT merchant_id, details FROM audit_log
       WHERE action = 'OPERATOR_CASE_SETTLED' AND details ->> 'caseId' = $1`,
      [caseId],
    );
    assert.deepEqual(entry, {
      merchant_id: production.merchant.merchantId,
      details: {
        ...{ caseId, kind: 'AMOUNT_MISMATCH', settlement: 'ACCEPTED', outcome: 'PAID' },
        ...{ paymentRequestId: id, note: 'enough' },
        before: { status: 'CREATED', receivedCents: 0, ...NO_REFUNDS },
        after: { status: 'PAID', receivedCents: 1, ...NO_REFUNDS },
      },
    });
    const { json } = await production.call('GET', `/v1/payment-requests/${id}/timeline`);
    const entries = json.data.filter(({ type }: { type: string }) => type === 'CASE_SETTLED');
    assert.deepEqual(
      entries.map(({ kind, settlement }: Record<string, string>) => ({ kind, settlement })),
      [{ kind: 'AMOUNT_MISMATCH', settlement: 'ACCEPTED' }],
    );
    // Each entry is on one page, also where the pages part beside it.
    const types: string[] = [];
    let path: string | null = `/v1/payment-requests/${id}/timeline?limit=1`;
    while (path) {
      const page: { json: { data: { type: string }[]; nextCursor?: string | null } } =
        await production.call('GET', path);
      types.push(...page.json.data.map(({ type }) => type));
      const { nextCursor } = page.json;
      path = nextCursor ? `/v1/payment-requests/${id}/timeline?limit=1&cursor=${nextCursor}` : null;
    }
    assert.equal(types.filter((type) => type === 'CASE_SETTLED').length, 1);
  });

  it('settles a case once when two operators accept and refund it at once', async () => {
    const { id } = await production.createLink();
    await arrive(id, 2000);
    const caseId = await openCase('AMOUNT_MISMATCH');
    const runs = await Promise.all([
      cases('accept', caseId),
      cases('refund', caseId),
      cases('accept', caseId),
      cases('refund', caseId),
    ]);
    assert.deepEqual(runs.map(({ exitCode }) => exitCode).sort(), [0, 1, 1, 1]);
    const isPaid = (await production.read(id)).status === 'PAID';
    assert.equal((await refundsOf(id)).length, isPaid ? 0 : 1);
  });

  it('takes parts of a payment request that is over as its payment', async () => {
    const { id, caseId } = await makeParts();
    await settled('accept', caseId);
    const paid = await production.read(id);
    assert.equal(paid.status, 'PAID');
    assert.equal(paid.paidLate, true);
    assert.equal(paid.payment.amountReceived, 9);
    assert.equal(await ledgerOf(id), 900);
    assert.deepEqual(await stored(caseId), { settlement: 'ACCEPTED', closed: true });
  });

  it('takes a refund that the merchant’s bank made as a COMPLETED refund', async () => {
    const { id } = await production.createLink();
    await arrive(id, 1234);
    const movement = { ...movementOf(200), bankReference: 'B-7', bookingDate: '2026-03-02' };
    await unmatched({ kind: 'REFUNDED_OUTSIDE', paymentRequestId: id, movement });
    const caseId = await openCase('REFUNDED_OUTSIDE');
    assert.equal((await settled('accept', caseId)).outcome, 'REFUND_RECORDED');
    const [refund] = await refundsOf(id);
    assert.equal(refund?.status, 'COMPLETED');
    assert.equal(refund?.amount, 200);
    assert.equal((await production.read(id)).refundSummary.amountRefunded, 2);
    assert.equal(await ledgerOf(id), 1034);
    const [entry] = await sql<{ bank_reference: string; day: string }>(
      `SELECT bank_reference, booking_date::text AS day FROM ledger_entries
       WHERE payment_request_id = $1 AND type = 'REFUND'`,
      [id],
    );
    assert.deepEqual(entry, { bank_reference: 'B-7', day: '2026-03-02' });
  });

  it('refuses money on the account of another merchant', async () => {
    const { merchantId } = await production.service.createMerchant({ name: 'Other' });
    const { id } = await production.createLink();
    await unmatched({ kind: 'WRONG_ACCOUNT', merchantId, paymentRequestId: id });
    const caseId = await openCase('WRONG_ACCOUNT');
    assert.match(await refused('accept', caseId), /on the account of another merchant/);
    assert.match(await refused('refund', caseId), /on the account of the merchant "/);
    assert.equal((await production.read(id)).status, 'CREATED');
    assert.deepEqual(await stored(caseId), { settlement: null, closed: false });
    await settled('close', caseId, '--note', 'given back at the bank');
  });
});

describe('payreq cases assign', () => {
  it('makes PAID with an exact sum, and moves the money in the ledger', async () => {
    await unmatched();
    const caseId = await openCase('UNMATCHED_MONEY');
    const { id } = await production.createLink();
    const result = await settled('assign', caseId, '--payment-request', id);
    assert.equal(result.outcome, 'PAID');
    assert.equal((await production.read(id)).status, 'PAID');
    const entries = await sql<{ type: string; amount: number; id: string | null }>(
      `SELECT type, amount_cents::int AS amount, payment_request_id AS id FROM ledger_entries
       WHERE network_reference = $1 ORDER BY position`,
      [`REF-${references}`],
    );
    assert.deepEqual(entries, [
      { type: 'UNMATCHED', amount: 1234, id: null },
      { type: 'ASSIGNED', amount: -1234, id: null },
      { type: 'ASSIGNED', amount: 1234, id },
    ]);
    assert.match(
      await refused('assign', caseId, '--payment-request', id),
      /No open case has the id .*: it was settled before \(ASSIGNED\)/,
    );
  });

  it('keeps less as a part, and more as a case that can be accepted', async () => {
    const { id } = await production.createLink();
    await unmatched({}, 234);
    const part = await settled(
      ...['assign', await openCase('UNMATCHED_MONEY'), '--payment-request', id],
    );
    assert.equal(part.outcome, 'PART');
    await unmatched({}, 5000);
    const more = await settled(
      ...['assign', await openCase('UNMATCHED_MONEY'), '--payment-request', id],
    );
    assert.equal(more.outcome, 'MISMATCH');
    assert.equal((await production.read(id)).status, 'CREATED');
    await settled('accept', await openCase('AMOUNT_MISMATCH'));
    assert.equal((await production.read(id)).payment.amountReceived, 52.34);
    assert.equal(await ledgerOf(id), 5234);
  });

  it('gives money of no merchant to any payment request, else to its own merchant’s', async () => {
    const { merchantId } = await production.service.createMerchant({ name: 'Third' });
    await unmatched({ merchantId });
    const foreign = await openCase('UNMATCHED_MONEY');
    const { id } = await production.createLink();
    const sentence = await refused('assign', foreign, '--payment-request', id);
    assert.match(sentence, /belongs to another merchant than the money/);
    assert.deepEqual(await stored(foreign), { settlement: null, closed: false });
    await unmatched({ merchantId: null, kind: 'AMBIGUOUS_REFERENCE' });
    const nobodys = await openCase('AMBIGUOUS_REFERENCE');
    assert.equal((await settled('assign', nobodys, '--payment-request', id)).outcome, 'PAID');
    await settled('close', foreign, '--note', 'x');
  });

  it('refuses a payment request that is PAID or unknown', async () => {
    const { id } = await production.createLink();
    await arrive(id, 1234);
    await unmatched();
    const caseId = await openCase('UNMATCHED_MONEY');
    assert.match(await refused('assign', caseId, '--payment-request', id), /PAID already/);
    const unknown = randomUUID();
    assert.match(
      await refused('assign', caseId, '--payment-request', unknown),
      new RegExp(`There is no payment request ${unknown}`),
    );
    assert.match(
      await refused('assign', caseId, '--payment-request', 'x'),
      /must be an id, a UUID/,
    );
    await settled('close', caseId, '--note', 'x');
  });
});

describe('payreq cases refund', () => {
  it('gives exactly the second payment back, and leaves the sums of the first', async () => {
    const { id } = await production.createLink();
    await arrive(id, 1234);
    await arrive(id, 1234);
    const caseId = await openCase('SECOND_PAYMENT');
    await settled('refund', caseId);
    const reference = `REF-${references}`;
    assert.deepEqual(await refundsOf(id), [
      { amount: 1234, isOfPayment: false, reference, status: 'CREATED', caseId },
    ]);
    const { refundSummary } = await production.read(id);
    assert.equal(refundSummary.amountAvailable, 12.34);
    assert.match(await refused('refund', caseId), /settled before \(REFUNDED\)/);
  });

  it('can be repeated after the refund has failed, and not before', async () => {
    const { id } = await production.createLink();
    await arrive(id, 1234);
    await arrive(id, 1234);
    const caseId = await openCase('SECOND_PAYMENT');
    await settled('refund', caseId);
    const [refund] = await sql<{ id: string }>(
      'SELECT id FROM refunds WHERE payment_request_id = $1',
      [id],
    );
    const outcome = { state: 'FAILED', reason: 'PAYER_ACCOUNT_UNKNOWN' } as const;
    await reportRefund(refund?.id ?? '', outcome);
    await settled('refund', caseId);
    assert.deepEqual((await refundsOf(id)).map(({ status }) => status).sort(), [
      'CREATED',
      'FAILED',
    ]);
  });

  it('gives each part back to its own account, and nothing of it can be accepted then', async () => {
    const { id, caseId } = await makeParts();
    await settled('refund', caseId);
    const refunds = await refundsOf(id);
    assert.deepEqual(
      refunds.map(({ amount, isOfPayment }) => ({ amount, isOfPayment })),
      [
        { amount: 400, isOfPayment: true },
        { amount: 500, isOfPayment: true },
      ],
    );
    assert.equal(new Set(refunds.map(({ reference }) => reference)).size, 2);
    assert.match(await refused('accept', caseId), /settled before \(REFUNDED\)/);
  });

  it('counts no part that went back, when the rest arrives', async () => {
    const { id, caseId } = await makeParts();
    const [first, second] = [`REF-${references - 1}`, `REF-${references}`];
    await settled('refund', caseId);
    const movements = [movementOf(400, first), movementOf(500, second), movementOf(334)];
    const networkReference = movements.at(-1)?.networkReference ?? '';
    await report(id, success({ amountCents: 1234, networkReference, movements }));
    assert.equal((await production.read(id)).status, 'CANCELLED');
    const late = await openCase('PART_PAYMENT');
    const { details } = (await cases('show', late)).json();
    assert.deepEqual([details.askedCents, details.receivedCents], [1234, 334]);
    await settled('refund', late);
    const amounts = (await refundsOf(id)).map(({ amount }) => amount);
    assert.deepEqual(amounts.sort(), [334, 400, 500]);
  });

  it('gives money that no case accepted back once, whichever case names it', async () => {
    const { id } = await production.createLink();
    await arrive(id, 2000, 'TWICE');
    const first = await openCase('AMOUNT_MISMATCH');
    const movements = [movementOf(2000, 'TWICE'), movementOf(100, 'OTHER')];
    await report(id, success({ amountCents: 2100, networkReference: 'OTHER', movements }));
    await settled('refund', first);
    const second = await openCase('AMOUNT_MISMATCH');
    assert.notEqual(second, first);
    await settled('refund', second);
    assert.match(await refused('accept', second), /settled before/);
    const amounts = (await refundsOf(id)).map(({ amount }) => amount);
    assert.deepEqual(amounts.sort(), [100, 2000]);
  });
});

async function reportRefund(refundId: string, outcome: Parameters<typeof report>[1] | object) {
  await network.listener.reportRefunds([{ refundId, outcome } as never]);
}

describe('a case', () => {
  for (const kind of OPERATOR_CASES) {
    it(`allows only the settlements of its kind: ${kind}`, async () => {
      const id = randomUUID();
      await sql(
        `INSERT INTO operator_cases (id, kind, details, opened_at)
         VALUES ($1, $2, $3, service_now())`,
        [id, kind, JSON.stringify({ networkReference: id })],
      );
      const { allows, meaning } = CASE_KINDS[kind];
      for (const settlement of ['ACCEPTED', 'ASSIGNED', 'REFUNDED'] as const) {
        const target = settlement === 'ASSIGNED' ? ['--payment-request', randomUUID()] : [];
        const sentence = await refused(SETTLEMENTS[settlement], id, ...target);
        const isAllowed = allows.includes(settlement);
        assert.equal(/cannot be settled by/.test(sentence), !isAllowed, sentence);
        assert.equal(sentence.includes(meaning), !isAllowed);
      }
      const shown = (await cases('show', id)).json();
      assert.deepEqual(
        shown.settlements,
        [...allows, 'CLOSED' as const].map((each) => SETTLEMENTS[each]),
      );
      assert.deepEqual(await stored(id), { settlement: null, closed: false });
      await settled('close', id, '--note', 'done');
      assert.deepEqual(await stored(id), { settlement: 'CLOSED', closed: true });
    });
  }

  it('is shown in words with its meaning, and refused when unknown', async () => {
    const { id } = await production.createLink();
    await arrive(id, 1);
    const ran = await runCli(
      ['cases', 'show', await openCase('AMOUNT_MISMATCH')],
      production.service.env,
    );
    assert.match(ran.stdout, /Meaning +Another amount has arrived/);
    assert.match(ran.stdout, /Settle it by +accept, refund, split, close/);
    assert.match(await refused('show', randomUUID()), /No case has the id/);
    assert.match(await refused('accept', 'x'), /No open case has the id x/);
  });
});

describe('payreq doctor, after all of these settlements', () => {
  it('finds that sums, refunds, ledger and timeline agree', async () => {
    const ran = await runCli(['doctor', '--json'], production.service.env);
    const { checks } = ran.json();
    for (const name of ['money', 'day sums', 'payment requests', 'outbox', 'audited settings']) {
      const found = checks.find((each: { name: string }) => each.name === name);
      assert.equal(found?.ok, true, found?.message);
      assert.equal(found?.warning, undefined, found?.message);
    }
  });
});
