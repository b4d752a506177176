import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseReport } from '#messages/bounces/parse-report.ts';
import { deliveryReport } from '../../support/mail/delivery-report.ts';

const TO = 'b+0@bounces.example';
const REPORT = deliveryReport(TO);
const FAILED = { action: 'failed', status: '5.1.1' };

describe('a delivery status notification', () => {
  it('says what became of the first recipient, in any spelling of RFC 3464', () => {
    assert.deepEqual(parseReport(REPORT), FAILED);
    assert.deepEqual(parseReport(REPORT.replaceAll('\r\n', '\n')), FAILED);
    for (const [from, to] of [
      ['Action: failed', 'ACTION:Failed (delivery failed)'],
      ['Status: 5.1.1', 'Status:\r\n 5.1.1 (no such user)'],
      ['boundary="9E4A0.1700000000/mx.example"', 'boundary=9E4A0.1700000000/mx.example'],
      ['message/delivery-status', 'Message/Global-Delivery-Status; charset=utf-8'],
      ['status\r\n\r\nReporting', 'status\r\n\r\n\r\nReporting'],
    ] as const) {
      assert.ok(REPORT.includes(from), from);
      assert.deepEqual(parseReport(REPORT.replace(from, to)), FAILED, to);
    }
    assert.deepEqual(parseReport(deliveryReport(TO, { action: 'delayed', status: '4.4.1' })), {
      action: 'delayed',
      status: '4.4.1',
    });
  });

  it('is none without its parts, or with an action or a code that nobody knows', () => {
    for (const [from, to] of [
      ['multipart/report', 'multipart/mixed'],
      ['boundary=', 'border='],
      ['message/delivery-status', 'text/plain'],
      ['Action: failed', 'Action: lost'],
      ['Status: 5.1.1', 'Status: 5.1'],
      ['Status: 5.1.1', 'Status: 5.1.1.1'],
      ['Status: 5.1.1', 'Status: 3.1.1'],
    ] as const) {
      assert.equal(parseReport(REPORT.replace(from, to)), null, to);
    }
  });

  it('is read in no time and without a fault, with any bytes in it', () => {
    const piece = fc.oneof(
      fc.constantFrom(...REPORT.split(/(\r\n|: )/), '--', 'boundary=', '\r\n \t'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const report = parseReport(pieces.join(''));
        assert.ok(report === null || /^[245]\.\d{1,3}\.\d{1,3}$/.test(report.status));
      }),
    );
    const startedMs = performance.now();
    for (const long of ['Content-Type: multipart/report;', ' ;boundary=', '\r\n\t', ': ']) {
      parseReport(long.repeat(262_144 / long.length));
    }
    assert.ok(performance.now() - startedMs < 2_000);
  });
});
