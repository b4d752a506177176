import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type pino from 'pino';
import { createLog } from '#telemetry/log/log.ts';

type Line = Record<string, unknown> & { err?: { message: string; code?: string; cause?: object } };

function openLog() {
  const lines: string[] = [];
  const typed = createLog({
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  // Fastify and other libraries hand in what our own type refuses.
  const log = typed as unknown as pino.Logger;
  return { typed, log, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') as Line };
}

describe('the log', () => {
  it('writes one JSON line with level, time, message and the fields', () => {
    const { log, lines, last } = openLog();
    log.info({ paymentRequestId: 'p1', durationMs: 12, aborted: false }, 'payment request moved');
    const { time, pid, hostname, ...rest } = last();
    assert.equal(lines.length, 1);
    assert.ok(lines[0]?.endsWith('\n'));
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(pid, process.pid);
    assert.equal(typeof hostname, 'string');
    assert.deepEqual(rest, {
      level: 'info',
      paymentRequestId: 'p1',
      durationMs: 12,
      aborted: false,
      msg: 'payment request moved',
    });
  });

  it('leaves out a field that is not on the list, and names it', () => {
    const { log, lines, last } = openLog();
    log.warn({ payerName: 'Ada Lovelace', merchantId: 'm1', password: 'hunter2' }, 'odd');
    assert.deepEqual(last().droppedFields, ['payerName', 'password']);
    assert.equal(last().merchantId, 'm1');
    assert.doesNotMatch(lines.join(), /Lovelace|hunter2/);
  });

  it('does not compile with a field that is not on the list', () => {
    const { typed, last } = openLog();
    typed.info({ offsetMs: 3 }, 'clocks compared');
    assert.equal(last().offsetMs, 3);
    // @ts-expect-error: the line would lose the field.
    typed.info({ clockOffset: 3 }, 'clocks compared');
    assert.deepEqual(last().droppedFields, ['clockOffset']);
  });

  it('leaves out an object under an allowed name, because it could hold anything', () => {
    const { log, lines, last } = openLog();
    log.info({ host: { name: 'Ada' }, roles: ['api', { name: 'Ada' }] }, 'odd');
    assert.deepEqual(last().droppedFields, ['host', 'roles']);
    assert.doesNotMatch(lines.join(), /Ada/);
  });

  it('keeps lists of plain values and writes dates as ISO 8601', () => {
    const { log, last } = openLog();
    log.info({ roles: ['api', 'background'], nextAttemptAt: new Date(0) }, 'x');
    assert.deepEqual(last().roles, ['api', 'background']);
    assert.equal(last().nextAttemptAt, '1970-01-01T00:00:00.000Z');
  });

  it('holds a child’s own fields to the same list', () => {
    const { log, lines, last } = openLog();
    log.child({ requestId: 'r1', payerEmail: 'ada@example.com' }).info('x');
    log.child({ token: 'secret-token' }, { level: 'info' }).child({ cookie: 'secret-c' }).info('y');
    assert.equal(JSON.parse(lines[0] ?? '').requestId, 'r1');
    assert.equal(last().msg, 'y');
    assert.doesNotMatch(lines.join(), /ada@|secret-/);
  });

  it('fills no placeholders, so that a value cannot ride in on the message', () => {
    const { log, lines } = openLog();
    log.info('payer %s', 'Ada Lovelace');
    log.info({ count: 1 }, 'payer %s', 'Ada Lovelace');
    assert.doesNotMatch(lines.join(), /Lovelace/);
  });

  it('keeps an error’s kind, code and cause, and none of the values it quotes', () => {
    const { log, lines, last } = openLog();
    const cause = Object.assign(new Error('invalid input syntax for type uuid: "ada@x.example"'), {
      code: '22P02',
      detail: 'Key (payer_email)=(ada@x.example) already exists.',
      table: 'payment_requests',
    });
    log.error({ err: new TypeError('not possible', { cause }) }, 'request failed');
    assert.equal(last().err?.message, 'not possible');
    assert.deepEqual(last().err?.cause, {
      type: 'Error',
      code: '22P02',
      message: 'invalid input syntax for type uuid: "…"',
      table: 'payment_requests',
    });
    assert.doesNotMatch(lines.join(), /ada@|already exists/);
  });

  it('blanks what a bare error’s message quotes', () => {
    const { log, lines } = openLog();
    log.error(new SyntaxError('Unexpected token in "{"name":"Ada"}" is not valid JSON'));
    assert.doesNotMatch(lines.join(), /Ada/);
    assert.equal(lines.length, 1);
  });

  it('ends at a cycle of causes', () => {
    const { log, lines } = openLog();
    const error: Error & { cause?: unknown } = new Error('round');
    error.cause = error;
    log.error({ err: error }, 'x');
    assert.ok((lines[0]?.length ?? 0) < 5_000);
  });

  for (const [what, text, secret] of [
    ['a password in an address', 'to postgres://app:s3cret@db:5432/x failed', 's3cret'],
    ['a short code in an address', 'GET https://pay.example/pay/AbCdEfGhIjKlMnOp', 'AbCdEfGh'],
    ['a bearer token', 'Authorization: Bearer abc.def-ghi', 'abc.def'],
    ['a signed token', 'token eyJhbGciOi.eyJzdWIi.c2ln', 'eyJzdWIi'],
    ['a signing secret', 'secret whsec_MfKQ9r8GKYqrTwjU+/=', 'MfKQ9r8'],
    ['an API key', 'key sbx_aB3-dE5_g', 'aB3-dE5'],
    ['an API key of a cell', 'key c2-prd_aB3-dE5_g', 'aB3-dE5'],
    ['an e-mail address', 'payer ada.l+x@example.com refused', 'ada.l'],
    ['a phone number', 'mobile +1 (514) 555-0199 refused', '555-0199'],
    ['a quoted value', 'value \'Ada\' and "Lovelace"', 'Ada|Lovelace'],
  ] as const) {
    it(`blanks ${what} in a message and in a reason`, () => {
      const { log, lines } = openLog();
      log.info(text);
      log.info({ reason: text }, 'x');
      assert.doesNotMatch(lines.join(), new RegExp(secret));
    });
  }

  it('bounds the length of what it is given', () => {
    const { log, lines } = openLog();
    log.info({ route: 'r'.repeat(100_000), reason: 'x'.repeat(100_000) }, 'm'.repeat(100_000));
    assert.ok((lines[0]?.length ?? 0) < 5_000);
  });
});
