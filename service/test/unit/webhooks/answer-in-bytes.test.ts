import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { AnswerReader } from '#webhooks/https/answer-reader.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

function readBytes(text: string): void {
  const reader = new AnswerReader();
  for (const byte of text) reader.read(Buffer.from(byte, 'latin1'));
}

/** Counts the bytes that are searched and copied. A mock would keep a stack for each call. */
function countWork(work: () => void): { readonly searched: number; readonly copied: number } {
  let searched = 0;
  let copied = 0;
  const { concat } = Buffer;
  const { copy, indexOf, toString: decode } = Buffer.prototype;
  const counting = {
    copy(this: Buffer, ...args: [Buffer]) {
      copied += this.length;
      return copy.apply(this, args);
    },
    indexOf(this: Buffer, ...args: [Buffer, number]) {
      searched += this.length - args[1];
      return indexOf.apply(this, args);
    },
    toString(this: Buffer, ...args: ['latin1', number, number]) {
      searched += (args[2] ?? this.length) - (args[1] ?? 0);
      return decode.apply(this, args);
    },
  };
  try {
    Object.assign(Buffer.prototype, counting);
    Buffer.concat = (parts) => {
      const joined = concat(parts);
      copied += joined.length;
      return joined;
    };
    work();
  } finally {
    Object.assign(Buffer.prototype, { copy, indexOf, toString: decode });
    Buffer.concat = concat;
  }
  return { searched, copied };
}

describe('an answer that comes byte by byte', () => {
  for (const [title, text] of [
    ['with a long reason', `HTTP/1.1 200 ${'a'.repeat(8_000)}\r\nx: ${'y'.repeat(8_000)}`],
    ['with CR after CR', `${OK}x: ${'\r'.repeat(16_000)}`],
    ['with LF after LF', `${OK}x: ${'\n'.repeat(16_000)}`],
    ['with many fields', `${OK}${'a:\r\n'.repeat(4_000)}`],
    ['with a long chunk line', `${CHUNKED}1;${'\r'.repeat(16_000)}`],
    ['with a long trailer', `${CHUNKED}0\r\nx: ${'\r'.repeat(16_000)}`],
    ['with long interim answers', `HTTP/1.1 103 x\r\nx: ${'y'.repeat(15_000)}\r\n\r\n`.repeat(3)],
  ] as const) {
    it(`is searched about once for line ends, and copied a few times: ${title}`, () => {
      const { searched, copied } = countWork(() => readBytes(text));
      assert.ok(searched < 16 * text.length, `${searched} bytes of ${text.length}`);
      assert.ok(copied < 4 * text.length, `${copied} bytes copied of ${text.length}`);
    });
  }

  it('is read as its bytes, also where parts of all lengths are mixed', () => {
    const body = Array.from({ length: 300 }, (_, n) => `${n}`).join(' ');
    const chunks = body.match(/.{1,7}/g)?.map((each) => `${each.length}\r\n${each}\r\n`) ?? [];
    const text = `HTTP/1.1 103 x\r\na: b\r\n\r\n${CHUNKED}${chunks.join('')}0\r\nx: y\r\n\r\n`;
    for (let longest = 1; longest < 40; longest += 1) {
      const reader = new AnswerReader();
      let isOver = false;
      for (let at = 0, n = 0; at < text.length; n += 1) {
        const length = 1 + ((n * n + longest) % longest);
        isOver = reader.read(Buffer.from(text.slice(at, at + length), 'latin1'));
        at += length;
      }
      assert.deepEqual([isOver, reader.body.toString()], [true, body], `${longest}`);
    }
  });

  it('keeps few buffers of its body', () => {
    const reader = new AnswerReader();
    reader.read(Buffer.from(`${OK}content-length: 9000\r\n\r\n`));
    const concat = mock.method(Buffer, 'concat');
    for (let n = 0; n < 9_000; n += 1) reader.read(Buffer.from('x'));
    assert.equal(reader.body.toString(), 'x'.repeat(9_000));
    const most = Math.max(...concat.mock.calls.map((call) => call.arguments[0].length));
    mock.restoreAll();
    assert.ok(most <= 256, `${most} buffers`);
  });
});
