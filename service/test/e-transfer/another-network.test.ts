import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import pg from 'pg';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import { eventually } from '../support/eventually.ts';
import { sampleOf } from '../support/metric-samples.ts';
import {
  createFakeNetwork,
  type FakeNetwork,
  success,
} from '../support/payment-requests/fake-network.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import {
  type Production,
  type ProductionOptions,
  startProduction,
} from '../support/service/production.ts';

const HOUR_SECONDS = 3_600;

let network: FakeNetwork;
let production: Production;
let shared: { readonly network: FakeNetwork; readonly production: Production };

/** For a test that changes what the payment requests of other tests have, too. */
async function startOwn(options?: ProductionOptions): Promise<void> {
  network = createFakeNetwork();
  production = await startProduction({ makeNetwork: network.make, ...options });
}

before(async () => {
  await startOwn();
  shared = { network, production };
});
afterEach(async () => {
  if (production !== shared.production) await production.stop();
  ({ network, production } = shared);
  network.behave('WELL');
});
after(() => shared?.production.stop());

const openLink = (paymentLink: string) => createPayer(production.service).request(paymentLink);

/** A payment request whose link was opened, so that the network knows it. */
async function openedLink(fields?: Readonly<Record<string, unknown>>) {
  const link = await production.createLink(fields);
  await openLink(link.paymentLink);
  return link;
}

/** Money of a reference that no other payment request has. */
const paid = (id: string, changes: Parameters<typeof success>[0] = {}) =>
  success({ networkReference: `REF ${id}`, ...changes });

const callsOf = (id: string) => network.calls.filter((call) => call.endsWith(` ${id}`));

function report(paymentRequestId: string, outcome: NetworkOutcome, isRevocable = false) {
  return network.listener.report({ paymentRequestId, outcome, isRevocable });
}

async function statusBecomes(id: string, status: string): Promise<void> {
  await production.service.leap(0);
  await eventually(async () => (await production.read(id)).status === status, status);
}

async function casesOf(id: string | null): Promise<string[]> {
  const rows = await production.service.database.sql<{ kind: string }>(
    'SELECT kind FROM operator_cases WHERE payment_request_id IS NOT DISTINCT FROM $1::uuid',
    [id],
  );
  return rows.map(({ kind }) => kind);
}

/** How often operators were alerted of a kind of case: by the log and by the counter. */
async function alertsOf(kind: string): Promise<number[]> {
  const { logLines, opsUrl } = production.service;
  const alerts = logLines.filter((line) => line.level === 'error' && line.kind === kind);
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  const pattern = new RegExp(`operator_cases_opened_total\\{[^}]*kind="${kind}"[^}]*\\} (\\d+)`);
  return [alerts.length, Number(pattern.exec(metrics)?.[1] ?? 0)];
}

/** Waits for a call to the network, and until what its answer means is written. */
async function called(call: string, id: string, times = 1): Promise<void> {
  const count = () => network.calls.filter((each) => each === `${call} ${id}`).length;
  // The loops look now: their own next look is seconds away.
  await production.service.leap(0);
  await eventually(() => count() >= times, `${times} × ${call}`);
  await lookWritten(id);
}

/**
 * Waits until nobody is about to look at a request or just at it, under the lease of 90 s: the
 * clock, which stands still, may then be moved.
 */
async function lookWritten(id: string): Promise<void> {
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

describe('another network in place of the simulated one', () => {
  it('learns of a request when its link is first opened, and where the payer goes is its affair', async () => {
    const link = await production.createLink({ payer: { name: 'A', email: 'a@b.ca' } });
    assert.deepEqual(callsOf(link.id), []);
    const answer = await openLink(link.paymentLink);
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `https://network.example/${link.id}`);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const told = network.requests.get(link.id);
    assert.match(told?.decisionProof ?? '', /^[\w-]{22}$/);
    assert.deepEqual(told, {
      decisionProof: told?.decisionProof,
      paymentRequestId: link.id,
      merchantId: told?.merchantId,
      payer: { name: 'A', email: 'a@b.ca', mobileNumber: null },
      creditorAccount: null,
      amountCents: 1234,
      currency: 'CAD',
      merchantName: 'Harbour Books',
      merchantProfile: {
        displayName: null,
        logoUrl: null,
        accentColour: null,
        supportEmail: null,
        supportPhone: null,
        website: null,
      },
      merchantReturnUrl: null,
      displayMessage: 'Two books',
      invoiceNumber: 'INV-77',
      expiresAt: new Date((await production.read(link.id)).expiryDateTime),
      preferredLanguage: null,
      paymentLink: link.paymentLink,
      qrCodeLink: link.qrCodeLink,
      returnUrl: `${link.paymentLink}?returned=1`,
    });
  });

  it('proves which browser was refused, also after the payment was in progress', async () => {
    const { id, paymentLink } = await openedLink();
    const proof = network.requests.get(id)?.decisionProof ?? '';
    await report(id, { state: 'ACCEPTED' });
    await report(id, { state: 'REFUSED', reason: 'INSUFFICIENT_FUNDS' });
    for (const [query, isTold] of [
      [`returned=1&decision=REF-1&proof=${proof}`, true],
      ['returned=1&decision=REF-1', false],
      [`returned=1&proof=${proof}`, false],
    ] as const) {
      const page = await createPayer(production.service).open(`${paymentLink}?${query}`);
      assert.equal(/not enough money/.test(page.text), isTold, query);
    }
  });

  it('is asked once, however often the link is opened', async () => {
    const { id, paymentLink } = await production.createLink();
    for (let time = 0; time < 5; time++) await openLink(paymentLink);
    assert.deepEqual(callsOf(id), [`create ${id}`]);
  });

  it('hears of nothing when a page is fetched for nobody to see', async () => {
    const { id, paymentLink } = await production.createLink();
    for (const name of ['sec-purpose', 'purpose']) {
      const headers = { [name]: 'prefetch;prerender' };
      const answer = await createPayer(production.service).request(paymentLink, { headers });
      assert.equal(answer.status, 503);
    }
    assert.deepEqual(callsOf(id), []);
  });

  it('learns of a change when the payer opens the link again, without a background loop', async () => {
    await startOwn({ roles: ['api'] });
    const { id, paymentLink } = await openedLink();
    const body = { displayMessage: 'Three books' };
    await production.call('PATCH', `/v1/payment-requests/${id}`, { body });
    assert.equal(network.requests.get(id)?.displayMessage, 'Two books');
    await openLink(paymentLink);
    assert.equal(network.requests.get(id)?.displayMessage, 'Three books');
  });

  it('hears of what the merchant changes, without the payer', async () => {
    const { id } = await openedLink();
    const body = { displayMessage: 'Three books' };
    await production.call('PATCH', `/v1/payment-requests/${id}`, { body });
    await called('create', id, 2);
    assert.equal(network.requests.get(id)?.displayMessage, 'Three books');
  });

  for (const how of ['DOWN', 'NEVER', 'NONSENSE'] as const) {
    it(`costs no request while it is ${how}: creation goes on, and the payer’s page offers another try`, async () => {
      network.behave(how);
      const { id, paymentLink } = await production.createLink();
      const payer = createPayer(production.service);
      const page = await payer.open(paymentLink);
      assert.equal(page.status, 503);
      assert.equal(page.headers.get('retry-after'), '10');
      assert.equal(page.title, 'The payment page is not answering');
      assert.match(page.text, /No money was taken, and your link is still good/);
      network.behave('WELL');
      const answer = await payer.request(paymentLink);
      assert.equal(answer.headers.get('location'), `https://network.example/${id}`);
    });
  }

  it('goes down after it has answered, and payers still find their way', async () => {
    const { id, paymentLink } = await openedLink();
    network.behave('DOWN');
    const body = { displayMessage: 'Three books' };
    await production.call('PATCH', `/v1/payment-requests/${id}`, { body });
    const answer = await openLink(paymentLink);
    assert.equal(answer.headers.get('location'), `https://network.example/${id}`);
  });
});

describe('reports of a network', () => {
  it('make PAID once, however often they come', async () => {
    const { id } = await openedLink();
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => report(id, paid(id))));
    assert.deepEqual(new Set(verdicts), new Set(['TAKEN']));
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
  });

  it('are harmless in the wrong order', async () => {
    const { id } = await openedLink();
    assert.equal(await report(id, paid(id)), 'TAKEN');
    assert.equal(await report(id, { state: 'ACCEPTED' }), 'TAKEN');
    assert.equal(await report(id, { state: 'REFUSED', reason: 'NETWORK_REJECTED' }), 'NOT_TAKEN');
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
  });

  it('make PROCESSING, then FAILED with the reason', async () => {
    const { id } = await openedLink();
    assert.equal(await report(id, { state: 'ACCEPTED' }), 'TAKEN');
    assert.equal(await report(id, { state: 'ACCEPTED' }), 'TAKEN');
    assert.equal(await report(id, { state: 'REFUSED', reason: 'SUSPECTED_FRAUD' }), 'TAKEN');
    assert.equal(await report(id, { state: 'REFUSED', reason: 'SUSPECTED_FRAUD' }), 'TAKEN');
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PROCESSING', 'FAILED']);
    assert.equal((await production.read(id)).statusReason.code, 'SUSPECTED_FRAUD');
  });

  it('make PAID late when the money arrived, unless it can be taken back', async () => {
    const { id } = await openedLink();
    await production.cancel(id);
    assert.equal(await report(id, paid(id), true), 'NOT_TAKEN');
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'CANCELLED']);
    assert.equal(await report(id, paid(id)), 'TAKEN');
    const late = await production.read(id);
    assert.equal(late.status, 'PAID');
    assert.equal(late.paidLate, true);
  });

  it('write down an expiry that has passed before they are refused', async () => {
    await startOwn();
    const { id } = await openedLink();
    production.service.clock.advance(25 * HOUR_SECONDS * 1_000);
    assert.equal(await report(id, paid(id), true), 'NOT_TAKEN');
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'EXPIRED']);
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-FAILED']);
  });

  it('cannot pay the open link of a suspended merchant, and still end what is in progress', async () => {
    await startOwn();
    const [open, inProgress] = [await openedLink(), await openedLink()];
    await report(inProgress.id, { state: 'ACCEPTED' });
    const { sql } = production.service.database;
    await sql("UPDATE merchants SET status = 'SUSPENDED', suspended_at = now()");
    assert.equal(await report(open.id, success(), true), 'NOT_TAKEN');
    assert.equal(await report(inProgress.id, success(), true), 'TAKEN');
    const rows = await sql('SELECT id, status FROM payment_requests ORDER BY created_at, id');
    assert.deepEqual(rows, [
      { id: open.id, status: 'CREATED' },
      { id: inProgress.id, status: 'PAID' },
    ]);
  });

  for (const [money, kind, changes] of [
    ['one cent less', 'AMOUNT_MISMATCH', { amountCents: 1233 }],
    ['one cent more', 'AMOUNT_MISMATCH', { amountCents: 1235 }],
    ['another currency', 'CURRENCY_MISMATCH', { currency: 'USD' }],
  ] as const) {
    it(`with ${money} open one operator case with an alert and never make PAID`, async () => {
      const alertsBefore = await alertsOf(kind);
      const { id } = await openedLink();
      for (let time = 0; time < 3; time++) {
        assert.equal(await report(id, paid(id, changes)), 'NOT_TAKEN');
      }
      assert.deepEqual(await production.statusesOf(id), ['CREATED']);
      assert.deepEqual(await casesOf(id), [kind]);
      const alertsAfter = alertsBefore.map((count) => count + 1);
      assert.deepEqual(await alertsOf(kind), alertsAfter);
      // The right amount may still come.
      const second = paid(id, { networkReference: `REF-2 ${id}` });
      assert.equal(await report(id, second), 'TAKEN');
    });
  }

  it('about a second payment, or about an unknown request, open operator cases', async () => {
    const { id } = await openedLink();
    await report(id, paid(id));
    const second = paid(id, { networkReference: `REF-2 ${id}` });
    assert.equal(await report(id, second), 'NOT_TAKEN');
    assert.deepEqual(await casesOf(id), ['SECOND_PAYMENT']);
    const unknown = '01890000-0000-7000-8000-000000000000';
    const casesBefore = await casesOf(null);
    assert.equal(await report(unknown, paid(unknown)), 'NOT_TAKEN');
    assert.equal(await report(unknown, paid(unknown)), 'NOT_TAKEN');
    assert.deepEqual(await casesOf(null), [...casesBefore, 'UNKNOWN_PAYMENT_REQUEST']);
  });
});

describe('reports that come together', () => {
  const UNKNOWN = '01890000-0000-7000-8000-000000000001';

  async function reportRuns(): Promise<{ readonly runs: number; readonly reports: number }> {
    const metrics = await (await fetch(`${production.service.opsUrl}/metrics`)).text();
    const read = (what: string) =>
      sampleOf(metrics, `database_batch_size_${what}{calls="report"}`) ?? 0;
    return { runs: read('count'), reports: read('sum') };
  }

  it('are one transaction, in which each sees the changes of those before it', async () => {
    const links = await Promise.all(Array.from({ length: 20 }, () => production.createLink()));
    const [first, second, ...others] = links.map(({ id }) => id) as [string, string, ...string[]];
    const before = await reportRuns();
    const verdicts = await Promise.all([
      report(first, { state: 'ACCEPTED' }),
      report(second, paid(second, { amountCents: 1, networkReference: `REF-1 ${second}` })),
      report(first, paid(first)),
      report(first, paid(first)),
      report(first, paid(first, { networkReference: `REF-2 ${first}` })),
      report(first, { state: 'REFUSED', reason: 'NETWORK_REJECTED' }),
      report(second, paid(second)),
      ...others.map((id) => report(id, paid(id))),
    ]);
    assert.deepEqual(verdicts.slice(0, 7), [
      'TAKEN',
      'NOT_TAKEN',
      'TAKEN',
      'TAKEN',
      'NOT_TAKEN',
      'NOT_TAKEN',
      'TAKEN',
    ]);
    assert.deepEqual(new Set(verdicts.slice(7)), new Set(['TAKEN']));
    const { runs, reports } = await reportRuns();
    assert.deepEqual([runs - before.runs, reports - before.reports], [1, verdicts.length]);
    assert.deepEqual(await production.statusesOf(first), ['CREATED', 'PROCESSING', 'PAID']);
    assert.deepEqual(await casesOf(first), ['SECOND_PAYMENT']);
    assert.deepEqual(await casesOf(second), ['AMOUNT_MISMATCH']);
    for (const id of [first, second, ...others]) {
      assert.equal((await production.read(id)).status, 'PAID');
      assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
    }
  });

  it('keep PROCESSING while money of the same batch waits for an operator', async () => {
    const { id } = await production.createLink();
    const before = (await reportRuns()).runs;
    const verdicts = await Promise.all([
      report(id, { state: 'ACCEPTED' }),
      report(id, paid(id, { amountCents: 1235 })),
      report(id, { state: 'REFUSED', reason: 'NETWORK_REJECTED' }),
    ]);
    assert.deepEqual(verdicts, ['TAKEN', 'NOT_TAKEN', 'NOT_TAKEN']);
    assert.equal((await reportRuns()).runs, before + 1);
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PROCESSING']);
    assert.deepEqual(await casesOf(id), ['AMOUNT_MISMATCH']);
  });

  it('keep PROCESSING for money that an earlier batch has held', async () => {
    const { id } = await production.createLink();
    assert.equal(await report(id, paid(id, { amountCents: 1235 })), 'NOT_TAKEN');
    const verdicts = await Promise.all([
      report(id, { state: 'ACCEPTED' }),
      report(id, { state: 'REFUSED', reason: 'NETWORK_REJECTED' }),
    ]);
    assert.deepEqual(verdicts, ['TAKEN', 'NOT_TAKEN']);
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PROCESSING']);
  });

  it('take back a payment of a suspended merchant, and end what is in progress', async () => {
    await startOwn();
    const [open, inProgress] = [await openedLink(), await openedLink()];
    await report(inProgress.id, { state: 'ACCEPTED' });
    const before = (await reportRuns()).runs;
    const { sql } = production.service.database;
    await sql("UPDATE merchants SET status = 'SUSPENDED', suspended_at = now()");
    const verdicts = await Promise.all(
      [open, inProgress].map(({ id }) => report(id, paid(id), true)),
    );
    assert.deepEqual(verdicts, ['NOT_TAKEN', 'TAKEN']);
    assert.equal((await reportRuns()).runs, before + 1);
    const over = await sql(
      'SELECT payment_request_id AS id FROM network_requests WHERE payment_over_at IS NOT NULL',
    );
    assert.deepEqual(over, [{ id: open.id }]);
  });

  it('write a passed expiry before the late money', async () => {
    await startOwn();
    const links = await Promise.all(Array.from({ length: 3 }, () => production.createLink()));
    production.service.clock.advance(25 * HOUR_SECONDS * 1_000);
    const verdicts = await Promise.all(links.map(({ id }) => report(id, paid(id))));
    assert.deepEqual(verdicts, ['TAKEN', 'TAKEN', 'TAKEN']);
    assert.equal((await reportRuns()).runs, 1);
    for (const { id } of links) {
      assert.deepEqual(await production.statusesOf(id), ['CREATED', 'EXPIRED', 'PAID']);
      const webhooks = await production.webhooksOf(id);
      assert.deepEqual(webhooks, ['PAYMENT-FAILED', 'PAYMENT-COMPLETED']);
    }
  });

  it('do not wait for a locked payment request, nor for an unknown one', async () => {
    const [held, free] = [await production.createLink(), await production.createLink()];
    const holder = new pg.Client({ connectionString: production.service.database.url });
    await holder.connect();
    let isHeldDone = false;
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM payment_requests WHERE id = $1 FOR UPDATE', [held.id]);
      const waiting = report(held.id, paid(held.id)).then((verdict) => {
        isHeldDone = true;
        return verdict;
      });
      const casesBefore = await casesOf(null);
      const others = [report(UNKNOWN, paid(UNKNOWN)), report(free.id, paid(free.id))];
      assert.deepEqual(await Promise.all(others), ['NOT_TAKEN', 'TAKEN']);
      assert.deepEqual(await casesOf(null), [...casesBefore, 'UNKNOWN_PAYMENT_REQUEST']);
      assert.equal(isHeldDone, false);
      await holder.query('ROLLBACK');
      assert.equal(await waiting, 'TAKEN');
    } finally {
      await holder.end();
    }
    assert.deepEqual(await production.statusesOf(held.id), ['CREATED', 'PAID']);
  });

  it('do not fail with a report that cannot be decided', async () => {
    const links = await Promise.all(Array.from({ length: 5 }, () => production.createLink()));
    const results = await Promise.allSettled([
      ...links.slice(0, 3).map(({ id }) => report(id, paid(id))),
      report('no identifier', success()),
      ...links.slice(3).map(({ id }) => report(id, paid(id))),
    ]);
    const failed = results.filter(({ status }) => status === 'rejected');
    assert.equal(failed.length, 1);
    assert.equal(results[3]?.status, 'rejected');
    for (const { id } of links) {
      assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
      assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
    }
  });
});

describe('a report that was lost', () => {
  it('is asked for, first of what is open', async () => {
    const { id } = await openedLink();
    network.states.set(id, paid(id));
    await production.service.advance(119);
    assert.equal((await production.read(id)).status, 'CREATED');
    await production.service.advance(1);
    await statusBecomes(id, 'PAID');
    assert.equal((await production.read(id)).payment.networkReference, `REF ${id}`);
  });

  it('is asked for at once when the payer comes back and waits', async () => {
    const { id, paymentLink } = await openedLink();
    network.states.set(id, { state: 'ACCEPTED' });
    const page = await createPayer(production.service).open(`${paymentLink}?returned=1`);
    assert.equal(page.title, 'We’re checking your payment');
    assert.match(page.html, /data-live=/);
    await statusBecomes(id, 'PROCESSING');
  });

  it('is asked for of what is in progress, after 30 s and ever less often', async () => {
    const { id } = await openedLink();
    await report(id, { state: 'ACCEPTED' });
    network.states.set(id, { state: 'ACCEPTED' });
    const asked = () => network.calls.filter((call) => call === `ask ${id}`).length;
    const before = asked();
    const pauses = [30, 30, 60, 120, 300, 600];
    for (const [index, seconds] of pauses.slice(0, -1).entries()) {
      await production.service.advance(seconds);
      await called('ask', id, before + index + 1);
      // The answer is written after the call: only then is the next look due when it should be.
      await eventually(
        async () => {
          const [row] = await production.service.database.sql<{ ahead: number }>(
            `SELECT extract(epoch FROM next_look_at - service_now())::int AS ahead
           FROM network_requests WHERE payment_request_id = $1`,
            [id],
          );
          return row?.ahead === pauses[index + 1];
        },
        `the next look in ${pauses[index + 1]} s`,
      );
    }
    network.states.set(id, { state: 'REFUSED', reason: 'NETWORK_TIMEOUT' });
    await production.service.advance(600);
    await statusBecomes(id, 'FAILED');
    assert.equal((await production.read(id)).statusReason.code, 'NETWORK_TIMEOUT');
  });

  it('is asked for again when the network was down', async () => {
    const { id } = await openedLink();
    network.behave('DOWN');
    await production.service.advance(120);
    await called('ask', id);
    network.behave('WELL');
    network.states.set(id, paid(id));
    await production.service.advance(600);
    await statusBecomes(id, 'PAID');
  });

  it('after a registration without an answer is polled, too', async () => {
    network.behave('NONSENSE');
    const { id } = await openedLink();
    network.behave('WELL');
    network.states.set(id, paid(id));
    await production.service.advance(120);
    await statusBecomes(id, 'PAID');
  });

  it('ends PROCESSING after 72 h, with an alert after 24 h', async () => {
    const { id } = await openedLink({ expiryDateTime: '2026-04-01T00:00:00Z' });
    await report(id, { state: 'ACCEPTED' });
    network.states.set(id, { state: 'ACCEPTED' });
    await production.service.advance(23 * HOUR_SECONDS);
    await called('ask', id);
    assert.deepEqual(await casesOf(id), []);
    await production.service.advance(HOUR_SECONDS);
    await eventually(async () => (await casesOf(id)).length === 1, 'a case');
    await lookWritten(id);
    await production.service.advance(47 * HOUR_SECONDS);
    await lookWritten(id);
    assert.equal((await production.read(id)).status, 'PROCESSING');
    assert.deepEqual(await casesOf(id), ['PROCESSING_OVERDUE']);
    // Not even a network that is down can hold it up.
    network.behave('DOWN');
    await production.service.advance(HOUR_SECONDS);
    await statusBecomes(id, 'FAILED');
    assert.equal((await production.read(id)).statusReason.code, 'NETWORK_TIMEOUT');
  });
});

describe('a payment that is over at the network while the request is open', () => {
  const isOver = async (id: string) => {
    const { sql } = production.service.database;
    const rows = await sql(
      'SELECT FROM network_requests WHERE payment_request_id = $1 AND payment_over_at IS NOT NULL',
      [id],
    );
    return rows.length === 1;
  };

  it('gets a new one when the link is opened, once the network says so', async () => {
    const { id, paymentLink } = await openedLink();
    network.states.set(id, { state: 'CANCELLED' });
    await production.service.advance(120);
    await eventually(() => isOver(id), 'the end noticed');
    await called('ask', id);
    const again = await openLink(paymentLink);
    assert.equal(again.headers.get('location'), `https://network.example/${id}`);
    assert.deepEqual(callsOf(id), [`create ${id}`, `ask ${id}`, `create ${id}`]);
    assert.equal(await isOver(id), false);
    assert.equal(await report(id, paid(id), true), 'TAKEN');
  });

  it('gets no new one for a change by the merchant', async () => {
    const { id } = await openedLink();
    network.states.set(id, { state: 'CANCELLED' });
    await production.service.advance(120);
    await eventually(() => isOver(id), 'the end noticed');
    const body = { displayMessage: 'Three books' };
    await production.call('PATCH', `/v1/payment-requests/${id}`, { body });
    await called('ask', id, 2);
    assert.deepEqual(callsOf(id), [`create ${id}`, `ask ${id}`, `ask ${id}`]);
  });

  it('gets a new one when the payer comes back and waits', async () => {
    const { id, paymentLink } = await openedLink();
    network.states.set(id, { state: 'CANCELLED' });
    const returned = `${paymentLink}?returned=1`;
    const first = await createPayer(production.service).open(returned);
    assert.equal(first.title, 'We’re checking your payment');
    await eventually(() => isOver(id), 'the end noticed');
    assert.equal((await openLink(returned)).status, 303);
    // Led to a payment that is open, the payer who comes back again waits.
    assert.equal((await openLink(returned)).status, 200);
  });

  it('is not registered while the network is away, and the payer’s page offers another try', async () => {
    const { id, paymentLink } = await openedLink();
    network.states.set(id, { state: 'CANCELLED' });
    await production.service.advance(120);
    await eventually(() => isOver(id), 'the end noticed');
    network.behave('DOWN');
    assert.equal((await openLink(paymentLink)).status, 503);
    network.behave('WELL');
    assert.equal((await openLink(paymentLink)).status, 303);
  });

  it('gets a new one after money that was taken back for its amount', async () => {
    const { id, paymentLink } = await openedLink();
    assert.equal(await report(id, paid(id, { amountCents: 1 }), true), 'NOT_TAKEN');
    assert.equal(await isOver(id), true);
    await openLink(paymentLink);
    assert.deepEqual(callsOf(id), [`create ${id}`, `create ${id}`]);
  });
});

describe('a request that ends here', () => {
  it('ends at the network within a second, once', async () => {
    const { id } = await openedLink();
    await production.cancel(id);
    await called('cancel', id);
    assert.ok(network.cancelled.has(id));
    await production.service.advance(HOUR_SECONDS);
    await production.service.advance(HOUR_SECONDS);
    assert.equal(network.calls.filter((call) => call === `cancel ${id}`).length, 1);
  });

  it('ends there when it expires', async () => {
    const { id } = await openedLink();
    await production.service.advance(24 * HOUR_SECONDS);
    await statusBecomes(id, 'EXPIRED');
    await called('cancel', id);
  });

  it('is repeated until the network accepts it', async () => {
    const { id } = await openedLink();
    network.behave('DOWN');
    await production.cancel(id);
    await called('cancel', id);
    network.behave('WELL');
    await production.service.advance(10);
    await called('cancel', id, 2);
    assert.ok(network.cancelled.has(id));
  });

  it('is PAID late when it was too late there', async () => {
    const { id } = await openedLink();
    network.states.set(id, { state: 'ACCEPTED' });
    await production.cancel(id);
    await called('ask', id);
    assert.equal((await production.read(id)).status, 'CANCELLED');
    network.states.set(id, paid(id));
    await production.service.advance(10);
    await statusBecomes(id, 'PAID');
    assert.equal((await production.read(id)).paidLate, true);
  });

  it('is not told of for ever', async () => {
    const { id } = await openedLink();
    network.behave('DOWN');
    await production.cancel(id);
    await called('cancel', id);
    await production.service.advance(73 * HOUR_SECONDS);
    await eventually(async () => {
      const { sql } = production.service.database;
      const [row] = await sql<{ next_look_at: Date | null }>(
        'SELECT next_look_at FROM network_requests WHERE payment_request_id = $1',
        [id],
      );
      return row?.next_look_at === null;
    }, 'no further look');
  });

  it('never opened is none of the network’s affairs', async () => {
    const { id } = await production.createLink();
    await production.cancel(id);
    await production.service.advance(HOUR_SECONDS);
    assert.deepEqual(callsOf(id), []);
  });
});
