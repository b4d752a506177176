import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { AnswerReader } from '#webhooks/https/answer-reader.ts';
import { DeliveryFailure } from '#webhooks/model/outcomes.ts';

const KIB = 1024;

/** Reads an answer whose bytes come in parts; `end`: then the connection ends. */
function read(parts: readonly string[], end = false) {
  const reader = new AnswerReader();
  let isOver = false;
  let fault: string | null = null;
  try {
    for (const part of parts) isOver ||= reader.read(Buffer.from(part, 'latin1'));
  } catch (error) {
    assert.ok(error instanceof DeliveryFailure);
    fault = error.outcome;
  }
  return {
    fault,
    isWhole: fault === null && (isOver || (end && reader.isWholeAtEnd)),
    status: reader.head?.status ?? null,
    body: reader.body.toString('latin1'),
    isReusable: reader.isReusable && isOver,
  };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

describe('an answer', () => {
  for (const [title, text, expected] of [
    ['with a length', `${OK}content-length: 2\r\n\r\nok`, [true, 200, 'ok', true]],
    ['with an empty body', `${OK}Content-Length: 0\r\n\r\n`, [true, 200, '', true]],
    ['without a reason', 'HTTP/1.1 204\r\n\r\n', [true, 204, '', true]],
    [
      'in chunks',
      `${CHUNKED}2\r\nok\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n`,
      [true, 200, 'ok0123456789', true],
    ],
    ['with trailers', `${CHUNKED}0\r\nx-sum: 1\r\n\r\n`, [true, 200, '', true]],
    [
      'that the listener ends',
      `${OK}connection: close\r\ncontent-length: 0\r\n\r\n`,
      [true, 200, '', false],
    ],
    [
      'that ends in a list',
      `${OK}connection: x, Close\r\ncontent-length: 0\r\n\r\n`,
      [true, 200, '', false],
    ],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', [true, 200, '', false]],
    [
      'after interim answers',
      `HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 x\r\na: b\r\n\r\n${OK}content-length: 0\r\n\r\n`,
      [true, 200, '', true],
    ],
    ['with bytes behind it', `${OK}content-length: 2\r\n\r\nok!`, [true, 200, 'ok', false]],
    [
      '304 with a length that means nothing',
      'HTTP/1.1 304 x\r\ncontent-length: 9\r\n\r\n',
      [true, 304, '', false],
    ],
  ] as const) {
    it(`${title} is read, at once and byte by byte`, () => {
      for (const parts of [[text], [...text]]) {
        const { isWhole, status, body, isReusable } = read(parts);
        // A byte that comes later is met by the owner of the connection.
        const mayKeep = parts.length === 1 || title !== 'with bytes behind it' ? isReusable : false;
        assert.deepEqual([isWhole, status, body, mayKeep], expected);
      }
    });
  }

  it('without a length is whole when the connection ends', () => {
    const { isWhole, body, isReusable } = read([`${OK}\r\n`, 'all', ' of it'], true);
    assert.deepEqual([isWhole, body, isReusable], [true, 'all of it', false]);
    assert.equal(read([`${OK}\r\n`, 'all']).isWhole, false);
  });

  it('that ends within its head, its body or its chunks is not whole', () => {
    const whole = `${CHUNKED}2\r\nok\r\n0\r\n\r\n`;
    for (const text of [OK, `${OK}content-length: 3\r\n\r\nok`]) {
      assert.equal(read([text], true).isWhole, false, text);
    }
    for (let length = 0; length < whole.length; length += 1) {
      assert.equal(read([whole.slice(0, length)], true).isWhole, false, `${length} bytes`);
    }
  });

  for (const text of [
    'SSH-2.0-OpenSSH_9.9\r\n',
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 200 OK\n\n',
    'HTTP/1.1 101 X\r\n\r\n',
    `${OK}content-length: 1\r\ncontent-length: 1\r\n\r\nab`,
    `${OK}content-length: -1\r\n\r\n`,
    `${OK}content-length: 1, 1\r\n\r\na`,
    `${OK}content-length: 0x1\r\n\r\na`,
    `${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${OK}x : y\r\n\r\n`,
    `${OK}x: y\r\n folded\r\n\r\n`,
    `${OK}x: a\0b\r\n\r\n`,
    `${OK}x: a\rb\r\n\r\n`,
    `${OK}no colon\r\n\r\n`,
    `${CHUNKED}zz\r\n`,
    `${CHUNKED}-1\r\n`,
    `${CHUNKED}123456789\r\n`,
    `${CHUNKED}2\r\nokk\r\n`,
    `${CHUNKED}0\r\nno colon\r\n\r\n`,
  ]) {
    it(`is malformed as ${JSON.stringify(text)}`, () => {
      assert.equal(read([text]).fault, 'MALFORMED_ANSWER');
      assert.equal(read([...text]).fault, 'MALFORMED_ANSWER');
    });
  }

  it('is read up to 16 KiB of its body, and the rest is cut off', () => {
    for (const head of [
      `${OK}content-length: 999999\r\n\r\n`,
      `${OK}\r\n`,
      `${CHUNKED}FFFFF\r\n`,
    ]) {
      const { isWhole, status, isReusable } = read([head, 'x'.repeat(16 * KIB), 'x']);
      assert.deepEqual([isWhole, status, isReusable], [true, 200, false], head);
      assert.equal(read([head, 'x'.repeat(16 * KIB)]).isWhole, false, head);
    }
  });

  it('is too large with a head or a line above 16 KiB, or 48 KiB in all', () => {
    const longLine = 'x'.repeat(16 * KIB + 1);
    const chunk = `1;${'e'.repeat(9_000)}\r\nx\r\n`;
    for (const parts of [
      [`${OK}x: ${longLine}\r\n\r\n`],
      [`${OK}x: `, longLine],
      [`${CHUNKED}1;`, longLine],
      [`${CHUNKED}1;${longLine}\r\n`],
      [`${CHUNKED}0\r\nx: `, longLine],
      [CHUNKED, ...Array(6).fill(chunk)],
      Array(3_000).fill('HTTP/1.1 100 Go\r\n\r\n'),
    ]) {
      assert.equal(read(parts).fault, 'ANSWER_TOO_LARGE', parts[0]?.slice(0, 60));
    }
  });
});

/** Reads the same bytes by the client of node:http; the connection then ends. */
function readByNode(
  parts: readonly string[],
): Promise<{ status: number | null; body: string | null }> {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  return new Promise((resolve) => {
    const sent = request({ createConnection: () => socket, method: 'POST' });
    let answer: IncomingMessage | null = null;
    sent.on('response', (message) => {
      answer = message;
      let body = '';
      message.setEncoding('latin1').on('data', (text) => {
        body += text;
      });
      message.on('end', () => resolve({ status: message.statusCode ?? 0, body }));
      message.on('error', () => resolve({ status: message.statusCode ?? 0, body: null }));
    });
    sent.on('error', () => {
      if (answer === null) resolve({ status: null, body: null });
    });
    sent.end();
    for (const part of parts) socket.push(Buffer.from(part, 'latin1'));
    socket.push(null);
  });
}

const field = fc.constantFrom(
  'x: y',
  'content-length: 3',
  'Content-Length:0',
  'content-length: 12',
  'content-length: 3x',
  'transfer-encoding: chunked',
  'Transfer-Encoding: gzip, Chunked',
  'transfer-encoding: gzip',
  'connection: close',
  'connection: keep-alive',
  'retry-after: 5 ',
  'a b: c',
  ': empty',
  ' folded',
  'x: é',
  'x:',
);
const interim = fc.constantFrom(
  '',
  '',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n',
);
const head = fc
  .tuple(
    interim,
    fc.constantFrom('1.1', '1.1', '1.1', '1.0'),
    fc.constantFrom('200 OK', '200 OK', '204 x', '304 ', '500', '205 x', '42 x'),
    fc.array(field, { maxLength: 3 }),
  )
  .map(
    ([first, version, status, fields]) =>
      `${first}HTTP/${version} ${status}\r\n${fields.map((one) => `${one}\r\n`).join('')}\r\n`,
  );
const rest = fc.constantFrom(
  '',
  'abc',
  'abcdefghijkl',
  '3\r\nabc\r\n0\r\n\r\n',
  '3;x\r\nabc\r\n',
  '0\r\n\r\n',
  '3 \r\nabc\r\n0\r\n\r\n',
  'xyz\r\n',
);
const answers = fc.tuple(head, rest).map(([first, body]) => first + body);

describe('any answer', () => {
  it('is read as node:http reads it, or refused', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (text) => {
        const own = read([text], true);
        const node = await readByNode([text]);
        if (own.isWhole) {
          assert.deepEqual([own.status, own.body], [node.status, node.body], text);
        } else {
          assert.equal(node.body, null, text);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('is read the same in all parts that it can come in', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat(80), { maxLength: 6 }), (text, cuts) => {
        const at = [...new Set([0, ...cuts, text.length])]
          .filter((n) => n <= text.length)
          .sort((a, b) => a - b);
        const parts = at.slice(1).map((end, n) => text.slice(at[n], end));
        const { isReusable: _, ...inParts } = read(parts, true);
        const { isReusable: __, ...whole } = read([text], true);
        assert.deepEqual(inParts, whole);
      }),
      { numRuns: 2_000 },
    );
  });
});
