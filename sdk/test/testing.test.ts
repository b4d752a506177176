import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createTestService, type Listener } from '@payment-requests/sdk/testing';
import { createSchedule } from '../src/testing/schedule.ts';

describe('the clock of the service of tests', () => {
  it('fails instead of ending early when its work never ends', async () => {
    const schedule = createSchedule(new Date());
    const again = () => schedule.at(schedule.now().getTime(), again);
    again();
    await assert.rejects(schedule.advance(1), /more than 100000 steps: move it by less/);
  });

  it('stays where it is when it is moved out of the calendar', async () => {
    const service = createTestService({ startsAt: new Date('2026-03-01T12:00:00Z') });
    for (const seconds of [Number.NaN, Number.POSITIVE_INFINITY, 1e20]) {
      await assert.rejects(service.advance(seconds), RangeError);
    }
    assert.equal(service.now().toISOString(), '2026-03-01T12:00:00.000Z');
  });
});

describe('the listener of the service of tests', () => {
  const payer = { name: 'Ada', email: 'ada@example.com' };

  it('shows what it threw, and is asked again', async () => {
    const fault = new TypeError('no such order');
    let calls = 0;
    const listener = () => {
      if (calls++ === 0) throw fault;
      return 204;
    };
    const service = createTestService({ listener });
    const { id } = await service.client.createPaymentRequest({ amount: 5, payer });
    await service.client.simulateOutcome(id, { outcome: 'PAID' });
    await service.advance(60);
    assert.deepEqual(
      service.webhooks.map(({ status, error }) => [status, error]),
      [
        [null, fault],
        [204, undefined],
      ],
    );
  });

  it('is refused a type of event that does not exist', () => {
    const eventTypes = ['*', 'PAYMENT-DONE'] as const;
    // @ts-expect-error: the second is no type; a program in JavaScript has no compiler to say so.
    assert.throws(() => createTestService({ eventTypes }), /eventTypes has "PAYMENT-DONE"/);
  });
});

describe('a listener that hangs', () => {
  let asked = () => {};
  const server = createServer(() => asked()).listen(0, '127.0.0.1');
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const gone = new Promise<never>(() => {});
  const byName: [string, (url: string) => Listener][] = [
    [
      'function',
      () => () => {
        asked();
        return gone;
      },
    ],
    ['URL', (url) => url],
  ];
  for (const [name, listenerAt] of byName) {
    it(`fails after the 15 s of an attempt, and is tried again: ${name}`, async (t) => {
      if (!server.listening) await once(server, 'listening');
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const { port } = server.address() as AddressInfo;
      const service = createTestService({ listener: listenerAt(`http://127.0.0.1:${port}`) });
      const payer = { name: 'Ada', email: 'ada@example.com' };
      const { id } = await service.client.createPaymentRequest({ amount: 5, payer });
      await service.client.simulateOutcome(id, { outcome: 'PAID' });
      for (const seconds of [0, 5]) {
        const sent = new Promise<void>((resolve) => {
          asked = resolve;
        });
        let isOver = false;
        const advanced = service.advance(seconds).then(() => {
          isOver = true;
        });
        await sent;
        t.mock.timers.tick(14_999);
        await turn();
        assert.equal(isOver, false);
        t.mock.timers.tick(1);
        await advanced;
      }
      assert.deepEqual(
        service.webhooks.map(({ attempt, status }) => [attempt, status]),
        [
          [1, null],
          [2, null],
        ],
      );
      assert.match(String(service.webhooks[0]?.error), /no whole answer in time/);
    });
  }
});
