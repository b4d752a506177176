import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startTransferProduction } from '../../support/bank-transfer/transfer-production.ts';
import { signIn } from '../../support/console/console-client.ts';
import { readConsoleRoutes } from '../../support/console/console-routes.ts';
import { open } from '../../support/network/raw-call.ts';
import { type Production, startProduction } from '../../support/service/production.ts';

/** Connections of each row: a fault of one in 25 was seen, and a fault of the first. */
const CONNECTIONS = 100;
/** One more than the owed answers of a connection. */
const PIPELINED = 17;
/** A stream that nobody cuts would stay for ten minutes. */
const LEFT_OPEN_MS = 20;

interface Route {
  readonly title: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The path of an answer; a fresh one is of a payment request that nobody has asked for. */
  path(isFresh: boolean): Promise<string> | string;
}

/** How a caller leaves its connection. */
const CUTS: Readonly<Record<string, (socket: Socket) => Promise<void>>> = {
  'reset at once': async (socket) => void socket.resetAndDestroy(),
  'reset after a moment': async (socket) => {
    await wait(1);
    socket.resetAndDestroy();
  },
  'half-closed': async (socket) => {
    socket.end();
    await wait(LEFT_OPEN_MS);
    socket.destroy();
  },
  'sent 17 requests behind it': async (socket) => {
    socket.write('GET /problems HTTP/1.1\r\nHost: pay.test\r\n\r\n'.repeat(PIPELINED));
    await wait(LEFT_OPEN_MS);
    socket.destroy();
  },
};

const uncaught: unknown[] = [];
process.on('uncaughtExceptionMonitor', (error) => uncaught.push(error));

let production: Production;
let transfers: Production;
const routes: Route[] = [];

before(async () => {
  production = await startProduction();
  transfers = await startTransferProduction();
  routes.push(payerRoute('the payer’s page', production, ({ id }) => `/pay/live/${id}?seen=0`));
  for (const [title, network] of [
    ['the gateway’s page', production],
    ['the page of a bank transfer', transfers],
  ] as const) {
    routes.push(
      payerRoute(title, network, async ({ paymentLink }) => {
        const link = network.service.url + new URL(paymentLink).pathname;
        const opened = await fetch(link, { redirect: 'manual' });
        const page = new URL(opened.headers.get('location') ?? '', link);
        return `${page.pathname}/live?seen=0`;
      }),
    );
  }
  routes.push(...(await callRoutes()), ...(await consoleRoutes()));
});
after(async () => {
  await production?.stop();
  await transfers?.stop();
});

type Link = Awaited<ReturnType<Production['createLink']>>;

function payerRoute(
  title: string,
  of: Production,
  liveOf: (link: Link) => Promise<string> | string,
): Route {
  const fresh = async () => liveOf(await of.createLink());
  const known = fresh().then(async (path) => {
    assert.equal((await fetch(of.service.url + path)).status, 200, path);
    return path;
  });
  const path = (isFresh: boolean) => (isFresh ? fresh() : known);
  return { title, url: of.service.url, headers: { accept: 'text/event-stream' }, path };
}

/** Calls of the OpenAPI document that stream a list or wait for a change. */
async function callRoutes(): Promise<Route[]> {
  const { service, merchant } = production;
  const answer = await fetch(`${service.url}/openapi.json`);
  const { paths } = (await answer.json()) as { readonly paths: Record<string, PathItem> };
  const { id } = await production.createLink();
  const found: Route[] = [];
  for (const [template, { get }] of Object.entries(paths)) {
    const waits = get?.parameters?.some(({ name }) => name === 'waitSeconds');
    const streams = get?.responses?.['200']?.content?.['text/csv'];
    if (!waits && !streams) continue;
    const base = `/v1${template.replace(/\{\w+\}/g, id)}`;
    const query = template.includes('report') ? '?date=2026-01-01' : '?';
    const path = () => (waits ? `${base}?waitSeconds=30` : base + query);
    const headers = { ...merchant.headers, accept: streams ? 'text/csv' : 'application/json' };
    found.push({ title: `GET ${template}`, url: service.url, headers, path });
  }
  assert.ok(found.length >= 6, `${found.length} calls`);
  return found;
}

interface PathItem {
  readonly get?: {
    readonly parameters?: readonly { readonly name: string }[];
    readonly responses?: Readonly<Record<string, { readonly content?: Record<string, unknown> }>>;
  };
}

/** The live figures and the files of the console. */
async function consoleRoutes(): Promise<Route[]> {
  const { service, merchant } = production;
  const { id } = await production.createLink();
  const people = {
    operator: await signIn(service, { role: 'operator' }),
    merchant: await signIn(service, { role: 'administrator', merchantId: merchant.merchantId }),
  };
  const all = await readConsoleRoutes();
  const streamed = all.filter(
    ({ method, path }) => method === 'GET' && /\/live$|\.csv$/.test(path),
  );
  assert.ok(streamed.length >= 10, `${streamed.length} routes`);
  return streamed.map(({ path }) => {
    const person = path.includes('/:merchant') ? people.merchant : people.operator;
    const address = path.replace(':merchant', merchant.merchantId).replace(':id', id);
    const isLive = path.endsWith('/live');
    const headers = { cookie: person.cookies(), ...(isLive && { accept: 'text/event-stream' }) };
    const to = `/console${address}${isLive ? '?seen=0' : ''}`;
    return { title: `/console${path}`, url: service.url, headers, path: () => to };
  });
}

async function cut(route: Route, path: string, how: (socket: Socket) => Promise<void>) {
  const socket = open(route.url);
  const lines = Object.entries(route.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  await once(socket, 'connect');
  socket.resume().write(`GET ${path} HTTP/1.1\r\nHost: pay.test\r\n${lines.join('')}\r\n`);
  await how(socket);
}

/** The answers to a route's requests are cut; the service must serve on. */
async function cutAll(route: Route, way: string, isFresh: boolean): Promise<void> {
  const how = CUTS[way] as (socket: Socket) => Promise<void>;
  const paths: string[] = [];
  for (let count = 0; count < 2 * CONNECTIONS; count++) paths.push(await route.path(isFresh));
  const [together, apart] = [paths.slice(0, CONNECTIONS), paths.slice(CONNECTIONS)];
  await Promise.all(together.map((path) => cut(route, path, how)));
  for (const path of apart) await cut(route, path, how);
  await wait(LEFT_OPEN_MS);
  const where = `${route.title}, ${way}, ${isFresh ? 'fresh' : 'known'}`;
  assert.deepEqual(uncaught, [], where);
  assert.equal((await fetch(`${route.url}/problems`)).status, 200, where);
}

describe('a caller that leaves a streamed answer ends nothing but its connection', () => {
  for (const way of Object.keys(CUTS)) {
    it(`on every such route: ${way}`, { timeout: 600_000 }, async () => {
      for (const route of routes) {
        await cutAll(route, way, false);
        if (route.title.startsWith('the ')) await cutAll(route, way, true);
      }
    });
  }
});
