import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { enqueueWebhookEvent } from '#webhooks/events/outbox.ts';
import { eventually } from '../../support/eventually.ts';
import { paymentRequestCalls } from '../../support/payment-requests/payment-requests.ts';
import { COMMAND_LINE } from '../../support/service/command-line.ts';
import { compileCache } from '../../support/service/compile-cache.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';
import { untilFed } from '../../support/webhooks/until-fed.ts';
import { runCli, startCli } from '../run-cli.ts';
import { type Judge, startListener } from './listeners.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'payreq-'));
});
after(() => rmSync(folder, { recursive: true }));

describe('payreq listen and payreq trigger', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let localDir: string;
  let ended: (() => Promise<unknown>)[] = [];
  before(async () => {
    service = await startTestService();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    merchant = await service.createMerchant();
    localDir = mkdtempSync(join(folder, 'local-'));
    mkdirSync(localDir, { recursive: true });
    const { username, password, apiKey, listener } = merchant;
    const baseUrl = `${service.url}/v1`;
    const authUrl = `${service.url}/oauth2/token`;
    const sandbox = { baseUrl, authUrl, username, password, apiKey, listener };
    writeFileSync(join(localDir, 'credentials.json'), JSON.stringify({ sandbox }));
  });
  afterEach(async () => {
    for (const end of ended.splice(0).reverse()) await end();
    ended = [];
  });

  /** `payreq listen` in this process, with all that it prints. */
  function listen(url: string, ...more: string[]) {
    const interruption = new AbortController();
    const running = startCli(argsOf(url, more), { LOCAL_DIR: localDir }, interruption.signal);
    return following(running.stdout, () => {
      interruption.abort();
      return running.ended;
    });
  }

  /** `payreq listen` in a process of its own, which SIGINT ends. */
  function spawnListen(url: string) {
    const child = spawn(process.execPath, ['--', COMMAND_LINE, ...argsOf(url, [])], {
      env: { ...compileCache, LOCAL_DIR: localDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    const exit = new Promise<number | null>((resolve) => child.on('exit', resolve));
    return following(
      () => text,
      () => {
        child.kill('SIGINT');
        return exit;
      },
    );
  }

  function argsOf(url: string, more: readonly string[]): readonly string[] {
    return ['listen', '--forward-to', url, '--json', ...more];
  }

  function following(stdout: () => string, stop: () => Promise<number | null>) {
    ended.push(stop);
    const saying = (type: string, count = 1) =>
      eventually(() => {
        const lines = stdout().split('\n').slice(0, -1);
        const some = lines.map((line) => JSON.parse(line)).filter((one) => one.type === type);
        return some.length >= count && some;
      }, `${count} × ${type}`);
    return { saying, stop };
  }

  async function listenerThat(judge: Judge) {
    const listener = await startListener(judge);
    ended.push(listener.close);
    return listener;
  }
  async function end(outcome: string): Promise<string> {
    const { create, simulate } = paymentRequestCalls(service, merchant);
    const { id } = (await create()).json;
    assert.equal((await simulate(id, { outcome })).status, 202);
    await untilFed(service, merchant.headers, id);
    return id;
  }

  it('listen forwards each event, byte for byte, signed with the local merchant’s secret', async () => {
    const listener = await listenerThat(() => 202);
    const before = await end('PAID');
    const listening = spawnListen(listener.url);
    const [started] = await listening.saying('started');
    await listening.saying('listening');
    const id = await end('PAID');
    const [forwarded] = await listening.saying('forwarded');
    assert.equal(forwarded.paymentRequestId, id);
    assert.equal(forwarded.status, 'PAID');
    assert.equal(forwarded.answer.status, 202);
    assert.equal(forwarded.answer.text, 'seen');

    const [request] = listener.received;
    assert.ok(request && !request.body.includes(before));
    const [row] = await service.database.sql(
      'SELECT id, body FROM webhook_events WHERE payment_request_id = $1',
      [id],
    );
    assert.equal(request.body, row?.body);
    const headers = request.headers as Record<string, string>;
    assert.equal(headers['webhook-id'], row?.id);
    // verify-listener has the same credentials.
    assert.deepEqual(started.listener, merchant.listener);
    const { username, password, signingSecret } = merchant.listener;
    new Webhook(signingSecret).verify(request.body, headers);
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    assert.equal(headers.authorization, `Basic ${basic}`);
    assert.equal(await listening.stop(), 0);
  });

  it('listen makes credentials where no local merchant is, and takes no half of given ones', async () => {
    const listener = await listenerThat(() => 202);
    const where = ['--api-url', `${service.url}/v1`, '--auth-url', `${service.url}/oauth2/token`];
    const { username, password, apiKey } = merchant;
    const access = ['--username', username, '--password', password, '--api-key', apiKey];
    rmSync(join(localDir, 'credentials.json'));
    const made = listen(listener.url, ...where, ...access);
    await made.saying('listening');
    await end('PAID');
    await made.saying('forwarded');
    const [{ listener: session }] = await made.saying('started');
    const [request] = listener.received;
    const headers = request?.headers as Record<string, string>;
    new Webhook(session.signingSecret).verify(request?.body ?? '', headers);
    assert.notEqual(session.signingSecret, merchant.listener.signingSecret);
    const some = await runCli(
      [...argsOf(listener.url, [...where, ...access]), '--listener-username', 'u'],
      {
        LOCAL_DIR: localDir,
      },
    );
    assert.match(some.stderr, /Give all of --listener-username, --listener-password/);
  });

  it('listen goes on where it ended, and skips that when asked to', async () => {
    const listener = await listenerThat(() => 200);
    const first = listen(listener.url);
    await first.saying('listening');
    await end('PAID');
    await first.saying('forwarded');
    await first.stop();
    const missed = await end('FAILED');
    const second = listen(listener.url);
    const [forwarded] = await second.saying('forwarded');
    assert.equal(forwarded.paymentRequestId, missed);
    await second.stop();
    assert.equal(listener.received.length, 2);

    await end('FAILED');
    const third = listen(listener.url, '--latest');
    await third.saying('listening');
    const seen = await end('EXPIRED');
    const [only] = await third.saying('forwarded');
    assert.equal(only.paymentRequestId, seen);
  });

  it('listen forwards only the events asked for, and tells of a listener that is away', async () => {
    const listening = listen('http://127.0.0.1:1/', '--events', 'PAYMENT-FAILED');
    await listening.saying('listening');
    await end('PAID');
    const failed = await end('FAILED');
    const [forwarded] = await listening.saying('forwarded');
    assert.equal(forwarded.paymentRequestId, failed);
    assert.equal(forwarded.answer.status, null);
    assert.match(forwarded.answer.text, /ECONNREFUSED/);
  });

  it('listen forwards refunds’ events where they are asked for, by their payment request', async () => {
    const wide = listen('http://127.0.0.1:1/', '--events', '*', '--latest');
    const narrow = listen('http://127.0.0.1:1/', '--events', 'REFUND-FAILED', '--latest');
    await Promise.all([wide.saying('listening'), narrow.saying('listening')]);
    const { create } = paymentRequestCalls(service, merchant);
    const { id } = (await create()).json;
    for (const [index, eventType] of (['REFUND-COMPLETED', 'REFUND-FAILED'] as const).entries()) {
      const resource = { id: randomUUID(), paymentRequestId: id, amount: 1, status: 'FAILED' };
      await service.database.db.transaction((tx) =>
        enqueueWebhookEvent(tx, {
          merchantId: merchant.merchantId,
          paymentRequestId: id,
          sequence: index + 1,
          eventType,
          message: 'An event.',
          resource: JSON.stringify(resource),
          webhookUrl: null,
          createdAt: service.clock.now(),
        }),
      );
    }
    const all = await wide.saying('forwarded', 2);
    const types = all.map((one: { eventType: string }) => one.eventType);
    assert.deepEqual(types, ['REFUND-COMPLETED', 'REFUND-FAILED']);
    const [failed] = await narrow.saying('forwarded');
    assert.deepEqual([failed.eventType, failed.paymentRequestId], ['REFUND-FAILED', id]);
  });

  it('trigger waits for the events of an outcome, and fails where no webhook can come', async () => {
    const time = setInterval(() => void service.advance(5), 200);
    try {
      for (const [outcome, statuses] of [
        ['depositSubmit:0', ['PAID']],
        ['depositFail:SUSPECTED_FRAUD', ['FAILED']],
        ['depositLate', ['EXPIRED', 'PAID']],
        ['depositNoWebhook', ['PAID']],
      ] as const) {
        const ran = await runCli(['trigger', outcome, '--json'], { LOCAL_DIR: localDir });
        // No webhook can come without any URL: right only where the outcome asks for none.
        assert.equal(ran.exitCode, outcome === 'depositNoWebhook' ? 0 : 1, ran.stderr);
        assert.equal(ran.stderr, '');
        const { events, paymentRequestId } = ran.json();
        assert.deepEqual(
          events.map(({ resource }: { resource: { status: string } }) => resource.status),
          statuses,
        );
        assert.equal(events[0].resource.id, paymentRequestId);
      }
    } finally {
      clearInterval(time);
    }
  });

  it('trigger shows the problem that createError asks for', async () => {
    const ran = await runCli(['trigger', 'createError:409'], { LOCAL_DIR: localDir });
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.match(ran.stdout, /^409 DUPLICATE_MERCHANT_TRANSACTION_ID/);
  });

  it('trigger refuses an unknown outcome, production, and says when nothing happens', async () => {
    const unknown = await runCli(['trigger', 'depositPay'], { LOCAL_DIR: localDir });
    assert.equal(unknown.exitCode, 2);
    assert.match(unknown.stderr, /Give one of depositSubmit/);
    const access = ['--api-url', `${service.url}/v1`, '--auth-url', `${service.url}/oauth2/token`];
    const production = await runCli(['trigger', 'depositSubmit', ...access], {
      PAYREQ_USERNAME: 'prd_user_1',
      PAYREQ_PASSWORD: 'x',
      PAYREQ_API_KEY: 'x',
    });
    assert.match(production.stderr, /no simulator/);
    const idle = await runCli(['trigger', 'depositSubmit', '--timeout', '2', ...access], {
      PAYREQ_USERNAME: merchant.username,
      PAYREQ_PASSWORD: merchant.password,
      PAYREQ_API_KEY: merchant.apiKey,
    });
    assert.equal(idle.exitCode, 1);
    assert.match(idle.stderr, /had 0 of 1 events within 2 s/);
  });

  it('says which credentials are missing, and that wrong ones are refused', async () => {
    const some = await runCli(['trigger', 'depositSubmit', '--username', 'sbx_x'], {
      LOCAL_DIR: localDir,
    });
    assert.equal(some.exitCode, 1);
    assert.match(some.stderr, /Missing: --api-url, --auth-url, --password, --api-key/);
    const { username, apiKey } = merchant;
    const wrong = { PAYREQ_USERNAME: username, PAYREQ_API_KEY: apiKey, PAYREQ_PASSWORD: 'x' };
    const access = ['--api-url', `${service.url}/v1`, '--auth-url', `${service.url}/oauth2/token`];
    const refused = await runCli(['trigger', 'depositSubmit', ...access], wrong);
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /The token call refuses these credentials/);
  });
});
