import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createLog } from '#telemetry/log/log.ts';
import { type PlainCall, requestLine } from '#telemetry/log/request-line.ts';

function createWritten(level: 'info' | 'warn') {
  const lines: string[] = [];
  const log = createLog({ level, destination: { write: (line) => void lines.push(line) } });
  return { log, lines };
}

const SENT_AT = /"time":"[^"]+"/;

const plain = fc.stringMatching(/^[\w.-]{0,128}$/);
const count = fc.option(fc.nat(), { nil: undefined });
const call = fc.record<PlainCall>({
  requestId: plain,
  method: fc.constantFrom('GET', 'POST', 'M-SEARCH'),
  route: fc.constantFrom('/v1/payment-requests/:id', '/pay/:shortCode', 'none', '/a"b\\c'),
  status: fc.integer({ min: 100, max: 499 }),
  durationMs: fc.nat().map((tenths) => tenths / 10),
  merchantId: fc.option(plain, { nil: undefined }),
  paymentRequestId: fc.option(plain, { nil: undefined }),
  requestBytes: count,
  responseBytes: count,
  replayed: fc.constantFrom(true as const, undefined),
});

describe('the line of an answered call', () => {
  it('is the text that the log’s usual way writes', () => {
    const { log, lines } = createWritten('info');
    fc.assert(
      fc.property(call, (fields) => {
        lines.length = 0;
        log.info({ ...fields }, 'request');
        log.writeInfo(requestLine(fields) ?? '', 'request');
        const [usual, own] = lines.map((line) => line.replace(SENT_AT, ''));
        assert.equal(own, usual);
      }),
    );
  });

  it('is left to the usual way when a text is not plain, or too long for a line', () => {
    const known: PlainCall = {
      requestId: 'req-1',
      method: 'GET',
      route: '/',
      status: 200,
      durationMs: 1,
      merchantId: 'mer_1',
      paymentRequestId: undefined,
      requestBytes: undefined,
      responseBytes: undefined,
      replayed: undefined,
    };
    assert.notEqual(requestLine(known), null);
    for (const text of ['a"b', 'a\\b', 'a\nb', 'é', 'a b', 'x'.repeat(501)]) {
      assert.equal(requestLine({ ...known, requestId: text }), null, text);
      assert.equal(requestLine({ ...known, method: text }), null, text);
      assert.equal(requestLine({ ...known, merchantId: text }), null, text);
      assert.equal(requestLine({ ...known, paymentRequestId: text }), null, text);
    }
  });

  it('is not written below the log’s level', () => {
    const { log, lines } = createWritten('warn');
    log.writeInfo(',"status":200', 'request');
    assert.deepEqual(lines, []);
  });
});
