import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import {
  type PaymentRequestCalls,
  paymentRequestCalls,
} from '../support/payment-requests/payment-requests.ts';
import {
  buyToken,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { runCli } from './run-cli.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  service = await startTestService({ roles: ['api'], settings: { TIME_ZONE: 'UTC' } });
  merchant = await service.createMerchant({ name: 'Maple Bikes' });
  calls = paymentRequestCalls(service, merchant);
});
after(() => service?.stop());

const payreq = (...args: string[]) => runCli(['request', ...args], service.env);

/** A paid payment request, with an update and a webhook URL. */
async function createPaid(merchantTransactionId: string) {
  const { id } = (await calls.create({ merchantTransactionId, displayMessage: 'Two chairs' })).json;
  await calls.update(id, { invoiceNumber: 'INV-7' });
  await calls.simulate(id, { outcome: 'PAID' });
  return (await calls.read(id)).json;
}

describe('payreq request show', () => {
  it('prints a payment request with its timeline, found by each of its references', async () => {
    const paid = await createPaid('order-1042');
    const timeline = (await calls.timeline(paid.id)).json.data;
    const { networkReference } = paid.payment;
    for (const reference of [paid.id, paid.shortCode, networkReference, 'order-1042']) {
      const ran = await payreq('show', reference, '--json');
      assert.deepEqual([ran.exitCode, ran.stderr], [0, '']);
      assert.deepEqual(ran.json(), { paymentRequests: [{ ...paid, timeline }], hasMore: false });
    }
  });

  it('finds by every value that a payer or merchant reads out, and by what belongs to it', async () => {
    const payer = {
      name: 'Zoë Reader',
      email: 'zoe.reader@example.com',
      mobileNumber: '+1 (514) 555-0171',
      merchantAccountId: 'customer-2207',
    };
    const { id } = (await calls.create({ payer, amount: 77.31, invoiceNumber: 'INV-2026/9' })).json;
    await calls.simulate(id, { outcome: 'PAID' });
    const { json: p } = await calls.read(id);
    const [event] = await service.database.sql<{ id: string }>(
      `SELECT id FROM webhook_events WHERE payment_request_id = '${id}'`,
    );
    const values = [
      'INV-2026/9',
      'customer-2207',
      'Zoe.Reader@EXAMPLE.com',
      '15145550171',
      '77.31',
      'CAD 77,31',
      `https://pay.test/pay/${p.shortCode}?lang=fr`,
      event?.id ?? '',
    ];
    for (const value of values) {
      const ran = await payreq('show', value, '--json');
      assert.deepEqual([value, ran.exitCode, ran.stderr], [value, 0, '']);
      assert.deepEqual(
        ran.json().paymentRequests.map((each: { id: string }) => each.id),
        [id],
        value,
      );
    }
    assert.match((await payreq('show', id)).stdout, /^Customer +customer-2207$/m);
    const stdin = Readable.from(['zoe.reader@exa', 'mple.com\nmore']);
    const read = await runCli(['request', 'show', '-', '--json'], service.env, { stdin });
    assert.equal(read.json().paymentRequests[0].id, id);
    const empty = await payreq('show', '-');
    assert.deepEqual([empty.exitCode, empty.stdout], [1, '']);
  });

  it('keeps to a day in TIME_ZONE, of the creation or of the payment', async () => {
    const dayNow = () => service.clock.now().toISOString().slice(0, 10);
    const nextDay = async () => {
      await service.advance(86_400);
      const token = await buyToken(service.call, merchant);
      const headers = { ...merchant.headers, authorization: `Bearer ${token}` };
      merchant = { ...merchant, headers };
      calls = paymentRequestCalls(service, merchant);
    };
    const idsOn = async (day: string) => {
      const ran = await payreq('show', '63.17', '--day', day, '--json');
      if (ran.exitCode !== 0) return ran.stderr;
      return ran.json().paymentRequests.map((each: { id: string }) => each.id);
    };
    const first = (await calls.create({ amount: 63.17 })).json;
    const dayOne = dayNow();
    await nextDay();
    const second = (await calls.create({ amount: 63.17 })).json;
    const dayTwo = dayNow();
    await nextDay();
    await calls.simulate(first.id, { outcome: 'PAID' });
    const dayThree = dayNow();
    await nextDay();
    // More than a table has: the day must hold before the newest are taken.
    await Promise.all(Array.from({ length: 21 }, () => calls.create({ amount: 63.17 })));
    assert.deepEqual(await idsOn(dayOne), [first.id]);
    assert.deepEqual(await idsOn(dayTwo), [second.id]);
    assert.deepEqual(await idsOn(dayThree), [first.id]);
    const table = await payreq('show', '63.17');
    assert.match(table.stdout, /^ID +MERCHANT +STATUS +AMOUNT +CREATED +INVOICE +PAYER$/m);
    assert.match(
      String(await idsOn('2026-01-01')),
      /"63\.17" and was created or paid on 2026-01-01/,
    );
    for (const day of ['2026-02-30', 'today']) {
      const ran = await payreq('show', '63.17', '--day', day);
      assert.deepEqual(
        [ran.exitCode, ran.stderr.split('\n')[0]],
        [1, `Give --day as in 2026-03-01, not "${day}".`],
      );
    }
  });

  it('prints no character that steers the terminal, and gives it to readers of JSON', async () => {
    const steering = '\u009b31m \u001b[2J \u007f \u202e';
    const asked = { merchantTransactionId: 'order-steering', metadata: { k: steering } };
    await calls.create({ ...asked, displayMessage: 'Two \u202e chairs' });
    for (const how of [[], ['--json']]) {
      const { exitCode, stdout } = await payreq('show', 'order-steering', ...how);
      assert.equal(exitCode, 0);
      assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
    }
    const [one] = (await payreq('show', 'order-steering', '--json')).json().paymentRequests;
    assert.equal(one.metadata.k, steering);
    assert.equal(one.displayMessage, 'Two \u202e chairs');
  });

  it('says in words who is paid, by whom, and what happened', async () => {
    const paid = await createPaid('order-words');
    const { exitCode, stdout } = await payreq('show', 'order-words');
    assert.equal(exitCode, 0);
    assert.match(stdout, new RegExp(`^Payment request +${paid.id}$`, 'm'));
    assert.match(stdout, new RegExp(`^Merchant +Maple Bikes \\(${merchant.merchantId}\\)$`, 'm'));
    assert.match(stdout, /^Status +PAID$/m);
    assert.match(stdout, /^Amount +12\.34 CAD$/m);
    assert.match(stdout, new RegExp(`^Network reference +${paid.payment.networkReference},`, 'm'));
    assert.match(stdout, /^Payer +Ada Payer, ada@example\.com$/m);
    assert.match(stdout, /^Timeline\n\S+Z +STATUS_CHANGED +CREATED$/m);
    assert.match(stdout, /^\S+Z +UPDATED +invoiceNumber$/m);
    assert.match(stdout, /^\S+Z +STATUS_CHANGED +PAID by PAYMENT_SUCCEEDED$/m);
  });

  it('lists several with one reference, of all merchants, newest first', async () => {
    const other = await service.createMerchant({ name: 'Birch Books' });
    const first = (await calls.create({ merchantTransactionId: 'shared' })).json;
    await service.advance(1);
    const second = (
      await paymentRequestCalls(service, other).create({ merchantTransactionId: 'shared' })
    ).json;
    const ran = await payreq('show', 'shared');
    assert.equal(ran.exitCode, 0, ran.stderr);
    const [, newest = '', oldest = ''] = ran.stdout.split('\n');
    assert.ok(newest.startsWith(second.id) && newest.includes('Birch Books'), newest);
    assert.ok(oldest.startsWith(first.id) && oldest.includes('Maple Bikes'), oldest);
    assert.match(ran.stdout, /payreq request show <id>/);
    const { paymentRequests } = (await payreq('show', 'shared', '--json')).json();
    assert.deepEqual(
      paymentRequests.map(({ id }: { id: string }) => id),
      [second.id, first.id],
    );
  });

  it('lists the newest twenty and says that there are more', async () => {
    for (let n = 0; n < 21; n += 1) await calls.create({ merchantTransactionId: 'many' });
    const ran = await payreq('show', 'many', '--json');
    assert.equal(ran.json().paymentRequests.length, 20);
    assert.equal(ran.json().hasMore, true);
    assert.match((await payreq('show', 'many')).stdout, /newest 20/);
  });

  it('finds a payment request whose merchant uses UUIDs as references', async () => {
    const reference = randomUUID();
    const { id } = (await calls.create({ merchantTransactionId: reference })).json;
    const { paymentRequests } = (await payreq('show', reference, '--json')).json();
    assert.equal(paymentRequests[0].id, id);
  });

  it('shows an expiry that has passed, as a read does', async () => {
    const expiryDateTime = new Date(service.clock.now().getTime() + 600_000).toISOString();
    const { id } = (await calls.create({ expiryDateTime })).json;
    await service.advance(600);
    const [found] = (await payreq('show', id, '--json')).json().paymentRequests;
    assert.equal(found.status, 'EXPIRED');
    assert.equal(found.timeline.at(-1).status, 'EXPIRED');
  });

  it('says that nothing has the reference, with exit code 1', async () => {
    for (const reference of ['nothing', randomUUID(), 'a'.repeat(16), "x' OR true --"]) {
      const ran = await payreq('show', reference);
      assert.deepEqual([ran.exitCode, ran.stdout], [1, '']);
      assert.match(
        ran.stderr,
        /^No payment request has the id, short code, .* in this environment/,
      );
    }
    assert.equal((await payreq('show')).exitCode, 2);
  });
});

describe('payreq request cancel', () => {
  it('cancels by the merchant’s rules: status, timeline, webhook and audit log', async () => {
    await service.call('POST', '/v1/webhook-endpoints', {
      headers: merchant.headers,
      body: { url: 'https://1.1.1.1/hook' },
    });
    const { id, shortCode } = (await calls.create()).json;
    const reason = ['--reason', 'DUPLICATE', '--comment', 'Asked by phone'];
    const ran = await payreq('cancel', shortCode, ...reason, '--yes', '--json');
    assert.equal(ran.exitCode, 0, ran.stderr);
    const { merchantId } = merchant;
    assert.deepEqual(ran.json(), { id, merchantId, cancelled: true });
    assert.equal((await calls.read(id)).json.status, 'CANCELLED');
    const { data } = (await calls.timeline(id)).json;
    const asked = data.find(({ type }: { type: string }) => type === 'CANCELLATION_REQUESTED');
    assert.deepEqual(
      [asked.reason, asked.comment, asked.requestedBy],
      ['DUPLICATE', 'Asked by phone', 'OPERATOR'],
    );
    const sent = await service.database.sql(
      'SELECT event_type FROM webhook_events WHERE payment_request_id = $1',
      [id],
    );
    assert.deepEqual(sent, [{ event_type: 'PAYMENT-FAILED' }]);
    const audit = await service.database.sql<{ details: object }>(
      `SELECT details FROM audit_log WHERE action = 'PAYMENT_REQUEST_CANCELLED'`,
    );
    assert.deepEqual(audit, [{ details: { paymentRequestId: id, reason: 'DUPLICATE' } }]);
    const again = await payreq('cancel', id, '--yes');
    assert.equal(again.exitCode, 0);
    assert.match(again.stdout, /was cancelled before/);
  });

  it('wakes a call that waits for a change', async () => {
    const { id } = (await calls.create()).json;
    const path = `/v1/payment-requests/${id}?waitSeconds=30`;
    const waiting = service.call('GET', path, { headers: merchant.headers });
    await payreq('cancel', id, '--yes');
    assert.equal((await waiting).json.status, 'CANCELLED');
  });

  it('changes nothing in a dry run', async () => {
    const { id } = (await calls.create()).json;
    const ran = await payreq('cancel', id, '--dry-run');
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.match(ran.stdout, new RegExp(`^Would cancel ${id} of "Maple Bikes"`));
    const read = await calls.read(id);
    assert.deepEqual([read.json.status, read.headers.get('etag')], ['CREATED', '"1"']);
  });

  it('finds by no value of a payer and no amount', async () => {
    const payer = { name: 'Ada', email: 'cancel.me@example.com' };
    const { id } = (await calls.create({ payer, amount: 61.99, invoiceNumber: 'INV-99' })).json;
    for (const value of ['cancel.me@example.com', '61.99', 'INV-99']) {
      assert.equal((await payreq('cancel', value, '--yes')).exitCode, 1, value);
    }
    assert.equal((await calls.read(id)).json.status, 'CREATED');
  });

  it('asks for --yes where it cannot ask a person', async () => {
    const { id } = (await calls.create()).json;
    const ran = await payreq('cancel', id);
    assert.equal(ran.exitCode, 2);
    assert.match(ran.stderr, /--yes/);
    assert.equal((await calls.read(id)).json.status, 'CREATED');
  });

  const closed = [
    ['PAID', /has been paid/],
    ['PROCESSING', /./],
    ['FAILED', /./],
    ['EXPIRED', /./],
  ] as const;
  for (const [outcome, told] of closed) {
    it(`refuses one that is ${outcome}, with exit code 1`, async () => {
      const { id } = (await calls.create()).json;
      await calls.simulate(id, { outcome });
      const ran = await payreq('cancel', id, '--yes');
      assert.equal(ran.exitCode, 1);
      assert.ok(ran.stderr.startsWith(`${id} cannot be cancelled. `), ran.stderr);
      assert.match(ran.stderr, told);
      assert.equal((await calls.read(id)).json.status, outcome);
    });
  }

  it('refuses a reference of several, and names their ids', async () => {
    const merchantTransactionId = 'twice';
    const one = (await calls.create({ merchantTransactionId })).json;
    const two = (await calls.create({ merchantTransactionId })).json;
    const ran = await payreq('cancel', 'twice', '--yes');
    assert.equal(ran.exitCode, 1);
    assert.match(ran.stderr, /Several payment requests have the reference "twice"/);
    for (const { id } of [one, two]) {
      assert.ok(ran.stderr.includes(id));
      assert.equal((await calls.read(id)).json.status, 'CREATED');
    }
  });

  it('refuses other reasons, long comments and unknown references', async () => {
    const { id } = (await calls.create()).json;
    assert.equal((await payreq('cancel', id, '--yes', '--reason', 'BORED')).exitCode, 2);
    for (const comment of ['', 'x'.repeat(251), 'a\nb']) {
      assert.equal((await payreq('cancel', id, '--yes', '--comment', comment)).exitCode, 2);
    }
    assert.equal((await payreq('cancel', 'nothing', '--yes')).exitCode, 1);
    assert.equal((await calls.read(id)).json.status, 'CREATED');
  });
});
