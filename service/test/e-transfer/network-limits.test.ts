import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import {
  createFakeNetwork,
  type FakeNetwork,
  type FakeNetworkOptions,
  success,
} from '../support/payment-requests/fake-network.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

const DAY = 86_400;
const IBAN = 'DE89370400440532013000';

let network: FakeNetwork;
let production: Production;

/** Production with a network that states these times and limits. */
async function start(options: FakeNetworkOptions): Promise<void> {
  network = createFakeNetwork(options);
  production = await startProduction({ makeNetwork: network.make });
}

function create(fields: Readonly<Record<string, unknown>> = {}) {
  return production.call('POST', '/v1/payment-requests', {
    body: {
      amount: 12.34,
      type: 'ECOMM',
      payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
      ...fields,
    },
  });
}

/** An instant so many seconds after now. */
function ahead(seconds: number): string {
  return new Date(production.service.clock.now().getTime() + seconds * 1_000).toISOString();
}

describe('the times of a network', () => {
  after(() => production.stop());

  it('give the default and the longest expiry, and a default is clamped', async () => {
    await start({ times: { defaultExpirySeconds: 7 * DAY, longestExpirySeconds: 90 * DAY } });
    const { json } = await create();
    assert.equal(json.expiryDateTime, ahead(7 * DAY));
    const due = await create({ dueDate: ahead(200 * DAY).slice(0, 10) });
    assert.equal(due.json.expiryDateTime, ahead(90 * DAY));
    const most = await create({ expiryDateTime: ahead(90 * DAY) });
    assert.equal(most.status, 201);
  });

  it('refuse an expiry that was sent beyond them, also in an update', async () => {
    const { json: found } = await create();
    const expiryDateTime = ahead(90 * DAY + 1);
    const path = `/v1/payment-requests/${found.id}`;
    const patch = { body: { expiryDateTime } };
    for (const refused of [
      await create({ expiryDateTime }),
      await production.call('PATCH', path, patch),
    ]) {
      assert.equal(refused.status, 400);
      assert.deepEqual(refused.json.errors, [
        {
          field: 'expiryDateTime',
          pointer: '/expiryDateTime',
          code: 'TOO_HIGH',
          message: 'Give expiryDateTime 5 minutes to 90 days ahead.',
        },
      ]);
    }
  });

  it('clamp the default of an update that takes the expiry away', async () => {
    const { json: found } = await create({ expiryDateTime: ahead(30 * DAY) });
    await production.service.advance(7 * DAY);
    const path = `/v1/payment-requests/${found.id}`;
    const updated = await production.call('PATCH', path, { body: { expiryDateTime: null } });
    assert.equal(updated.status, 200, updated.text);
    assert.equal(updated.json.expiryDateTime, ahead(300));
  });
});

describe('the slowest settlement of a network', () => {
  after(() => production.stop());

  it('keeps PROCESSING for as long', async () => {
    await start({ times: { slowestSettlementSeconds: 10 * DAY } });
    const link = await production.createLink();
    await createPayer(production.service).request(link.paymentLink);
    const outcome = { state: 'ACCEPTED' } as const;
    await network.listener.report({ paymentRequestId: link.id, outcome, isRevocable: false });
    network.states.set(link.id, outcome);
    const asks = () => network.calls.filter((call) => call === `ask ${link.id}`).length;
    for (const [days, status] of [
      [4, 'PROCESSING'],
      [5, 'PROCESSING'],
      [2, 'FAILED'],
    ] as const) {
      const before = asks();
      await production.service.advance(days * DAY);
      await eventually(() => asks() > before, 'a poll');
      const planned = `SELECT FROM network_requests WHERE next_look_at > service_now()
        AND next_look_at <> service_now() + interval '90 seconds'`;
      if (status === 'PROCESSING') {
        await eventually(async () => {
          return (await production.service.database.sql(planned)).length === 1;
        }, 'the poll written');
      }
      const reached = async () => (await production.read(link.id)).status === status;
      await eventually(reached, status);
    }
  });
});

describe('the limits of a network', () => {
  after(() => production.stop());

  it('refuse a higher amount at creation, and name the field', async () => {
    await start({ limits: { highestAmountCents: 50_000 } });
    const refused = await create({ amount: 500.01 });
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.json.errors, [
      {
        field: 'amount',
        pointer: '/amount',
        code: 'TOO_HIGH',
        message: 'Give amount as at most 500.00.',
      },
    ]);
    assert.equal((await create({ amount: 500 })).status, 201);
  });
});

describe('a network that does not carry the currency', () => {
  after(() => production.stop());

  it('refuses each creation, and names the field', async () => {
    await start({ limits: { currencies: ['EUR'] } });
    const refused = await create();
    assert.equal(refused.status, 400);
    const [{ field, code }] = refused.json.errors;
    assert.deepEqual([field, code], ['currency', 'INVALID_VALUE']);
  });
});

describe('a network that needs an account of the merchant', () => {
  after(() => production.stop());

  it('gets it with the request, and a merchant without one cannot create', async () => {
    await start({ limits: { needsCreditorAccount: true } });
    const refused = await create();
    assert.deepEqual([refused.status, refused.json.code], [409, 'NO_CREDITOR_ACCOUNT']);
    const set = ['merchant', 'set-account', '--merchant', production.merchant.merchantId];
    const account = ['--holder', 'Harbour Books Ltd', '--iban', IBAN];
    const ran = await runCli([...set, ...account], production.service.env);
    assert.equal(ran.exitCode, 0, ran.stderr);
    const link = await production.createLink();
    await createPayer(production.service).request(link.paymentLink);
    const { creditorAccount, merchantId, payer } = network.requests.get(link.id) ?? {};
    assert.deepEqual(
      [creditorAccount?.holder, creditorAccount?.accountNumber, merchantId, payer?.email],
      ['Harbour Books Ltd', IBAN, production.merchant.merchantId, 'ada@example.com'],
    );
  });
});

describe('a network that cannot prevent a payment', () => {
  after(() => production.stop());

  it('is asked once after the end, and money that comes is paid late', async () => {
    await start({ cancellation: 'CANNOT_PREVENT' });
    const link = await production.createLink();
    await createPayer(production.service).request(link.paymentLink);
    await production.cancel(link.id);
    const planned = async () => {
      const rows = await production.service.database.sql<{ planned: boolean }>(
        'SELECT next_look_at IS NOT NULL AS planned FROM network_requests',
      );
      return rows[0]?.planned;
    };
    await production.service.advance(1);
    await eventually(async () => (await planned()) === false, 'no more polls');
    assert.equal(network.calls.filter((call) => call === `cancel ${link.id}`).length, 1);
    const report = { paymentRequestId: link.id, outcome: success(), isRevocable: false };
    assert.equal(await network.listener.report(report), 'TAKEN');
    const { status, paidLate } = await production.read(link.id);
    assert.deepEqual([status, paidLate], ['PAID', true]);
  });
});
