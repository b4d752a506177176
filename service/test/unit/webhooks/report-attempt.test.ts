import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog } from '#telemetry/log/log.ts';
import type { AttemptResult } from '#webhooks/https/send-webhook.ts';
import type { WrittenAttempt } from '#webhooks/sending/attempt-batcher.ts';
import type { ClaimedDelivery } from '#webhooks/sending/lease-store.ts';
import { reportAttempt } from '#webhooks/sending/report-attempt.ts';

const SUCCEEDED: AttemptResult = {
  outcome: 'SUCCEEDED',
  httpStatus: 204,
  durationMs: 12.6,
  times: {},
  responseExcerpt: null,
  address: '203.0.113.7',
  retryAfterSeconds: null,
  errorCode: null,
};

const RECORDED: WrittenAttempt = {
  id: 'd1',
  leaseToken: 'l1',
  status: 'SUCCEEDED',
  nextAttemptAt: null,
  endpointPaused: false,
  nextWaits: false,
  isDestinationWatched: false,
  notices: [],
};

const DELIVERY: Partial<ClaimedDelivery> = {
  id: '0198c0de-0000-7000-8000-000000000001',
  eventId: '0198c0de-0000-7000-8000-000000000002',
  paymentRequestId: '0198c0de-0000-7000-8000-000000000003',
  merchantId: 'mer_1',
  endpointId: 'wep_1',
  eventType: 'PAYMENT-COMPLETED',
  sequence: 2,
  url: 'https://shop.example:8443/hooks?token=hidden',
  attempts: 0,
  isProbe: false,
};

interface Reported {
  readonly delivery?: Partial<ClaimedDelivery>;
  readonly result?: Partial<AttemptResult>;
  readonly recorded?: Partial<WrittenAttempt> | null;
  readonly lagMs?: number | null;
}

/** Reports an attempt, and gives its line and whether the line took the usual way. */
function report({ delivery, result, recorded, lagMs = 3.4 }: Reported) {
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  let isUsual = false;
  reportAttempt(
    {
      log: {
        info: (...fields: unknown[]) => {
          isUsual = true;
          Reflect.apply(log.info, log, fields);
        },
        warn: log.warn.bind(log),
        writeInfo: log.writeInfo,
      },
      metrics: { operatorNotice() {} },
    },
    {
      delivery: { ...DELIVERY, ...delivery } as ClaimedDelivery,
      result: { ...SUCCEEDED, ...result },
      recorded: recorded === null ? null : { ...RECORDED, ...recorded },
      lagMs,
    },
  );
  const { pid: _, hostname: __, time: ___, ...line } = JSON.parse(lines[0] ?? '');
  return { line, isUsual };
}

/** A name that needs an escape in JSON takes the usual way: all else of its line is the same. */
const ESCAPED = { eventType: 'PAYMENT-"COMPLETED"' };

describe('the line of an attempt', () => {
  for (const [title, reported] of [
    ['to an endpoint', {}],
    ['to a URL of its own', { delivery: { endpointId: null } }],
    ['after a failed one', { delivery: { attempts: 3 }, lagMs: null }],
    ['at an address of IPv6', { result: { address: '2001:db8::1' } }],
    ['at a URL with an address', { delivery: { url: 'https://[2001:db8::1]:8443/' } }],
  ] as const satisfies readonly (readonly [string, Reported])[]) {
    it(`that succeeded ${title} is that of the usual way`, () => {
      const { line, isUsual } = report(reported);
      const delivery = 'delivery' in reported ? reported.delivery : {};
      const escaped = report({ ...reported, delivery: { ...delivery, ...ESCAPED } });
      assert.deepEqual([isUsual, escaped.isUsual], [false, true]);
      assert.deepEqual(Object.keys(line), Object.keys(escaped.line));
      assert.deepEqual({ ...line, ...ESCAPED }, escaped.line);
    });
  }

  it('has identifiers, numbers and the host, and of the URL nothing else', () => {
    assert.deepEqual(report({}).line, {
      level: 'info',
      deliveryId: DELIVERY.id,
      eventId: DELIVERY.eventId,
      paymentRequestId: DELIVERY.paymentRequestId,
      merchantId: 'mer_1',
      endpointId: 'wep_1',
      eventType: 'PAYMENT-COMPLETED',
      sequence: 2,
      host: 'shop.example:8443',
      address: '203.0.113.7',
      attempt: 1,
      outcome: 'SUCCEEDED',
      httpStatus: 204,
      durationMs: 13,
      lagMs: 3,
      msg: 'webhook attempt',
    });
  });

  for (const [title, reported, expected] of [
    ['a lost lease', { recorded: null }, { msg: 'webhook attempt came after its lease had ended' }],
    ['a probe', { delivery: { isProbe: true } }, { isProbe: true }],
    ['a failure', { result: { outcome: 'GONE', httpStatus: 410 } }, { outcome: 'GONE' }],
    ['a fault after the head', { result: { errorCode: 'ECONNRESET' } }, { reason: 'ECONNRESET' }],
    ['patience asked for', { result: { retryAfterSeconds: 7 } }, { retryAfterSeconds: 7 }],
    [
      'a next attempt',
      { recorded: { nextAttemptAt: new Date(0) } },
      { nextAttemptAt: '1970-01-01T00:00:00.000Z' },
    ],
  ] as const satisfies readonly (readonly [string, Reported, object])[]) {
    it(`says of ${title}`, () => {
      const { line } = report(reported);
      assert.deepEqual({ ...line, ...expected }, line);
    });
  }
});
