import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { IdleConnections, type PooledConnection } from '#webhooks/https/idle-connections.ts';

class FakeSocket extends EventEmitter {
  destroyed = false;
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const ORIGIN = 'https://shop.example';

function connection(origin = ORIGIN): PooledConnection & { readonly socket: TLSSocket } {
  const socket = new FakeSocket() as unknown as TLSSocket;
  return { origin, socket, address: '203.0.113.7', isReused: false };
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
    const taken = idle.take(ORIGIN);
    assert.ok(taken);
    idle.keep(taken);
    return taken;
  }

  it('are taken latest first, as used before and with their address', () => {
    const [first, second] = [connection(), connection()];
    idle.keep(first);
    idle.keep(second);
    const taken = idle.take(ORIGIN);
    assert.equal(taken?.socket, second.socket);
    assert.deepEqual([taken?.isReused, taken?.address], [true, '203.0.113.7']);
    assert.equal(idle.take(ORIGIN)?.socket, first.socket);
    assert.equal(idle.take(ORIGIN), undefined);
    assert.equal(idle.take('https://other.example'), undefined);
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
    const taken = idle.take(ORIGIN);
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
      const taken = idle.take(ORIGIN);
      socket.emit(event);
      assert.equal(socket.destroyed, false);
      assert.ok(taken);
      idle.keep(taken);
      socket.emit(event);
      assert.equal(socket.destroyed, true);
      assert.equal(idle.take(ORIGIN), undefined);
    });
  }

  it('are watched by the same listeners in all waits', () => {
    const { socket } = keepTwice();
    const count = socket.listenerCount('data');
    const taken = idle.take(ORIGIN);
    assert.ok(taken);
    idle.keep(taken);
    assert.equal(socket.listenerCount('data'), count);
  });

  it('are at most 8 of an origin, and 1,024 in all', () => {
    const own = Array.from({ length: 9 }, () => connection());
    for (const each of own) idle.keep(each);
    assert.deepEqual(
      own.map(({ socket }) => socket.destroyed),
      [...Array(8).fill(false), true],
    );
    const others = Array.from({ length: 1_017 }, (_, n) => connection(`https://${n}.example`));
    for (const each of others) idle.keep(each);
    assert.equal(own[0]?.socket.destroyed, true, 'the oldest');
    assert.equal(own[1]?.socket.destroyed, false);
    assert.ok(others.every(({ socket }) => !socket.destroyed));
  });
});
