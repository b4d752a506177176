import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '#lib/clock.ts';
import { onboardMerchant } from '#merchants/onboard-merchant.ts';
import { readConfig } from '../../../src/config.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../../support/network/tcp-proxy.ts';
import { COMMAND_LINE } from '../../support/service/command-line.ts';
import { buyToken, callAt, settingsOf } from '../../support/service/service.ts';

/** Addresses of this test alone: the lost host, the one after it, and the service. */
const LOST = '10.213.7.1';
const NEXT = '10.213.8.1';
const SERVICE = '10.213.9.2';
const PORT = 18_731;
const NAME = 'database.test';
/** Promised; a machine that does other work beside is given as much again. */
const HEAL_LIMIT_MS = 30_000;
const MOST_MS = 60_000;
const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

const id = randomBytes(3).toString('hex');
const space = `payreq-${id}`;
const outside = `pq${id}a`;
const inside = `pq${id}b`;

let database: TestDatabase;
let lost: TcpProxy;
let next: TcpProxy;
let service: ChildProcess;
let output = '';

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] });

/** A network of two ends; what is sent to an address that is taken away is dropped, in silence. */
function openNetwork(): void {
  try {
    ip('netns', 'add', space);
  } catch (error) {
    throw new Error('This test needs root, iproute2 and network namespaces.', { cause: error });
  }
  ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', space);
  ip('addr', 'add', `${LOST}/32`, 'dev', outside);
  ip('addr', 'add', `${NEXT}/32`, 'dev', outside);
  ip('link', 'set', outside, 'up');
  ip('route', 'add', `${SERVICE}/32`, 'dev', outside);
  const within = (...args: string[]) => ip('-n', space, ...args);
  within('link', 'set', 'lo', 'up');
  within('addr', 'add', `${SERVICE}/32`, 'dev', inside);
  within('link', 'set', inside, 'up');
  within('route', 'add', `${LOST}/32`, 'dev', inside, 'src', SERVICE);
  within('route', 'add', `${NEXT}/32`, 'dev', inside, 'src', SERVICE);
}

function closeNetwork(): void {
  for (const args of [
    ['route', 'del', 'blackhole', `${LOST}/32`],
    ['link', 'del', outside],
    ['netns', 'del', space],
  ]) {
    try {
      ip(...args);
    } catch {
      // It was not there yet, or not any more.
    }
  }
  rmSync(`/etc/netns/${space}`, { recursive: true, force: true });
}

/** `ip netns exec` shows this file as /etc/hosts. */
function nameLeadsTo(address: string): void {
  mkdirSync(`/etc/netns/${space}`, { recursive: true });
  writeFileSync(`/etc/netns/${space}/hosts`, `127.0.0.1 localhost\n${address} ${NAME}\n`);
}

/** The host is gone: its packets are dropped, and no reset comes. */
function loseHost(): void {
  ip('addr', 'del', `${LOST}/32`, 'dev', outside);
  ip('route', 'add', 'blackhole', `${LOST}/32`);
}

before(async () => {
  database = await createTestDatabase('sandbox');
  openNetwork();
  nameLeadsTo(LOST);
  lost = await startTcpProxy(database.address, LOST);
  next = await startTcpProxy(database.address, NEXT, lost.port);
});
after(async () => {
  service?.kill('SIGKILL');
  closeNetwork();
  await lost?.close();
  await next?.close();
  await database?.drop();
});

const url = `http://${SERVICE}:${PORT}`;
const call: typeof callAt = (path, method, options) => callAt(url + path, method, options);

function startService(env: Readonly<Record<string, string>>): void {
  service = spawn('ip', ['netns', 'exec', space, process.execPath, COMMAND_LINE, 'serve'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [service.stdout, service.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
}

describe('when the host of the database vanishes and its name moves to another', () => {
  it('creations are accepted again within half a minute, and outcomes happen', async (t) => {
    const address = new URL(database.url);
    address.host = `${NAME}:${lost.port}`;
    const env = {
      ...settingsOf('sandbox', address.href),
      HOST: SERVICE,
      PORT: `${PORT}`,
      OPS_HOST: '127.0.0.1',
    };
    startService(env);
    await eventually(() => canConnect(), `the service: ${output}`);
    const merchant = await onboardMerchant(
      {
        db: database.db,
        clock: systemClock,
        ...readConfig(env),
        checkWebhookUrl: async () => ({ allowed: true }),
        actor: 'test',
      },
      { name: 'Demo Shop', webhookUrl: null, webhookOrigins: [] },
    );
    const token = await buyToken((method, path, how = {}) => call(path, method, how), merchant);
    const headers = { 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` };
    const create = async (name: string) => {
      const body = { ...GOOD, payer: { ...GOOD.payer, name } };
      return call('/v1/payment-requests', 'POST', { headers, body });
    };
    const { json } = await create('depositSubmit');
    await Promise.all(Array.from({ length: 20 }, () => create('Ada')));

    nameLeadsTo(NEXT);
    loseHost();
    const startedMs = performance.now();
    const sinceMs = () => Math.round(performance.now() - startedMs);
    let doneInARow = 0;
    while (doneInARow < 5 && sinceMs() < MOST_MS) {
      // A call may hang until its connection is given up; the next ones do not wait for it.
      const answer = create('Ada').catch(() => null);
      const done = await Promise.race([answer, wait(500, null)]);
      doneInARow = done?.status === 201 ? doneInARow + 1 : 0;
    }
    t.diagnostic(`creations again after ${sinceMs()} ms`);
    await eventually(async () => {
      const read = await call(`/v1/payment-requests/${json.id}`, 'GET', { headers });
      return read.json?.status === 'PAID';
    }, 'the outcome');
    t.diagnostic(`outcomes again after ${sinceMs()} ms`);
    assert.equal(doneInARow, 5, output);
    assert.ok(sinceMs() < 2 * HEAL_LIMIT_MS, `${sinceMs()} ms`);
  });
});

function canConnect(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(PORT, SERVICE, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
