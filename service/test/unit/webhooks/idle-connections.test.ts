import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { TLSSocket } from 'node:tls';
import {
  type ConnectionUse,
  IdleConnections,
  type PooledConnection,
} from '#webhooks/https/idle-connections.ts';

class FakeSocket extends EventEmitter {
  destroyed = false;
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const USE: ConnectionUse = {
  merchantId: 'merchant',
  endpointId: null,
  url: 'https://shop.example/hook',
  origin: 'https://shop.example',
};

function connection(use: Partial<ConnectionUse> = {}): PooledConnection {
  const socket = new FakeSocket() as unknown as TLSSocket;
  const address = '203.0.113.7';
  return { use: { ...USE, ...use }, socket, address, isReused: false, arrivedBytes: null };
}

describe('idle connections', () => {
  let idle: IdleConnections;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    idle = new IdleConnections();
  });
  afterEach(() => mock.timers.reset());

  /** Keeps a connection, takes it for another exchange, and keeps it again. */
  function keepTwice(): PooledConnection {
    idle.keep(connection());
    const taken = idle.take(USE);
    assert.ok(taken);
    idle.keep(taken);
    return taken;
  }

  it('are taken latest first, as used before and with their address', () => {
    const [first, second] = [connection(), connection()];
    idle.keep(first);
    idle.keep(second);
    const taken = idle.take(USE);
    assert.equal(taken?.socket, second.socket);
    assert.deepEqual([taken?.isReused, taken?.address], [true, '203.0.113.7']);
    assert.equal(idle.take(USE)?.socket, first.socket);
    assert.equal(idle.take(USE), undefined);
  });

  for (const other of [
    { merchantId: 'other' },
    { endpointId: 'endpoint' },
    { url: 'https://shop.example/hook?n=1' },
    { origin: 'https://other.example' },
  ]) {
    it(`carry no webhook of another ${Object.keys(other)}`, () => {
      const kept = connection();
      idle.keep(kept);
      idle.keep(connection(other));
      assert.equal(idle.take({ ...USE, ...other })?.socket === kept.socket, false);
      assert.equal(idle.take({ ...USE, ...other }), undefined);
      assert.equal(idle.take(USE)?.socket, kept.socket);
    });
  }

  it('are trimmed, the oldest of the merchant and origin first', () => {
    const [first, second, third] = ['/1', '/2', '/3'].map((url) => connection({ url }));
    const foreign = connection({ merchantId: 'other' });
    for (const each of [foreign, first, second, third]) if (each) idle.keep(each);
    idle.trim(USE, 2);
    assert.deepEqual(
      [foreign, first, second, third].map((each) => each?.socket.destroyed),
      [false, true, false, false],
    );
    idle.trim(USE, -1);
    assert.deepEqual([second?.socket.destroyed, third?.socket.destroyed], [true, true]);
    assert.equal(foreign.socket.destroyed, false);
  });

  it('end between 3.5 and 4 s after their exchange', () => {
    const early = connection();
    idle.keep(early);
    mock.timers.tick(499);
    const late = connection();
    idle.keep(late);
    mock.timers.tick(3_500);
    assert.deepEqual([early.socket.destroyed, late.socket.destroyed], [false, false]);
    mock.timers.tick(1);
    assert.deepEqual([early.socket.destroyed, late.socket.destroyed], [true, true]);
    const next = connection();
    idle.keep(next);
    mock.timers.tick(4_000);
    assert.equal(next.socket.destroyed, true, 'the timer starts again');
  });

  it('have their whole time again after each exchange', () => {
    const { socket } = keepTwice();
    mock.timers.tick(3_000);
    const taken = idle.take(USE);
    mock.timers.tick(5_000);
    assert.equal(socket.destroyed, false, 'it carries an exchange');
    assert.ok(taken);
    idle.keep(taken);
    mock.timers.tick(3_499);
    assert.equal(socket.destroyed, false);
    mock.timers.tick(501);
    assert.equal(socket.destroyed, true);
  });

  for (const event of ['data', 'end', 'error', 'close']) {
    it(`end with ${event}, in each wait, but not by that of an exchange`, () => {
      const { socket } = keepTwice();
      const taken = idle.take(USE);
      socket.emit(event);
      assert.equal(socket.destroyed, false);
      assert.ok(taken);
      idle.keep(taken);
      socket.emit(event);
      assert.equal(socket.destroyed, true);
      assert.equal(idle.take(USE), undefined);
    });
  }

  it('are watched by the same listeners in all waits', () => {
    const { socket } = keepTwice();
    const count = socket.listenerCount('data');
    const taken = idle.take(USE);
    assert.ok(taken);
    idle.keep(taken);
    assert.equal(socket.listenerCount('data'), count);
  });

  it('are at most 8 of a merchant and origin, and 1,024 in all', () => {
    const own = Array.from({ length: 9 }, () => connection());
    for (const each of own) idle.keep(each);
    assert.deepEqual(
      own.map(({ socket }) => socket.destroyed),
      [...Array(8).fill(false), true],
    );
    const others = Array.from({ length: 1_017 }, (_, n) => connection({ merchantId: `${n}` }));
    for (const each of others) idle.keep(each);
    assert.equal(own[0]?.socket.destroyed, true, 'the oldest');
    assert.equal(own[1]?.socket.destroyed, false);
    assert.ok(others.every(({ socket }) => !socket.destroyed));
  });

  it('are at most 256 of a merchant', () => {
    const own = Array.from({ length: 257 }, (_, n) =>
      connection({ origin: `https://${n}.example` }),
    );
    for (const each of own) idle.keep(each);
    assert.equal(own.filter(({ socket }) => !socket.destroyed).length, 256);
    const [first] = own;
    assert.ok(first && idle.take(first.use));
    const next = connection();
    idle.keep(next);
    assert.equal(next.socket.destroyed, false, 'a taken connection leaves its place');
  });
});
