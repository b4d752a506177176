import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '#lib/clock.ts';
import { createHostsFile, parseHosts } from '#webhooks/https/hosts-file.ts';
import { createNameResolver } from '#webhooks/https/resolve-name.ts';
import { createWebhookSender } from '#webhooks/https/send-webhook.ts';
import {
  createWebhookUrlGuard,
  type GuardOptions,
  type WebhookUrlGuard,
} from '#webhooks/https/url-guard.ts';
import { type DnsServer, type DnsZone, startDnsServer } from '../support/network/dns-server.ts';
import { emptyWebhookTo } from '../support/webhooks/empty-webhook.ts';
import {
  createTestAuthority,
  type HttpsListener,
  startHttpsListener,
  type TestAuthority,
} from '../support/webhooks/https-listener.ts';

const PUBLIC = '93.184.215.14';
/** A good server on a busy machine answers within this time. */
const RESOLVE_MS = 15_000;
/** For names whose server is silent. */
const SHORT_RESOLVE_MS = 300;

const ZONE: Readonly<Record<string, ReturnType<DnsZone>>> = {
  'shop.example 4': [PUBLIC],
  'only-six.example 6': ['2606:4700::1111'],
  'private.example 4': ['10.0.0.1'],
  'mixed.example 4': [PUBLIC, '127.0.0.1'],
  'mixed-six.example 4': [PUBLIC],
  'mixed-six.example 6': ['2606:4700::1111', 'fd00::1'],
  'mapped.example 4': [PUBLIC],
  'mapped.example 6': ['::ffff:127.0.0.1'],
  'nat64.example 6': ['64:ff9b::5db8:d70e'],
  'nat64-private.example 6': ['64:ff9b::a00:1'],
  'many.example 4': Array.from({ length: 25 }, (_, n) => `93.184.215.${n}`),
  'half-broken.example 4': [PUBLIC],
  'half-broken.example 6': 'SERVFAIL',
  'broken.example 4': 'SERVFAIL',
  'broken.example 6': 'SERVFAIL',
  'silent.example 4': 'SILENCE',
  'silent.example 6': 'SILENCE',
  'half-silent.example 4': [PUBLIC],
  'half-silent.example 6': 'SILENCE',
  'empty.example 4': [],
};

let dns: DnsServer;

before(async () => {
  dns = await startDnsServer((name, family) => {
    const known = ZONE[`${name} ${family}`];
    if (known) return known;
    return Object.keys(ZONE).some((key) => key.startsWith(`${name} `)) ? [] : 'NXDOMAIN';
  });
});
after(() => dns.close());

type GuardChange = Partial<GuardOptions> & { hosts?: string; timeoutMs?: number };

function createGuard(options: GuardChange = {}) {
  const hosts = parseHosts(options.hosts ?? '127.0.0.1 localhost');
  return createWebhookUrlGuard({
    allowCidrs: [],
    allowPorts: [443],
    resolvers: [dns.address],
    resolveName: createNameResolver({
      servers: [dns.address],
      hostsFile: async (name) => hosts.get(name) ?? [],
      timeoutMs: options.timeoutMs ?? RESOLVE_MS,
    }),
    ...options,
  });
}

async function reasonFor(url: string, options?: Parameters<typeof createGuard>[0]) {
  const verdict = await createGuard(options).check(url, 'save');
  return verdict.allowed ? null : verdict.reason;
}

describe('the URL of a webhook', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['http://shop.example/', /must begin with https/],
    ['ftp://shop.example/', /must begin with https/],
    ['javascript:alert(1)', /must begin with https/],
    ['shop.example/hook', /is not a URL/],
    ['', /is not a URL/],
    ['https://', /is not a URL/],
    ['https://user@shop.example/', /user name or password/],
    ['https://user:pass@shop.example/', /user name or password/],
    ['https://:pass@shop.example/', /user name or password/],
    ['https://@shop.example/', /user name or password/],
    ['https:@shop.example/', /user name or password/],
    ['https:///:@shop.example/', /user name or password/],
    ['https://shop.example/#part', /fragment/],
    ['https://shop.example/#', /fragment/],
    ['https://shop.example:8443/', /must use port 443/],
    ['https://shop.example:0/', /must use port 443/],
    ['https://shop.example/a b', /spaces/],
    [' https://shop.example/', /spaces/],
    ['https://shop.exa\nmple/', /control characters/],
    ['https://shop.example\\@10.0.0.1/', /backslashes/],
    ['https://shop.example../', /host name/],
    ['https://./', /host name/],
    [`https://shop.example/${'a'.repeat(2048)}`, /at most 2048/],
    [`https://shop.example/${'é'.repeat(1000)}`, /at most 2048/],
    [`https://shop.example/${'./'.repeat(1024)}`, /at most 2048/],
  ];
  for (const [url, reason] of refused) {
    it(`is refused as ${JSON.stringify(url.slice(0, 40))}`, async () => {
      assert.match((await reasonFor(url)) ?? 'accepted', reason);
    });
  }

  it('is accepted with a path, a query and its own port', async () => {
    for (const url of [
      'https://shop.example',
      'https://shop.example:443/hook?order=1&x=%20',
      'https://SHOP.example./hook',
      'https://shop.example/to:someone@elsewhere.example',
      `https://shop.example/${'a'.repeat(2048 - 'https://shop.example/'.length)}`,
    ]) {
      assert.equal(await reasonFor(url), null, url.slice(0, 40));
    }
  });

  it('may use the ports that the operator allowed', async () => {
    const some = { allowPorts: [443, 8443] };
    assert.equal(await reasonFor('https://shop.example:8443/', some), null);
    assert.match((await reasonFor('https://shop.example:8444/', some)) ?? '', /443, 8443/);
    assert.equal(await reasonFor('https://shop.example:8444/', { allowPorts: '*' }), null);
  });

  it('comes back without a trailing dot, in one spelling', async () => {
    const verdict = await createGuard().check('https://SHOP.example.:443/Hook', 'save');
    assert.ok(verdict.allowed);
    assert.equal(verdict.url.href, 'https://shop.example/Hook');
    assert.deepEqual(verdict.addresses, [PUBLIC]);
  });
});

describe('the name in a webhook URL', () => {
  const check = (name: string, purpose: 'save' | 'deliver' = 'deliver', options = {}) =>
    createGuard(options).check(`https://${name}/`, purpose);

  for (const name of ['shop.example', 'only-six.example', 'nat64.example']) {
    it(`is allowed as ${name}`, async () => {
      const verdict = await check(name);
      assert.ok(verdict.allowed);
      assert.equal(verdict.addresses.length, 1);
    });
  }

  for (const name of [
    'private.example',
    'mixed.example',
    'mixed-six.example',
    'mapped.example',
    'nat64-private.example',
  ]) {
    it(`is refused as ${name}: one forbidden address is enough`, async () => {
      for (const purpose of ['save', 'deliver'] as const) {
        const verdict = await check(name, purpose);
        assert.ok(!verdict.allowed);
        assert.equal(verdict.refusal, 'FORBIDDEN_ADDRESS');
        assert.doesNotMatch(verdict.reason, /\d/, 'no address is told');
      }
    });
  }

  for (const name of [
    'unknown.example',
    'empty.example',
    'broken.example',
    'half-broken.example',
  ]) {
    it(`is not delivered to as ${name}, but may be saved`, async () => {
      const verdict = await check(name);
      assert.ok(!verdict.allowed);
      assert.equal(verdict.refusal, 'NAME_NOT_RESOLVED');
      const saved = await check(name, 'save');
      assert.deepEqual(saved.allowed && saved.addresses, []);
    });
  }

  for (const name of ['silent.example', 'half-silent.example']) {
    it(`is given up in time as ${name}`, async () => {
      const startedAt = performance.now();
      const verdict = await check(name, 'deliver', { timeoutMs: SHORT_RESOLVE_MS });
      const tookMs = performance.now() - startedAt;
      assert.ok(!verdict.allowed);
      assert.equal(verdict.refusal, 'NAME_TIMED_OUT');
      assert.ok(tookMs >= SHORT_RESOLVE_MS - 5 && tookMs < RESOLVE_MS, `${tookMs} ms`);
    });
  }

  it('leads to sixteen addresses at most', async () => {
    const verdict = await check('many.example');
    assert.ok(verdict.allowed);
    assert.equal(verdict.addresses.length, 16);
  });

  it('is looked up in the hosts file first', async () => {
    const asked = dns.questions.length;
    const hosts = '10.1.1.1 shop.example\n93.184.215.20\tprivate.example other # comment\n';
    assert.equal((await check('shop.example', 'save', { hosts })).allowed, false);
    const verdict = await check('Private.EXAMPLE', 'deliver', { hosts });
    assert.deepEqual(verdict.allowed && verdict.addresses, ['93.184.215.20']);
    assert.equal(dns.questions.length, asked);
  });

  for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'anything.localhost']) {
    it(`is loopback as ${name}, whatever DNS would say`, async () => {
      const asked = dns.questions.length;
      const verdict = await check(name);
      assert.equal(!verdict.allowed && verdict.refusal, 'FORBIDDEN_ADDRESS');
      const allowCidrs = ['127.0.0.1/32', '::1/128'];
      assert.equal((await check(name, 'deliver', { allowCidrs })).allowed, true);
      assert.equal(dns.questions.length, asked);
    });
  }

  it('is refused when it leads to this host’s own public address', async () => {
    const verdict = await check('shop.example', 'deliver', { ownAddresses: () => [PUBLIC] });
    assert.equal(!verdict.allowed && verdict.refusal, 'FORBIDDEN_ADDRESS');
  });
});

describe('a guard without further options', () => {
  const options = { allowCidrs: [], allowPorts: [443] };

  it('asks the given servers for a name', async () => {
    const guard = createWebhookUrlGuard({ ...options, resolvers: [dns.address] });
    const verdict = await guard.check('https://private.example/', 'deliver');
    assert.equal(!verdict.allowed && verdict.refusal, 'FORBIDDEN_ADDRESS');
  });

  it('refuses the public addresses of this host', async () => {
    const { networkInterfaces } = os;
    const [loopback] = Object.values(networkInterfaces()).flat();
    assert.ok(loopback);
    os.networkInterfaces = () => ({ eth0: [{ ...loopback, address: PUBLIC }], eth1: undefined });
    syncBuiltinESMExports();
    try {
      const guard = createWebhookUrlGuard({ ...options, resolvers: [] });
      const verdict = await guard.check(`https://${PUBLIC}/`, 'deliver');
      assert.equal(!verdict.allowed && verdict.refusal, 'FORBIDDEN_ADDRESS');
    } finally {
      os.networkInterfaces = networkInterfaces;
      syncBuiltinESMExports();
    }
  });
});

describe('the hosts file', () => {
  it('is read again when it has changed, and may be missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
    const path = join(folder, 'hosts');
    const hosts = createHostsFile(path);
    assert.deepEqual(await hosts('shop.example'), []);
    await writeFile(path, '10.0.0.1 shop.example\n::1 shop.example\n');
    assert.deepEqual(await hosts('Shop.example'), ['10.0.0.1', '::1']);
    await writeFile(path, '10.0.0.22 shop.example\n');
    assert.deepEqual(await hosts('shop.example'), ['10.0.0.22']);
    await rm(folder, { recursive: true });
  });
});

describe('a name whose answer changes', () => {
  let authority: TestAuthority;
  before(async () => {
    authority = await createTestAuthority();
  });

  /** A sender for `rebind.example`, which leads to 127.0.0.1 (allowed) while `isGood`. */
  async function createCase(isGood: () => boolean) {
    const server = await startDnsServer((_name, family) =>
      family === 6 ? [] : [isGood() ? '127.0.0.1' : '127.0.0.2'],
    );
    const listener = await startHttpsListener({
      tls: await authority.issue({ names: ['rebind.example'] }),
      answering: (_request, response) => response.writeHead(200, { connection: 'close' }).end(),
    });
    const sender = createWebhookSender({
      clock: systemClock,
      caPem: authority.caPem,
      guard: createGuard({
        allowCidrs: ['127.0.0.1/32'],
        allowPorts: '*',
        resolveName: createNameResolver({ servers: [server.address], hostsFile: async () => [] }),
      }),
    });
    const url = `https://rebind.example:${listener.port}/`;
    const webhook = emptyWebhookTo(url);
    return {
      server,
      listener,
      send: async () => (await sender.send(webhook)).outcome,
      async close() {
        await Promise.all([sender.close(), listener.close(), server.close()]);
      },
    };
  }

  it('is judged again for each new connection', async () => {
    let isGood = true;
    const { send, listener, close } = await createCase(() => isGood);
    assert.equal(await send(), 'SUCCEEDED');
    isGood = false;
    assert.equal(await send(), 'FORBIDDEN_ADDRESS');
    isGood = true;
    assert.equal(await send(), 'SUCCEEDED');
    assert.equal(listener.connections(), 2);
    await close();
  });

  it('is asked once for each connection: what was judged is what is connected to', async () => {
    let asked = 0;
    // The first answer is good; a second look-up, at connecting, would lead elsewhere.
    const { send, server, listener, close } = await createCase(() => asked++ === 0);
    assert.equal(await send(), 'SUCCEEDED');
    assert.deepEqual(server.questions.toSorted(), ['rebind.example 4', 'rebind.example 6']);
    assert.equal(listener.connections(), 1);
    await close();
  });
});

describe('a connection', () => {
  let authority: TestAuthority;
  let listener: HttpsListener;
  before(async () => {
    authority = await createTestAuthority();
    listener = await startHttpsListener({
      authority,
      tls: await authority.issue({ names: ['shop.example', '127.0.0.1'] }),
    });
  });
  after(() => listener.close());

  async function sendVia(guard: WebhookUrlGuard, host: string) {
    const sender = createWebhookSender({ clock: systemClock, caPem: authority.caPem, guard });
    const url = `https://${host}:${listener.port}/`;
    const webhook = emptyWebhookTo(url);
    const { outcome } = await sender.send(webhook);
    await sender.close();
    return outcome;
  }

  it('is ended before a byte is sent when it goes to an address that was not judged', async () => {
    const guard = createGuard({ allowPorts: '*' });
    const check: WebhookUrlGuard['check'] = async (url) => ({
      allowed: true,
      url: new URL(url),
      addresses: ['127.0.0.2'],
    });
    const sent = listener.requests.length;
    assert.equal(await sendVia({ ...guard, check }, '127.0.0.1'), 'FORBIDDEN_ADDRESS');
    assert.equal(listener.requests.length, sent);
  });

  it('is made to the next address where one does not answer', async () => {
    const guard = createGuard({
      allowPorts: '*',
      allowCidrs: ['127.0.0.0/8'],
      resolveName: async () => ({ found: true, addresses: ['127.0.0.9', '127.0.0.1'] }),
    });
    assert.equal(await sendVia(guard, 'shop.example'), 'SUCCEEDED');
  });
});
