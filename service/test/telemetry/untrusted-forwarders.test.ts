import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { SERVICE_VERSION } from '#version.ts';
import { runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import { startTestService, type TestService } from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';

const WARNING =
  'X-Forwarded-For comes from 127.0.0.1, which is not in TRUSTED_PROXIES: run payreq doctor';

let service: TestService;

afterEach(() => service.stop());

async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  service = await startTestService({ settings });
}

/** Calls the public listener as a proxy does for different clients. */
async function callThroughProxy(times: number, to = service): Promise<void> {
  for (let time = 0; time < times; time++) {
    const headers = { 'x-forwarded-for': `198.51.100.${time}` };
    await fetch(`${to.url}/.well-known/jwks.json`, { headers });
  }
}

async function readiness(of = service) {
  const answer = await fetch(`${of.opsUrl}/health/ready`);
  const body = (await answer.json()) as { status: string; warnings?: string[] };
  return { status: answer.status, body };
}

function warnings(of = service): number {
  return of.logLines.filter(({ msg }) => msg === 'X-Forwarded-For from an untrusted peer').length;
}

async function notedPeers(): Promise<string[]> {
  const query = 'SELECT peer FROM untrusted_forwarders ORDER BY peer';
  return (await service.database.sql<{ peer: string }>(query)).map(({ peer }) => peer);
}

async function doctor(settings: Readonly<Record<string, string>> = {}) {
  const { checks } = (await runCli(['doctor', '--json'], { ...service.env, ...settings })).json();
  return checks.find(({ name }: { name: string }) => name === 'proxies');
}

describe('an X-Forwarded-For from a peer that is not trusted', () => {
  it('is one line of the log, a sentence of readiness, and a fault of doctor', async () => {
    await start();
    assert.deepEqual(await readiness(), {
      status: 200,
      body: { status: 'ready', version: SERVICE_VERSION },
    });
    assert.equal((await doctor()).ok, true);
    await callThroughProxy(50);
    assert.equal(warnings(), 1);
    const ready = {
      status: 200,
      body: { status: 'ready', warnings: [WARNING], version: SERVICE_VERSION },
    };
    assert.deepEqual(await readiness(), ready);
    await eventually(async () => (await notedPeers()).length === 1, 'a row');
    assert.deepEqual(await notedPeers(), ['127.0.0.1']);

    const told = await doctor();
    assert.equal(told.ok, false);
    assert.match(told.message, /^X-Forwarded-For comes from 127\.0\.0\.1, last at 20/);
    assert.match(told.message, /All payers behind such a proxy count as one address: add it/);
  });

  it('is forgotten by doctor once TRUSTED_PROXIES names the peer, or it means nothing', async () => {
    await start();
    await callThroughProxy(1);
    await eventually(async () => (await notedPeers()).length === 1, 'a row');
    assert.equal((await doctor({ TRUSTED_PROXIES: '::1,10.0.0.0/8,127.0.0.0/8' })).ok, true);
    assert.equal((await doctor({ TRUSTED_PROXIES: '127.0.0.2,::1/128' })).ok, false);
    assert.equal((await doctor({ UNTRUSTED_FORWARDERS: 'ignore' })).ok, true);
    await service.advance(7 * 86_400 + 1);
    assert.equal((await doctor()).ok, true);
  });

  it('leaves readiness an hour after the last one', async () => {
    await start();
    await callThroughProxy(1);
    await service.advance(3_599);
    assert.deepEqual((await readiness()).body.warnings, [WARNING]);
    await service.advance(2);
    assert.equal((await readiness()).body.warnings, undefined);
  });

  it('leaves twenty rows at most, whoever sends it', async () => {
    await start();
    await service.database.sql(
      `INSERT INTO untrusted_forwarders (peer, last_seen_at)
       SELECT '192.0.2.' || n, service_now() - n * interval '1 minute'
       FROM generate_series(1, 30) n`,
    );
    await callThroughProxy(1);
    await eventually(async () => (await notedPeers()).includes('127.0.0.1'), 'a row');
    await eventually(async () => (await notedPeers()).length === 20, 'twenty rows');
    assert.ok(!(await notedPeers()).includes('192.0.2.20'));
  });

  it('writes a row every ten seconds at most', async () => {
    await start();
    await callThroughProxy(1);
    await eventually(async () => (await notedPeers()).length === 1, 'a row');
    await service.database.sql('DELETE FROM untrusted_forwarders');
    await callThroughProxy(20);
    assert.deepEqual(await notedPeers(), []);
    await service.advance(10);
    await callThroughProxy(1);
    await eventually(async () => (await notedPeers()).length === 1, 'a row');
  });
});

describe('an X-Forwarded-For that is believed, or of no meaning', () => {
  it('is not reported of a proxy in TRUSTED_PROXIES', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1' });
    await callThroughProxy(5);
    assert.equal(warnings(), 0);
    assert.deepEqual((await readiness()).body, { status: 'ready', version: SERVICE_VERSION });
  });

  it('is not reported with UNTRUSTED_FORWARDERS=ignore, nor on the operators’ listener', async () => {
    await start({ UNTRUSTED_FORWARDERS: 'ignore' });
    await callThroughProxy(5);
    assert.equal(warnings(), 0);
    const warning = await startServiceBeside(service, {
      settings: { UNTRUSTED_FORWARDERS: 'warn' },
    });
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    await fetch(`${warning.opsUrl}/health/ready`, { headers });
    assert.equal(warnings(warning), 0);
    await warning.stop();
    assert.deepEqual(await notedPeers(), []);
  });
});
