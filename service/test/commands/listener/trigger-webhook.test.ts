import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../../support/webhooks/https-listener.ts';
import { runCli } from '../run-cli.ts';

const CLOCK_EVERY_MS = 200;
const CLOCK_STEP_SECONDS = 5;

describe('payreq trigger', () => {
  let folder: string;
  let listener: HttpsListener;
  let service: TestService;
  let merchant: TestMerchant;
  let time: Promise<void>;
  let isOver = false;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'payreq-test-'));
    listener = await startHttpsListener();
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, listener.caPem);
    service = await startTestService({
      settings: {
        WEBHOOK_CA_FILE: caFile,
        WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
        WEBHOOK_ALLOW_PORTS: '*',
      },
    });
    merchant = await service.createMerchant();
    time = passTime();
  });
  after(async () => {
    isOver = true;
    await time;
    await service?.stop();
    await listener?.close();
    await rm(folder, { recursive: true });
  });

  /** Moves the clock between attempts: during a slow one its lease would end. */
  async function passTime(): Promise<void> {
    while (!isOver) {
      await wait(CLOCK_EVERY_MS);
      const leased = await service.database.sql(
        'SELECT FROM webhook_deliveries WHERE lease_token IS NOT NULL',
      );
      if (leased.length === 0) await service.advance(CLOCK_STEP_SECONDS);
    }
  }

  type Access = Pick<TestMerchant, 'username' | 'password'>;
  function trigger(args: readonly string[], access: Access = merchant) {
    const { url } = service;
    const where = ['--api-url', `${url}/v1`, '--auth-url', `${url}/oauth2/token`];
    return runCli(['trigger', ...args, ...where], {
      PAYREQ_USERNAME: access.username,
      PAYREQ_PASSWORD: access.password,
      PAYREQ_API_KEY: merchant.apiKey,
    });
  }

  it('waits until the webhook was taken, of one that comes twice until the second', async () => {
    const ran = await trigger(['depositDuplicate', '--webhook-url', listener.url, '--json']);
    assert.equal(ran.exitCode, 0, ran.stderr);
    const { events, webhooks } = ran.json();
    assert.equal(listener.requests.length, 2);
    assert.equal(webhooks.length, 1);
    const { eventId, url, status, attempts, outcome, httpStatus } = webhooks[0];
    assert.deepEqual([eventId, url, status], [events[0].id, listener.url, 'SUCCEEDED']);
    assert.deepEqual([attempts, outcome, httpStatus], [2, 'SUCCEEDED', 200]);
  });

  it('fails where the listener did not take it in time, and says what it answered', async () => {
    listener.answerWith((_request, response) => response.writeHead(500).end());
    const args = ['depositSubmit:0', '--webhook-url', listener.url];
    let ran = await trigger([...args, '--timeout', '3']);
    // A busy machine needs longer for the event and the first attempt.
    for (const longer of ['10', '30']) {
      if (/attempts: [1-9]/.test(ran.stdout)) break;
      ran = await trigger([...args, '--timeout', longer]);
    }
    assert.equal(ran.exitCode, 1);
    assert.match(ran.stdout, /^PAYMENT-COMPLETED {2}PAID/);
    const told = /webhook {2}PENDING {2}https:\S+ {2}\(attempts: [1-9]\d*, the last: (.*)\)/;
    assert.equal(told.exec(ran.stdout)?.[1], 'REFUSED_BY_LISTENER 500');
  });

  it('fails where no webhook can come, and says what to give', async () => {
    const none = await trigger(['depositSubmit:0']);
    assert.equal(none.exitCode, 1);
    assert.match(none.stdout, /^No webhook is sent: .*\. Give --webhook-url, or register an/m);
  });

  it('succeeds without a webhook where the outcome asks for none', async () => {
    const none = await trigger(['depositNoWebhook', '--webhook-url', listener.url]);
    assert.equal(none.exitCode, 0, none.stderr);
    assert.match(none.stdout, /^No webhook is sent: depositNoWebhook asks for none\.$/m);
  });

  it('says that the credentials may not look', async () => {
    const scopes = ['payment_request/write', 'event/read'].flatMap((one) => ['--scope', one]);
    const create = ['credentials', 'create', '--merchant', merchant.merchantId, ...scopes];
    const narrow = (await runCli([...create, '--json'], service.env)).json();
    const ran = await trigger(['depositSubmit:0'], narrow);
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.match(ran.stdout, /may not look at webhooks/);
  });
});
