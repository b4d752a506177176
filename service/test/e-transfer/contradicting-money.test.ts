import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import { runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import {
  createFakeNetwork,
  type FakeNetwork,
  success,
} from '../support/payment-requests/fake-network.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

const HOUR_SECONDS = 3_600;

let network: FakeNetwork;
let production: Production;

beforeEach(async () => {
  network = createFakeNetwork();
  production = await startProduction({ makeNetwork: network.make });
});
afterEach(() => production.stop());

/** A payment request whose link was opened, so that the network knows it. */
async function openedLink() {
  const link = await production.createLink();
  await createPayer(production.service).request(link.paymentLink);
  return link;
}

function report(paymentRequestId: string, outcome: NetworkOutcome, isRevocable = false) {
  return network.listener.report({ paymentRequestId, outcome, isRevocable });
}

async function casesOf(id: string): Promise<string[]> {
  const rows = await production.service.database.sql<{ kind: string }>(
    'SELECT kind FROM operator_cases WHERE payment_request_id = $1 ORDER BY kind',
    [id],
  );
  return rows.map(({ kind }) => kind);
}

/** How often operators were alerted: by the counter and by the log. */
async function alertsOf(kind: string): Promise<{ counted: number; logged: number }> {
  const { service } = production;
  const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
  const pattern = new RegExp(`operator_cases_opened_total\\{[^}]*kind="${kind}"[^}]*\\} (\\d+)`);
  const lines = service.logLines.filter(
    (line) => line.msg === 'operator case opened' && line.kind === kind,
  );
  return { counted: Number(pattern.exec(metrics)?.[1]), logged: lines.length };
}

describe('a second report with the network reference that paid a request', () => {
  for (const [kind, changes] of [
    ['AMOUNT_MISMATCH', { amountCents: 999_999 }],
    ['CURRENCY_MISMATCH', { currency: 'USD' }],
  ] as const) {
    for (const isRevocable of [false, true]) {
      const which = isRevocable ? 'that can be taken back' : 'that is final';
      it(`opens one ${kind} however often it comes, of money ${which}`, async () => {
        const { id } = await openedLink();
        assert.equal(await report(id, success()), 'TAKEN');
        for (let time = 0; time < 3; time++) {
          assert.equal(await report(id, success(changes), isRevocable), 'NOT_TAKEN');
        }
        assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
        assert.deepEqual(await casesOf(id), [kind]);
        assert.deepEqual(await alertsOf(kind), { counted: 1, logged: 1 });
        assert.equal(await report(id, success()), 'TAKEN');
      });
    }
  }

  it('opens one case when ten of them come together', async () => {
    const { id } = await openedLink();
    await report(id, success());
    const reports = Array.from({ length: 10 }, () => report(id, success({ amountCents: 1 })));
    assert.deepEqual(new Set(await Promise.all(reports)), new Set(['NOT_TAKEN']));
    assert.deepEqual(await casesOf(id), ['AMOUNT_MISMATCH']);
    assert.deepEqual(await alertsOf('AMOUNT_MISMATCH'), { counted: 1, logged: 1 });
  });
});

describe('equal reports of money that cannot be the payment asked for', () => {
  it('are one row, one count and one line of the log, before and after PAID', async () => {
    const { id } = await openedLink();
    const wrong = success({ amountCents: 1233, networkReference: 'REF-0' });
    for (let time = 0; time < 3; time++) await report(id, wrong);
    await report(id, success());
    for (let time = 0; time < 3; time++) await report(id, wrong);
    assert.deepEqual(await casesOf(id), ['AMOUNT_MISMATCH']);
    assert.deepEqual(await alertsOf('AMOUNT_MISMATCH'), { counted: 1, logged: 1 });
  });

  it('are one row of an unknown payment request, from twenty transactions at once', async () => {
    const unknown = '01890000-0000-7000-8000-000000000000';
    await Promise.all(Array.from({ length: 20 }, () => report(unknown, success())));
    const rows = await production.service.database.sql('SELECT FROM operator_cases');
    assert.equal(rows.length, 1);
    assert.deepEqual(await alertsOf('UNKNOWN_PAYMENT_REQUEST'), { counted: 1, logged: 1 });
  });
});

describe('a network reference for two payment requests', () => {
  it('pays the first, and is a case of the second, which may still be paid', async () => {
    const [first, second] = [await openedLink(), await openedLink()];
    assert.equal(await report(first.id, success()), 'TAKEN');
    for (let time = 0; time < 3; time++) {
      assert.equal(await report(second.id, success()), 'NOT_TAKEN');
    }
    assert.deepEqual(await production.statusesOf(first.id), ['CREATED', 'PAID']);
    assert.deepEqual(await production.statusesOf(second.id), ['CREATED']);
    assert.deepEqual(await casesOf(first.id), []);
    assert.deepEqual(await casesOf(second.id), ['REFERENCE_REUSED']);
    assert.deepEqual(await alertsOf('REFERENCE_REUSED'), { counted: 1, logged: 1 });
    assert.equal(await report(second.id, success({ networkReference: 'REF-2' })), 'TAKEN');
  });

  it('pays one of those whose reports come together in one transaction', async () => {
    const links = await Promise.all(Array.from({ length: 10 }, () => production.createLink()));
    const verdicts = await Promise.all(links.map(({ id }) => report(id, success())));
    assert.deepEqual(verdicts, ['TAKEN', ...Array(9).fill('NOT_TAKEN')]);
    assert.deepEqual(await alertsOf('REFERENCE_REUSED'), { counted: 9, logged: 9 });
  });

  it('pays one of those whose reports come in transactions of their own', async () => {
    const links = await Promise.all(Array.from({ length: 10 }, () => openedLink()));
    for (const { id } of links) network.states.set(id, success());
    // The loop asks about all of them, four at a time.
    await production.service.advance(120);
    await eventually(async () => {
      const cases = await Promise.all(links.map(({ id }) => casesOf(id)));
      return cases.flat().length === 9;
    }, 'nine cases');
    const statuses = await Promise.all(
      links.map(async ({ id }) => (await production.read(id)).status),
    );
    assert.equal(statuses.filter((status) => status === 'PAID').length, 1);
  });
});

describe('a PROCESSING request for which other money than asked for has arrived', () => {
  async function processingWithCase(): Promise<{ id: string; caseId: string }> {
    const { id } = await openedLink();
    await report(id, { state: 'ACCEPTED' });
    network.states.set(id, { state: 'ACCEPTED' });
    assert.equal(await report(id, success({ amountCents: 1233 })), 'NOT_TAKEN');
    const [row] = await production.service.database.sql<{ id: string }>(
      "SELECT id FROM operator_cases WHERE kind = 'AMOUNT_MISMATCH'",
    );
    return { id, caseId: row?.id ?? '' };
  }

  /** Hours pass, in steps in which the loop looks. */
  async function hoursPass(id: string, hours: number): Promise<void> {
    for (let passed = 0; passed < hours; passed += 8) {
      const count = () => network.calls.filter((call) => call === `ask ${id}`).length;
      const before = count();
      await production.service.advance(8 * HOUR_SECONDS);
      await eventually(() => count() > before, 'a look');
      await eventually(async () => {
        const due = await production.service.database.sql(
          `SELECT FROM network_requests
           WHERE payment_request_id = $1 AND (next_look_at <= service_now()
             OR next_look_at = service_now() + interval '90 seconds')`,
          [id],
        );
        return due.length === 0;
      }, 'the look written');
    }
  }

  it('stays PROCESSING beyond 72 h until the case is closed, and then ends', async () => {
    const { id, caseId } = await processingWithCase();
    await hoursPass(id, 96);
    assert.equal((await production.read(id)).status, 'PROCESSING');
    assert.equal(
      await report(id, { state: 'REFUSED', reason: 'NETWORK_TIMEOUT' }),
      'NOT_TAKEN',
      'not even the network fails it',
    );
    const close = ['cases', 'close', caseId, '--note', 'sent back'];
    const closed = await runCli(close, production.service.env);
    assert.equal(closed.exitCode, 0, closed.stderr);
    await production.service.advance(HOUR_SECONDS);
    await eventually(async () => (await production.read(id)).status === 'FAILED', 'FAILED');
    assert.equal((await production.read(id)).statusReason.code, 'NETWORK_TIMEOUT');
  });

  it('becomes PAID when the right money arrives while the case is open', async () => {
    const { id } = await processingWithCase();
    assert.equal(await report(id, success({ networkReference: 'REF-2' })), 'TAKEN');
    assert.equal((await production.read(id)).status, 'PAID');
  });
});
