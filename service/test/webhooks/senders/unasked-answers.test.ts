import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { before, describe, it, mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '#lib/clock.ts';
import { createWebhookSender } from '#webhooks/https/send-webhook.ts';
import { createWebhookUrlGuard } from '#webhooks/https/url-guard.ts';
import { eventually } from '../../support/eventually.ts';
import { emptyWebhookTo } from '../../support/webhooks/empty-webhook.ts';
import {
  createTestAuthority,
  startTlsListener,
  type TestAuthority,
} from '../../support/webhooks/https-listener.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const REFUSED = 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n';
const INTERIM = 'HTTP/1.1 103 Early Hints\r\n\r\n';

let authority: TestAuthority;
before(async () => {
  authority = await createTestAuthority();
});

function createSender() {
  return createWebhookSender({
    clock: systemClock,
    guard: createWebhookUrlGuard({
      allowCidrs: ['127.0.0.1/32', '::1/128'],
      allowPorts: '*',
      resolvers: [],
    }),
    caPem: authority.caPem,
  });
}

/** Passes bytes on between a sender and a TLS listener, and can hold the end of a write back. */
async function startRelay(port: number) {
  const sockets: Socket[] = [];
  let passed = Number.POSITIVE_INFINITY;
  let held: (() => void) | null = null;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    sockets.push(near, far);
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', () => {});
    far.on('data', (bytes) => {
      near.write(bytes.subarray(0, passed));
      const rest = bytes.subarray(passed);
      passed = Number.POSITIVE_INFINITY;
      if (rest.length > 0) held = () => near.write(rest);
    });
    near.on('data', (bytes) => {
      held?.();
      held = null;
      far.write(bytes);
    });
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** Passes so many bytes of the listener's next write on; the rest follows the next request. */
    holdAfter: (bytes: number) => {
      passed = bytes;
    },
    isHolding: () => held !== null,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The event loop reads what is there in one of these turns. */
async function turnLoop() {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

describe('bytes that no request asked for', () => {
  /** The listener's socket of the first connection; later connections answer 500. */
  type Act = (socket: TLSSocket) => void;
  const cases: readonly (readonly [
    string,
    { readonly answer?: Act; readonly afterwards?: Act; readonly beforeRequest?: Act },
  ])[] = [
    ['in the record of the answer', { answer: (socket) => socket.write(OK + OK) }],
    ['in part in the record of the answer', { answer: (socket) => socket.write(`${OK}HTTP`) }],
    [
      'in a record behind the answer',
      {
        answer: (socket) => {
          socket.write(OK);
          socket.write(OK);
        },
      },
    ],
    [
      'in a record behind an answer in chunks',
      {
        answer: (socket) => {
          socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: y\r\n\r\n');
          socket.write(OK);
        },
      },
    ],
    [
      'behind the answer, with the end of the connection',
      {
        answer: (socket) => {
          socket.write(OK);
          socket.end(OK);
        },
      },
    ],
    ['while the connection is idle', { afterwards: (socket) => socket.write(OK) }],
    ['as an interim answer while idle', { afterwards: (socket) => socket.write(INTERIM) }],
    ['as half a head while idle', { afterwards: (socket) => socket.write('HTTP/1.1 2') }],
    ['while idle, with the end of the connection', { afterwards: (socket) => socket.end(OK) }],
    ['right before the request', { beforeRequest: (socket) => socket.write(OK) }],
    ['as half a head right before the request', { beforeRequest: (socket) => socket.write('H') }],
    ['right before the request, with the end', { beforeRequest: (socket) => socket.end(OK) }],
  ];
  for (const [when, { answer, afterwards, beforeRequest }] of cases) {
    it(`acknowledge nothing, and end the connection: ${when}`, async () => {
      const sockets: TLSSocket[] = [];
      const listener = await startTlsListener(authority, (socket) => {
        sockets.push(socket);
        // A second write leaves at once, though the first is not acknowledged.
        socket.setNoDelay(true);
        const isFirst = sockets.length === 1;
        socket.on('data', () => {
          if (!isFirst) socket.write(REFUSED);
          else if (answer) answer(socket);
          else socket.write(OK);
        });
      });
      const sender = createSender();
      const webhook = emptyWebhookTo(listener.url);
      assert.equal((await sender.send(webhook)).httpStatus, 200);
      const [first] = sockets;
      assert.ok(first);
      if (afterwards) {
        afterwards(first);
        await turnLoop();
      }
      // Written while nothing else runs: the event loop has not seen the bytes.
      let isWritten = false;
      const mayStillSend = () => {
        if (!isWritten) beforeRequest?.(first);
        isWritten = true;
        return true;
      };
      assert.equal((await sender.send(webhook, mayStillSend)).httpStatus, 500);
      await eventually(() => first.destroyed, 'the end of the first connection');
      assert.equal(listener.connections(), 2);
      await sender.close();
      await listener.close();
    });
  }

  it('are found as half a record, whose rest comes after the request', async () => {
    const sockets: TLSSocket[] = [];
    const listener = await startTlsListener(authority, (socket) => {
      sockets.push(socket);
      const isFirst = sockets.length === 1;
      socket.once('data', () => socket.write(isFirst ? OK : REFUSED));
    });
    const relay = await startRelay(listener.port);
    const sender = createSender();
    const webhook = emptyWebhookTo(`https://localhost:${relay.port}/`);
    assert.equal((await sender.send(webhook)).httpStatus, 200);
    relay.holdAfter(12);
    sockets[0]?.write(OK);
    await eventually(relay.isHolding, 'half a record');
    await turnLoop();
    assert.equal((await sender.send(webhook)).httpStatus, 500);
    await sender.close();
    await relay.close();
    await listener.close();
  });

  it('fail the attempt when they open a new connection', async () => {
    const listener = await startTlsListener(
      authority,
      (socket) => {
        // In one part with the last bytes of the handshake.
        socket.write(OK);
      },
      { maxVersion: 'TLSv1.2' },
    );
    const sender = createSender();
    const { outcome, httpStatus } = await sender.send(emptyWebhookTo(listener.url));
    assert.deepEqual([outcome, httpStatus], ['ANSWER_TOO_EARLY', null]);
    await sender.close();
    await listener.close();
  });
});

describe('a connection', () => {
  it('is kept for the endpoint or URL of one merchant', async () => {
    const listener = await startTlsListener(authority, (socket) => {
      socket.on('data', () => socket.write(OK));
    });
    const sender = createSender();
    const webhook = emptyWebhookTo(listener.url);
    const others = [
      webhook,
      { ...webhook, merchantId: 'other' },
      { ...webhook, endpointId: 'endpoint' },
      { ...webhook, url: `${listener.url}?n=1` },
    ];
    for (const each of [...others, ...others]) {
      assert.equal((await sender.send(each)).outcome, 'SUCCEEDED');
    }
    assert.equal(listener.connections(), others.length);
    await sender.close();
    await listener.close();
  });

  it('carries webhook after webhook behind any answer that is whole', async () => {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const parts = [
        ['HTTP/1.1 100 Continue\r\n\r\n', INTERIM, OK],
        ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '0\r\n', 'x: y\r\n\r\n'],
        [...OK],
        [OK],
      ];
      let answered = 0;
      const listener = await startTlsListener(
        authority,
        (socket) => {
          socket.on('data', () => {
            for (const part of parts[answered] ?? []) socket.write(part);
            answered += 1;
          });
        },
        { maxVersion },
      );
      const sender = createSender();
      for (const _ of parts) {
        assert.equal((await sender.send(emptyWebhookTo(listener.url))).outcome, 'SUCCEEDED');
        await turnLoop();
      }
      assert.equal(listener.connections(), 1, maxVersion);
      await sender.close();
      await listener.close();
    }
  });

  it('is one of at most 8 of a merchant to an origin, those in use included', async () => {
    // No idle connection ends by its time.
    mock.timers.enable({ apis: ['setInterval'] });
    const open = new Set<TLSSocket>();
    const waiting: TLSSocket[] = [];
    let isHolding = false;
    const listener = await startTlsListener(authority, (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('data', () => {
        if (isHolding) waiting.push(socket);
        else socket.write(OK);
      });
    });
    const sender = createSender();
    const sendTo = (n: number) => sender.send(emptyWebhookTo(`${listener.url}?n=${n}`));
    for (let n = 0; n < 8; n += 1) assert.equal((await sendTo(n)).outcome, 'SUCCEEDED');
    assert.equal(open.size, 8);
    isHolding = true;
    const under = [8, 9, 10].map(sendTo);
    await eventually(() => waiting.length === 3, 'three requests');
    await eventually(() => open.size === 8, '8 connections');
    for (const socket of waiting) socket.write(OK);
    for (const sent of under) assert.equal((await sent).outcome, 'SUCCEEDED');
    mock.timers.reset();
    await sender.close();
    await listener.close();
  });
});
