import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { verifyWebhook, WebhookVerificationError } from '@payment-requests/sdk';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';
import {
  type HttpsListener,
  type ReceivedWebhook,
  startHttpsListener,
} from '../../support/webhooks/https-listener.ts';
import { runCli } from '../run-cli.ts';

type Secrets = TestMerchant['listener'];

describe('payreq credentials rotate-listener', () => {
  let folder: string;
  let listener: HttpsListener;
  let service: TestService;
  let merchant: TestMerchant;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'payreq-test-'));
    listener = await startHttpsListener();
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, listener.caPem);
    service = await startTestService({
      start: new Date(),
      settings: {
        WEBHOOK_CA_FILE: caFile,
        WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
        WEBHOOK_ALLOW_PORTS: '*',
      },
    });
  });
  beforeEach(async () => {
    merchant = await service.createMerchant();
    listener.requests.length = 0;
  });
  after(async () => {
    await service?.stop();
    await listener?.close();
    await rm(folder, { recursive: true });
  });

  const rotate = (...more: string[]) =>
    runCli(
      ['credentials', 'rotate-listener', '--merchant', merchant.merchantId, '--json', ...more],
      service.env,
    );

  /** Pays one payment request and answers the webhook that comes of it. */
  async function webhookOf(webhookUrl?: string): Promise<ReceivedWebhook> {
    const before = listener.requests.length;
    const created = await service.call('POST', '/v1/payment-requests', {
      headers: merchant.headers,
      body: {
        amount: 1,
        type: 'ECOMM',
        payer: { name: 'depositSubmit:0', email: 'ada@example.com' },
        ...(webhookUrl && { webhookUrl }),
      },
    });
    assert.equal(created.status, 201, created.text);
    await service.advance(1);
    return (await listener.received(before + 1))[before] as ReceivedWebhook;
  }
  const verified = async (webhook: ReceivedWebhook, secrets: Secrets) =>
    assert.ok(await verifyWebhook(webhook, secrets, { now: service.clock.now() }));
  const refused = (webhook: ReceivedWebhook, secrets: Secrets) =>
    assert.rejects(
      verifyWebhook(webhook, secrets, { now: service.clock.now() }),
      WebhookVerificationError,
    );

  it('signs what goes to a webhookUrl with both secrets, until the older one’s end', async () => {
    const rotated = (await rotate('--overlap', '0.5')).json();
    const { username, password, signingSecret } = rotated;
    assert.deepEqual(
      [username, password],
      [merchant.listener.username, merchant.listener.password],
    );
    const leftMs = Date.parse(rotated.previousSecretExpiryDateTime) - service.clock.now().getTime();
    assert.equal(leftMs, 1_800_000);

    const during = await webhookOf(listener.url);
    await verified(during, merchant.listener);
    await verified(during, { username, password, signingSecret });

    await service.advance(1_800);
    const afterwards = await webhookOf(listener.url);
    await verified(afterwards, { username, password, signingSecret });
    await refused(afterwards, merchant.listener);
  });

  it('is as good for the endpoint that has the same credentials, and a new password', async () => {
    const of = ['--merchant', merchant.merchantId, '--webhook-url', listener.url];
    await runCli(['merchant', 'set-webhook-url', ...of], service.env);
    const rotated = (await rotate('--overlap', '0', '--password')).json();
    assert.equal(rotated.username, merchant.listener.username);
    assert.notEqual(rotated.password, merchant.listener.password);
    assert.equal(rotated.previousSecretExpiryDateTime, null);

    const webhook = await webhookOf();
    await verified(webhook, rotated);
    await refused(webhook, { ...rotated, signingSecret: merchant.listener.signingSecret });
    await refused(webhook, { ...rotated, password: merchant.listener.password });
  });

  it('leaves secrets that open, and a trace in the audit log without them', async () => {
    const rotated = (await rotate()).json();
    const refused = await rotate('--password');
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /signs until .+ --force/s);
    await rotate('--password', '--force');
    const { merchantId } = merchant;
    const show = ['credentials', 'show-listener', '--merchant', merchantId, '--json'];
    const shown = (await runCli(show, service.env)).json();
    assert.notEqual(shown.signingSecret, rotated.signingSecret, 'the second rotation made another');
    const { checks } = (await runCli(['doctor', '--json'], service.env)).json();
    const secrets = checks.find(({ name }: { name: string }) => name === 'secrets');
    assert.equal(secrets.ok, true, secrets.message);

    const audit = await service.database.sql<{ details: object }>(
      `SELECT details FROM audit_log WHERE merchant_id = $1
         AND action = 'LISTENER_CREDENTIALS_ROTATED' ORDER BY id`,
      [merchantId],
    );
    const { username: listenerUsername } = merchant.listener;
    const common = { listenerUsername, overlapHours: 24, endpointId: null };
    assert.deepEqual(
      audit.map(({ details }) => details),
      [
        { ...common, isPasswordNew: false, isForced: false },
        { ...common, isPasswordNew: true, isForced: true },
      ],
    );
  });

  it('refuses an unknown merchant, and an overlap that is none', async () => {
    const unknown = ['credentials', 'rotate-listener', '--merchant', 'mer_unknown'];
    const ran = await runCli(unknown, service.env);
    assert.equal(ran.exitCode, 1);
    assert.match(ran.stderr, /There is no merchant "mer_unknown"/);
    const long = await rotate('--overlap', '169');
    assert.equal(long.exitCode, 1);
    assert.match(long.stderr, /0 to 168 hours/);
    assert.equal((await rotate('--overlap', 'x')).exitCode, 2);
  });
});
