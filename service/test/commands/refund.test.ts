import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import {
  createPaid,
  newRefundId,
  type RefundCalls,
  refundCalls,
} from '../support/refunds/refund-calls.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { runCli } from './run-cli.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: RefundCalls;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant({ name: 'Maple Bikes' });
  calls = refundCalls(service, merchant);
});
after(() => service?.stop());

const payreq = (...args: string[]) => runCli(args, service.env);

async function created(members: object = {}, own = calls, of = merchant) {
  return (await own.created(await createPaid(service, of, 10), members)).json;
}

async function processing() {
  // It is in progress for an hour, so that the test alone ends it.
  const { id } = await created({ message: 'refundSlow:3600' });
  await service.advance(3);
  return eventually(async () => {
    const { json } = await calls.read(id);
    return json.status === 'PROCESSING' && json;
  }, 'PROCESSING');
}

const auditOf = (action: string) =>
  service.database.sql<{ merchantId: string; details: object }>(
    `SELECT merchant_id AS "merchantId", details FROM audit_log WHERE action = $1 ORDER BY id`,
    [action],
  );

describe('payreq refund show', () => {
  it('prints a refund as the merchant reads it', async () => {
    const refund = await created({ amount: 4 });
    const ran = await payreq('refund', 'show', refund.id, '--json');
    assert.deepEqual([ran.exitCode, ran.stderr], [0, '']);
    assert.deepEqual(ran.json(), refund);
    const { stdout } = await payreq('refund', 'show', refund.id);
    assert.match(stdout, new RegExp(`^Refund +${refund.id}$`, 'm'));
    assert.match(stdout, new RegExp(`^merchantRefundId +${refund.merchantRefundId}$`, 'm'));
    assert.match(stdout, /^Amount +4\.00 CAD$/m);
    assert.match(stdout, /^Statuses\n\S+Z +CREATED$/m);
  });

  it('says that no refund has the id, with exit code 1', async () => {
    for (const id of ['nothing', randomUUID()]) {
      const ran = await payreq('refund', 'show', id);
      assert.deepEqual([ran.exitCode, ran.stdout], [1, '']);
      assert.match(ran.stderr, /There is no refund with the id/);
    }
  });
});

describe('payreq refund list', () => {
  const idsOf = async (...options: string[]) => {
    const ran = await payreq('refund', 'list', ...options, '--json');
    assert.equal(ran.exitCode, 0, ran.stderr);
    return ran.json().refunds.map(({ id }: { id: string }) => id);
  };

  it('prints refunds of all merchants, newest first, and filters them', async () => {
    const shop = await service.createMerchant({ name: 'Birch Books' });
    const first = await created();
    const failed = await processing();
    await payreq('refund', 'fail', failed.id, '--note', 'refused', '--yes');
    await service.advance(1);
    const other = await created({}, refundCalls(service, shop), shop);
    const all = await idsOf();
    assert.equal(all[0], other.id);
    assert.ok(all.indexOf(failed.id) < all.indexOf(first.id));
    assert.deepEqual(await idsOf('--merchant', shop.merchantId), [other.id]);
    assert.deepEqual(await idsOf('--payment-request', first.paymentRequestId), [first.id]);
    assert.deepEqual(await idsOf('--status', 'FAILED', '--merchant', merchant.merchantId), [
      failed.id,
    ]);
    const { stdout } = await payreq('refund', 'list', '--merchant', shop.merchantId);
    assert.match(stdout, new RegExp(`^${other.id} .*CREATED +10\\.00 CAD`, 'm'));
  });

  it('says when there is none, and refuses values that no refund has', async () => {
    const { stdout } = await payreq('refund', 'list', '--payment-request', randomUUID());
    assert.equal(stdout, 'There is no such refund.\n');
    const malformed = await payreq('refund', 'list', '--payment-request', 'nothing');
    assert.deepEqual([malformed.exitCode, malformed.stdout], [1, '']);
    assert.equal((await payreq('refund', 'list', '--status', 'PAID')).exitCode, 2);
  });
});

describe('payreq refund fail', () => {
  it('ends a PROCESSING refund: status, sums, webhook, timeline and audit log', async () => {
    const { id, paymentRequestId } = await processing();
    const args = ['refund', 'fail', id, '--note', 'Bank: account closed', '--yes', '--json'];
    const ran = await payreq(...args);
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.deepEqual(ran.json(), { id, paymentRequestId, status: 'FAILED', warnings: [] });
    const { status, statusReason } = (await calls.read(id)).json;
    assert.deepEqual([status, statusReason.code], ['FAILED', 'NETWORK_REJECTED']);
    const { headers } = merchant;
    const payment = await service.call('GET', `/v1/payment-requests/${paymentRequestId}`, {
      headers,
    });
    assert.equal(payment.json.refundSummary.amountAvailable, 10);
    const sent = await service.database.sql(
      'SELECT event_type AS type FROM webhook_events WHERE payment_request_id = $1 ORDER BY sequence',
      [paymentRequestId],
    );
    assert.deepEqual(sent, [{ type: 'PAYMENT-COMPLETED' }, { type: 'REFUND-FAILED' }]);
    const timeline = await service.call(
      'GET',
      `/v1/payment-requests/${paymentRequestId}/timeline`,
      { headers },
    );
    const changes = timeline.json.data.filter(
      ({ type }: { type: string }) => type === 'REFUND_CHANGED',
    );
    assert.deepEqual(
      changes.map(({ refundId, amount, status, reasonCode }: Record<string, unknown>) => [
        refundId,
        amount,
        status,
        reasonCode,
      ]),
      [
        [id, 10, 'CREATED', undefined],
        [id, 10, 'PROCESSING', undefined],
        [id, 10, 'FAILED', 'NETWORK_REJECTED'],
      ],
    );
    const shown = await payreq('request', 'show', paymentRequestId);
    assert.match(shown.stdout, /^\S+Z +REFUND_CHANGED .*FAILED/m);
    const details = { refundId: id, paymentRequestId, note: 'Bank: account closed' };
    const audit = await auditOf('REFUND_FAILED');
    assert.deepEqual(audit.at(-1), { merchantId: merchant.merchantId, details });
    await calls.created(paymentRequestId, { amount: 10 });
  });

  it('refuses refunds that are not PROCESSING', async () => {
    const { id } = await created();
    const ran = await payreq('refund', 'fail', id, '--note', 'refused', '--yes');
    assert.deepEqual([ran.exitCode, ran.stdout], [1, '']);
    assert.match(ran.stderr, /The refund is CREATED/);
    assert.equal((await calls.read(id)).json.status, 'CREATED');
  });

  it('changes nothing without --yes, without a note and in a dry run', async () => {
    const { id } = await processing();
    assert.equal((await payreq('refund', 'fail', id, '--yes')).exitCode, 2);
    const asked = await payreq('refund', 'fail', id, '--note', 'refused');
    assert.equal(asked.exitCode, 2);
    assert.match(asked.stderr, /--yes/);
    const rehearsed = await payreq('refund', 'fail', id, '--note', 'refused', '--dry-run');
    assert.equal(rehearsed.exitCode, 0, rehearsed.stderr);
    assert.match(rehearsed.stdout, /^Would fail/);
    assert.equal((await calls.read(id)).json.status, 'PROCESSING');
  });
});

describe('payreq merchant set-limits', () => {
  const limitOf = async (merchantId: string) =>
    (await payreq('merchant', 'set-limits', '--merchant', merchantId, '--json')).json()
      .refundsPerDay;

  it('sets and prints what a merchant may give back in a day', async () => {
    const { merchantId, headers } = await service.createMerchant();
    const own = refundCalls(service, { headers });
    const id = await createPaid(service, { headers }, 50);
    const set = (amount: string) =>
      payreq('merchant', 'set-limits', '--merchant', merchantId, '--refunds-per-day', amount);
    const refund = (amount: number) => own.refund(id, { amount, merchantRefundId: newRefundId() });
    assert.equal(await limitOf(merchantId), '10000.00');
    assert.match((await set('7.50')).stdout, /may give back 7\.50 CAD in a day/);
    assert.equal((await refund(7.51)).json.code, 'REFUND_LIMIT_REACHED');
    assert.equal((await refund(7.5)).status, 201);
    assert.match((await set('0')).stdout, /Refunds are off/);
    assert.equal((await refund(1)).json.code, 'REFUNDS_DISABLED');
    await set('0');
    assert.deepEqual(
      (await auditOf('MERCHANT_LIMITS_CHANGED')).map(({ details }) => details),
      [
        { refundsPerDayCents: 750, before: { refundsPerDayCents: 1_000_000 } },
        { refundsPerDayCents: 0, before: { refundsPerDayCents: 750 } },
      ],
    );
  });

  it('sets what a merchant may send payers in an hour, and gives it up with 0', async () => {
    const { merchantId } = await service.createMerchant();
    const set = async (...of: readonly string[]) => {
      const all = ['merchant', 'set-limits', '--merchant', merchantId, '--json', ...of];
      const { mailsPerHour, smsPerHour } = (await payreq(...all)).json();
      return [mailsPerHour, smsPerHour];
    };
    assert.deepEqual(await set(), [500, 100]);
    assert.deepEqual(await set('--mails-per-hour', '2000', '--sms-per-hour', '5'), [2_000, 5]);
    assert.deepEqual(await set('--mails-per-hour', '0'), [500, 5]);
    assert.deepEqual((await auditOf('MESSAGE_LIMITS_CHANGED')).at(-1)?.details, {
      ...{ mailsPerHour: null, smsPerHour: 5 },
      before: { mailsPerHour: 2_000, smsPerHour: 5 },
    });
  });

  it('refuses amounts that are none, and unknown merchants', async () => {
    const { merchantId } = merchant;
    for (const amount of ['-1', '1.005', 'much', '1e3', '']) {
      const of = ['--merchant', merchantId, '--refunds-per-day', amount];
      assert.equal((await payreq('merchant', 'set-limits', ...of)).exitCode, 2, amount);
    }
    assert.equal(await limitOf(merchantId), '10000.00');
    assert.equal((await payreq('merchant', 'set-limits', '--merchant', 'mer_none')).exitCode, 1);
  });

  it('starts with REFUNDS_PER_DAY for a merchant that is created', async () => {
    const env = { ...service.env, REFUNDS_PER_DAY: '25.00' };
    const made = await runCli(['merchant', 'create', '--name', 'Elm Eggs', '--json'], env);
    assert.equal(await limitOf(made.json().merchantId), '25.00');
  });

  it('starts with 0 for a merchant from before refunds', async () => {
    await service.database.sql(
      `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
         signing_secret_encrypted) VALUES ('mer_old', 'Old Oak', 'x', '', '')`,
    );
    assert.equal(await limitOf('mer_old'), '0.00');
  });
});
