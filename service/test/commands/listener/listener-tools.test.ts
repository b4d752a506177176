import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { LISTENER_CHECKS } from '../../../src/commands/listener/checks.ts';
import { eventually } from '../../support/eventually.ts';
import { paymentRequestCalls } from '../../support/payment-requests/payment-requests.ts';
import { compileCache } from '../../support/service/compile-cache.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';
import { CLI, runCli, startCli } from '../run-cli.ts';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Judge = (received: Received) => number;

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'payreq-'));
});
after(() => rmSync(folder, { recursive: true }));

/** A listener as a merchant writes one, over plain HTTP on this machine. */
async function startListener(judge: Judge) {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(one);
    response.writeHead(judge(one)).end('seen');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, received, close };
}

const LISTENER = {
  username: 'shop',
  password: 'right',
  signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};

/** A correct listener. */
const verified: Judge = ({ headers, body }) => {
  const basic = Buffer.from(`${LISTENER.username}:${LISTENER.password}`).toString('base64');
  if (headers.authorization !== `Basic ${basic}`) return 401;
  try {
    new Webhook(LISTENER.signingSecret).verify(body, headers as Record<string, string>);
    return 204;
  } catch {
    return 400;
  }
};

describe('payreq verify-listener', () => {
  async function verify(judge: Judge) {
    const listener = await startListener(judge);
    try {
      const ran = await runCli(
        ['verify-listener', listener.url, '--json', '--signing-secret', LISTENER.signingSecret],
        {
          LOCAL_DIR: folder,
          PAYREQ_LISTENER_USERNAME: LISTENER.username,
          PAYREQ_LISTENER_PASSWORD: LISTENER.password,
        },
      );
      const { checks, ok } = ran.json() as { ok: boolean; checks: { name: string; ok: boolean }[] };
      const failed = checks.filter((check) => !check.ok).map(({ name }) => name);
      assert.equal(checks.length, LISTENER_CHECKS.length);
      assert.equal(ok, failed.length === 0);
      assert.equal(ran.exitCode, ok ? 0 : 1);
      return { failed, received: listener.received };
    } finally {
      await listener.close();
    }
  }

  it('finds nothing wrong with a listener that verifies everything', async () => {
    const { failed, received } = await verify(verified);
    assert.deepEqual(failed, []);
    for (const { body } of received) {
      const event = JSON.parse(body);
      assert.equal(event.eventType, 'PAYMENT-FAILED');
      assert.equal(event.test, true);
      assert.equal(event.resource.id, '00000000-0000-0000-0000-000000000000');
      assert.equal(event.resource.status, 'FAILED');
    }
  });

  it('finds a listener that takes everything', async () => {
    const { failed } = await verify(() => 200);
    const wanted = LISTENER_CHECKS.filter(({ expected }) => expected === 'REFUSED');
    assert.deepEqual(
      failed,
      wanted.map(({ name }) => name),
    );
  });

  it('finds a listener that looks at the signature alone, or at the password alone', async () => {
    const basic = `Basic ${Buffer.from('shop:right').toString('base64')}`;
    const signatureAlone = await verify((received) =>
      verified({ ...received, headers: { ...received.headers, authorization: basic } }),
    );
    assert.deepEqual(signatureAlone.failed, ['a wrong password', 'no Authorization']);
    const passwordAlone = await verify(({ headers }) =>
      headers.authorization === basic ? 204 : 401,
    );
    assert.ok(passwordAlone.failed.includes('a wrong signature'));
    assert.ok(!passwordAlone.failed.includes('a wrong password'));
  });

  it('finds a listener that refuses a repeat, and one that stumbles over what it refuses', async () => {
    const seen = new Set<unknown>();
    const { failed } = await verify((received) => {
      const answer = verified(received);
      if (answer !== 204) return 500;
      const id = received.headers['webhook-id'];
      if (seen.has(id)) return 409;
      seen.add(id);
      return 204;
    });
    assert.ok(failed.includes('the same webhook again'));
    assert.ok(failed.includes('the same webhook five times at once'));
    assert.ok(failed.includes('a wrong signature'));
    assert.ok(!failed.includes('a webhook'));
  });

  it('tells people what to repair, also where nobody listens', async () => {
    const { stdout, exitCode } = await runCli(
      ['verify-listener', 'http://127.0.0.1:1/', '--listener-username', 'u'].concat([
        ...['--listener-password', 'p', '--signing-secret', LISTENER.signingSecret],
      ]),
    );
    assert.equal(exitCode, 1);
    assert.match(stdout, /^FAIL +a webhook +must be taken +.*ECONNREFUSED/m);
    assert.match(stdout, /17 of 17 checks failed/);
  });

  it('says what is missing without credentials', async () => {
    const none = { LOCAL_DIR: join(folder, 'nothing') };
    const { stderr, exitCode } = await runCli(['verify-listener', 'http://127.0.0.1:1/'], none);
    assert.equal(exitCode, 1);
    assert.match(stderr, /No credentials were given, and .*credentials.json cannot be read/);
  });
});

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
    const child = spawn(process.execPath, ['--', CLI, ...argsOf(url, [])], {
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
    return id;
  }

  it('listen forwards each event, byte for byte, signed with the secret it prints', async () => {
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
    new Webhook(started.listener.signingSecret).verify(request.body, headers);
    const { username, password } = started.listener;
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    assert.equal(headers.authorization, `Basic ${basic}`);
    assert.equal(await listening.stop(), 0);
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

  it('trigger creates a request that ends as asked, and waits for its events', async () => {
    const time = setInterval(() => void service.advance(5), 200);
    try {
      for (const [outcome, statuses] of [
        ['depositSubmit:0', ['PAID']],
        ['depositFail:SUSPECTED_FRAUD', ['FAILED']],
        ['depositLate', ['EXPIRED', 'PAID']],
        ['depositNoWebhook', ['PAID']],
      ] as const) {
        const ran = await runCli(['trigger', outcome, '--json'], { LOCAL_DIR: localDir });
        assert.equal(ran.exitCode, 0, ran.stderr);
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
