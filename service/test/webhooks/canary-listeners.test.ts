import assert from 'node:assert/strict';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, isIPv4, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '#lib/clock.ts';
import { attemptsOf } from '#webhooks/deliveries/attempt-store.ts';
import { createNameResolver } from '#webhooks/https/resolve-name.ts';
import { createWebhookSender } from '#webhooks/https/send-webhook.ts';
import { createWebhookUrlGuard } from '#webhooks/https/url-guard.ts';
import { eventually } from '../support/eventually.ts';
import { type DnsServer, type DnsZone, startDnsServer } from '../support/network/dns-server.ts';
import { notationsOf } from '../support/network/ipv4-notations.ts';
import { emptyWebhookTo } from '../support/webhooks/empty-webhook.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

/** The address that the operator allowed; nothing but a listener that redirects is there. */
const ALLOWED = '127.0.0.9';

/** The addresses of a machine that webhooks must not reach: its loopback and its own addresses. */
const OWN = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ address }) => !address.startsWith('fe80'))
  .map(({ address }) => address);

/** Counts the connections that it accepts, on every own address at the same port. */
interface Canary {
  readonly port: number;
  readonly seen: string[];
  close(): Promise<void>;
}

let canary: Canary;
let dns: DnsServer;
let outbox: WebhookDeliveries;
let redirecting: Server;
let zone: DnsZone = () => 'NXDOMAIN';

before(async () => {
  canary = await startCanary();
  dns = await startDnsServer((name, family) => zone(name, family));
  outbox = await createWebhookDeliveries();
  const tls = await outbox.authority.issue({ names: ['redirecting.example', 'rebind.example'] });
  redirecting = createHttpsServer(tls, (request, response) => {
    const to = decodeURIComponent(request.url?.slice(1) ?? '');
    response.writeHead(307, { location: to, connection: 'close' }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, ALLOWED, resolve));
});
after(async () => {
  await outbox.close();
  redirecting.close();
  await Promise.all([dns.close(), canary.close()]);
});
beforeEach(() => {
  canary.seen.length = 0;
});

async function startCanary(): Promise<Canary> {
  const seen: string[] = [];
  const servers: Server[] = [];
  let port = 0;
  for (const address of OWN) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      seen.push(`${address} from ${socket.remotePort}`);
    });
    await new Promise<void>((resolve) => server.listen(port, address, resolve));
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  return {
    port,
    seen,
    close: async () => {
      for (const server of servers) server.close();
    },
  };
}

function createGuard() {
  return createWebhookUrlGuard({
    allowCidrs: [`${ALLOWED}/32`],
    allowPorts: '*',
    resolvers: [dns.address],
    resolveName: createNameResolver({ servers: [dns.address], hostsFile: async () => [] }),
  });
}

/** Sends one webhook after the other, without the delivery loop. */
async function outcomesOf(urls: readonly string[]): Promise<string[]> {
  const { caPem } = outbox.authority;
  const sender = createWebhookSender({ clock: systemClock, guard: createGuard(), caPem });
  const outcomes: string[] = [];
  for (const url of urls) {
    outcomes.push((await sender.send(emptyWebhookTo(url))).outcome);
  }
  await sender.close();
  return outcomes;
}

const at = (host: string) =>
  `https://${isIPv4(host) || !/:/.test(host) ? host : `[${host}]`}:${canary.port}/`;

function toNumber(ipv4: string): number {
  return ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

const FORBIDDEN = new Set(['FORBIDDEN_ADDRESS', 'FORBIDDEN_URL']);

describe('canary listeners on the loopback and on every own address', () => {
  it('see whoever comes', async () => {
    for (const address of OWN) {
      const socket = connect(canary.port, address);
      await eventually(() => canary.seen.some((one) => one.startsWith(`${address} `)), address);
      socket.destroy();
    }
    assert.equal(canary.seen.length, OWN.length);
  });

  it('see no delivery, whatever literal, name or redirect its URL has', async () => {
    const records: Readonly<Record<string, readonly string[]>> = {
      'loopback.example 4': ['127.0.0.1'],
      'loopback-six.example 6': ['::1'],
      'mapped.example 6': ['::ffff:127.0.0.1'],
      'nat64.example 6': ['64:ff9b::7f00:1'],
      'own.example 4': OWN.filter(isIPv4),
      'mixed.example 4': [ALLOWED, '127.0.0.1'],
      'mixed-six.example 4': [ALLOWED],
      'mixed-six.example 6': ['::1'],
      'redirecting.example 4': [ALLOWED],
    };
    zone = (name, family) => records[`${name} ${family}`] ?? [];
    const hosts = [
      ...OWN,
      ...OWN.filter(isIPv4).flatMap((address) => notationsOf(toNumber(address))),
      '0.0.0.0',
      '0',
      '::',
      '::127.0.0.1',
      '127.1',
      'localhost',
      'LOCALHOST.',
      'anything.localhost',
      ...new Set(Object.keys(records).map((key) => key.replace(/ .$/, ''))),
    ].filter((host) => host !== 'redirecting.example');
    const { port } = redirecting.address() as AddressInfo;
    const redirects = [at('127.0.0.1'), at('::1'), at('loopback.example')].map(
      (to) => `https://redirecting.example:${port}/${encodeURIComponent(to)}`,
    );
    const urls = [
      ...hosts.map((host) => at(host.replace(/^\[|\]$/g, ''))),
      at('127.0.0.1').replace('https://', 'https://user:password@'),
      at('127.0.0.1').replace('https:', 'http:'),
      ...redirects,
    ];

    for (const webhookUrl of urls) {
      // Each URL has its own merchant, so that no breaker keeps the next of an origin back.
      const { id: merchantId } = await outbox.addMerchant();
      await outbox.enqueue({ merchantId, webhookUrl });
    }
    outbox.startSender({ guard: createGuard() }).wake();
    await eventually(async () => (await outbox.deliveries()).every(({ attempts }) => attempts > 0));
    const ended = await outbox.database.sql<{ url: string; outcome: string }>(
      `SELECT url, outcome FROM webhook_deliveries d, LATERAL ${attemptsOf('d.id')} log`,
    );
    for (const { url, outcome } of ended) {
      const expected = url.includes('redirecting') ? 'REDIRECTED' : 'FORBIDDEN';
      assert.match(outcome, new RegExp(`^${expected}`), url);
    }
    assert.ok(ended.length >= urls.length, `${ended.length} of ${urls.length}`);
    assert.deepEqual(canary.seen, []);
  });

  it('see nothing of a name that leads elsewhere each time it is asked', async () => {
    let questions = 0;
    zone = (_name, family) => {
      if (family === 6) return [];
      questions += 1;
      return [questions % 2 === 0 ? '127.0.0.1' : ALLOWED];
    };
    const { port } = redirecting.address() as AddressInfo;
    // The port of the canary is open on the allowed address to nobody: that attempt is refused.
    const outcomes = await outcomesOf([
      ...Array(4).fill(`https://rebind.example:${canary.port}/`),
      ...Array(4).fill(`https://rebind.example:${port}/`),
    ]);
    assert.deepEqual(outcomes, [
      'CONNECTION_REFUSED',
      'FORBIDDEN_ADDRESS',
      'CONNECTION_REFUSED',
      'FORBIDDEN_ADDRESS',
      'REDIRECTED',
      'FORBIDDEN_ADDRESS',
      'REDIRECTED',
      'FORBIDDEN_ADDRESS',
    ]);
    assert.deepEqual(canary.seen, []);
  });

  it('see nothing, whichever forbidden address stands wherever among the answers', async () => {
    const forbidden = fc.constantFrom(...OWN, '::ffff:127.0.0.1', '64:ff9b::7f00:1', '0.0.0.0');
    await fc.assert(
      fc.asyncProperty(
        forbidden,
        fc.array(fc.constantFrom(ALLOWED, ...OWN), { maxLength: 5 }),
        fc.nat(),
        async (address, others, place) => {
          const answers = others.toSpliced(place % (others.length + 1), 0, address);
          zone = (_name, family) => answers.filter((one) => isIPv4(one) === (family === 4));
          const [outcome] = await outcomesOf([at('any.example')]);
          assert.equal(outcome, 'FORBIDDEN_ADDRESS', answers.join(', '));
        },
      ),
      { numRuns: 50 },
    );
    assert.deepEqual(canary.seen, []);
  });

  it('see nothing of an own address in any spelling', async () => {
    const urls = OWN.filter(isIPv4)
      .flatMap((address) => notationsOf(toNumber(address)))
      .map((host) => `https://${host}:${canary.port}/`);
    const outcomes = await outcomesOf(urls);
    assert.ok(outcomes.every((outcome) => FORBIDDEN.has(outcome)));
    assert.deepEqual(canary.seen, []);
  });
});
