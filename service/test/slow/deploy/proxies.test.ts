import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, request } from 'undici';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { ensurePackages } from '../../support/debian-packages.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import {
  type Backend,
  DEPLOYED,
  type DeployedProxy,
  startDeployedProxy,
} from '../../support/network/deployed-proxies.ts';
import { settingsOf } from '../../support/service/service.ts';
import {
  authorizeAt,
  type SpawnedService,
  spawnService,
} from '../../support/service/spawned-service.ts';

const BODY = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
const CALLERS = 8;
/** Longer than the checks of HAProxy take: two, one second apart. */
const DELAY_SECONDS = '5';
const PROBLEM = /^application\/problem\+json/;

let database: TestDatabase;
let settings: Record<string, string>;
let headers: Record<string, string>;
let backends: [Backend, Backend];
const services: (SpawnedService | undefined)[] = [];

before(async () => {
  await ensurePackages({ haproxy: '/usr/sbin/haproxy', nginx: '/usr/sbin/nginx' });
  database = await createTestDatabase('production');
  settings = {
    ...settingsOf('production', database.url),
    TRUSTED_PROXIES: '127.0.0.1',
    SHUTDOWN_DELAY_SECONDS: DELAY_SECONDS,
  };
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const [one = 0, oneOps = 0, two = 0, twoOps = 0] = ports;
  backends = [
    { port: one, opsPort: oneOps },
    { port: two, opsPort: twoOps },
  ];
  const url = await start(0);
  headers = { ...(await authorizeAt(url, database, settings)), 'content-type': 'application/json' };
  await start(1);
});
after(async () => {
  for (const service of services) service?.signalGroup('SIGKILL');
  await database?.drop();
});

async function start(index: 0 | 1): Promise<string> {
  const { port, opsPort } = backends[index];
  const env = { ...settings, PORT: `${port}`, OPS_PORT: `${opsPort}` };
  const service = spawnService({ args: ['--roles', 'api'], env });
  services[index] = service;
  return (await service.started()).url;
}

interface Called {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function call(
  dispatcher: Agent,
  url: string,
  options: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string } = {},
): Promise<Called> {
  const answer = await request(url, { dispatcher, ...options });
  const type = String(answer.headers['content-type'] ?? '');
  return { status: answer.statusCode, type, text: await answer.body.text() };
}

/** The calls that the process has answered by its own count. */
async function answered({ opsPort }: Backend): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  const counts = text.matchAll(/^http_request_duration_seconds_count\{.+\} (\d+)/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

interface Load {
  readonly calls: () => number;
  /** Stops the callers. @returns the calls without the answer that they deserve */
  end(): Promise<readonly string[]>;
}

/** Callers that create and read, each after its last answer, and repeat nothing. */
function startLoad(proxy: DeployedProxy, hasUnkeyedCalls: boolean): Load {
  const lost: string[] = [];
  let count = 0;
  let isOver = false;
  const url = `${proxy.url}/v1/payment-requests`;
  async function one(dispatcher: Agent, isKeyed: boolean): Promise<void> {
    const key = { 'idempotency-key': randomUUID() };
    const made = await call(dispatcher, url, {
      method: 'POST',
      headers: { ...headers, ...(isKeyed && key) },
      body: JSON.stringify(BODY),
    });
    if (made.status !== 201) lost.push(`create ${made.status} ${made.text}`);
    const { id } = JSON.parse(made.text);
    const read = await call(dispatcher, `${url}/${id}`, { headers });
    if (read.status !== 200) lost.push(`read ${read.status} ${read.text}`);
    count += 2;
  }
  const callers = Array.from({ length: CALLERS }, async (_, index) => {
    const dispatcher = proxy.agent();
    while (!isOver) {
      await one(dispatcher, index % 2 === 0 || !hasUnkeyedCalls).catch((error) => {
        lost.push(`${error}, after ${count} calls`);
        return sleep(50);
      });
    }
  });
  return {
    calls: () => count,
    async end() {
      isOver = true;
      await Promise.all(callers);
      return lost;
    },
  };
}

for (const program of DEPLOYED) {
  describe(`deploy/proxies, ${program}`, () => {
    let proxy: DeployedProxy;
    let agent: Agent;
    before(async () => {
      for (const index of [0, 1] as const) if (!services[index]) await start(index);
      proxy = await startDeployedProxy(program, backends);
      agent = proxy.agent();
    });
    after(() => proxy?.stop());

    it('passes on the address of the connection, and none that a caller invents', async () => {
      const forged = '203.0.113.9';
      const id = randomUUID();
      await call(proxy.agent({ localAddress: '127.0.0.7' }), `${proxy.url}/v1/payment-requests`, {
        headers: {
          'x-request-id': id,
          'x-forwarded-for': forged,
          'x-real-ip': forged,
          forwarded: `for=${forged}`,
        },
      });
      const lines = () => services.flatMap((service) => service?.lines ?? []);
      const line = await eventually(() => lines().find(({ requestId }) => requestId === id));
      assert.equal(line.sourceAddress, '127.0.0.7');
    });

    it('passes on the events of an open page at once', async () => {
      const url = `${proxy.url}/v1/payment-requests`;
      const made = await call(agent, url, { method: 'POST', headers, body: JSON.stringify(BODY) });
      const { id } = JSON.parse(made.text);
      const stream = await request(`${proxy.url}/pay/live/${id}?seen=1`, {
        dispatcher: proxy.agent(),
        headers: { accept: 'text/event-stream' },
      });
      assert.equal(stream.statusCode, 200);
      let text = '';
      stream.body.on('data', (chunk) => {
        text += chunk;
      });
      const ended = new Promise((resolve) => stream.body.once('end', resolve));
      await eventually(() => text.includes('event: ready'), 'the first event');
      assert.doesNotMatch(text, /changed/);
      await call(agent, `${url}/${id}/cancellation`, { method: 'POST', headers, body: '{}' });
      await ended;
      assert.match(text, /event: changed/);
    });

    it('keeps a call that waits', async () => {
      const url = `${proxy.url}/v1/payment-requests`;
      const made = await call(agent, url, { method: 'POST', headers, body: JSON.stringify(BODY) });
      const { id } = JSON.parse(made.text);
      const waiting = call(proxy.agent(), `${url}/${id}?waitSeconds=30`, { headers });
      await call(agent, `${url}/${id}/cancellation`, { method: 'POST', headers, body: '{}' });
      assert.match((await waiting).text, /"status":"CANCELLED"/);
    });

    for (const [title, bytes] of [
      ['of 100 kB', 100_000],
      ['of 5 MB', 5_000_000],
    ] as const) {
      it(`answers a body ${title} with a problem document`, async () => {
        const body = JSON.stringify({ ...BODY, displayMessage: 'x'.repeat(bytes) });
        const url = `${proxy.url}/v1/payment-requests`;
        const refused = await call(proxy.agent(), url, { method: 'POST', headers, body });
        assert.deepEqual([refused.status, refused.text.length < 1_000], [413, true]);
        assert.match(refused.type, PROBLEM);
        assert.equal(JSON.parse(refused.text).code, 'PAYLOAD_TOO_LARGE');
        assert.equal((await call(agent, `${proxy.url}/problems`)).status, 200);
      });
    }

    it('leads a person from plain HTTP to TLS, and refuses a call', async () => {
      const person = await request(`${proxy.plainUrl}/pay/abc`);
      await person.body.dump();
      assert.equal(person.statusCode, 301);
      assert.match(String(person.headers.location), /^https:\/\/.*\/pay\/abc$/);
      const program = await request(`${proxy.plainUrl}/oauth2/token`, { method: 'POST' });
      await program.body.dump();
      assert.equal(program.statusCode, 403);
    });

    // nginx knows nothing of readiness: a POST without a key can meet a closing connection.
    const kinds = program === 'haproxy' ? 'call, with or without a key' : 'safe or keyed call';
    it(`loses no ${kinds} while each process restarts`, async (context) => {
      const load = startLoad(proxy, program === 'haproxy');
      for (const index of [0, 1] as const) {
        const service = services[index];
        service?.child.kill('SIGTERM');
        assert.deepEqual(await service?.ended(), [0, null]);
        await start(index);
        // The proxy sends calls to it again before the next process stops.
        const early = await answered(backends[index]);
        await eventually(async () => (await answered(backends[index])) > early + 20);
      }
      const lost = await load.end();
      context.diagnostic(`${load.calls()} calls`);
      assert.deepEqual(lost, [], `of ${load.calls()} calls`);
      assert.ok(load.calls() > 100);
    });

    if (program === 'haproxy') {
      it('takes out a process that hangs, and not its neighbour', async () => {
        const become = (...wanted: readonly string[]) =>
          eventually(async () => {
            const states = await proxy.serverStates();
            assert.deepEqual(
              states.map((state) => state.split(' ')[0]),
              wanted,
            );
            return true;
          });
        await become('UP', 'UP');
        services[1]?.signalGroup('SIGSTOP');
        try {
          await become('UP', 'DOWN');
        } finally {
          services[1]?.signalGroup('SIGCONT');
        }
        await become('UP', 'UP');
      });
    }

    it('takes out a process that was killed, and loses no safe or keyed call', async () => {
      const load = startLoad(proxy, false);
      const running = () => load.calls();
      await eventually(() => running() > 50);
      services[1]?.signalGroup('SIGKILL');
      await services[1]?.ended();
      services[1] = undefined;
      const then = running();
      await eventually(() => running() > then + 100);
      assert.deepEqual(await load.end(), [], `of ${load.calls()} calls`);
    });

    it('answers with a problem document when no process lives', async () => {
      services[0]?.signalGroup('SIGKILL');
      await services[0]?.ended();
      services[0] = undefined;
      const url = `${proxy.url}/v1/payment-requests`;
      const refused = await call(proxy.agent(), url, { headers });
      assert.ok([502, 503].includes(refused.status), `${refused.status}`);
      assert.match(refused.type, PROBLEM);
      assert.equal(JSON.parse(refused.text).code, 'TEMPORARILY_UNAVAILABLE');
    });
  });
}
