import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { AnswerReader } from '#webhooks/https/answer-reader.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

function readBytes(text: string): void {
  const reader = new AnswerReader();
  for (const byte of text) reader.read(Buffer.from(byte, 'latin1'));
}

describe('an answer that comes byte by byte', () => {
  for (const [title, text] of [
    ['with a long reason', `HTTP/1.1 200 ${'a'.repeat(8_000)}\r\nx: ${'y'.repeat(8_000)}`],
    ['with CR after CR', `${OK}x: ${'\r'.repeat(16_000)}`],
    ['with LF after LF', `${OK}x: ${'\n'.repeat(16_000)}`],
    ['with many fields', `${OK}${'a:\r\n'.repeat(4_000)}`],
    ['with a long chunk line', `${CHUNKED}1;${'\r'.repeat(16_000)}`],
    ['with a long trailer', `${CHUNKED}0\r\nx: ${'\r'.repeat(16_000)}`],
  ] as const) {
    it(`is searched about once for line ends: ${title}`, () => {
      let searched = 0;
      const { indexOf, toString: decodeBytes } = Buffer.prototype;
      mock.method(
        Buffer.prototype,
        'indexOf',
        function search(this: Buffer, ...args: [Buffer, number]) {
          searched += this.length - args[1];
          return indexOf.apply(this, args);
        },
      );
      mock.method(
        Buffer.prototype,
        'toString',
        function decode(this: Buffer, ...args: ['latin1', number, number]) {
          searched += (args[2] ?? this.length) - (args[1] ?? 0);
          return decodeBytes.apply(this, args);
        },
      );
      try {
        readBytes(text);
      } finally {
        mock.restoreAll();
      }
      assert.ok(searched < 16 * text.length, `${searched} bytes of ${text.length}`);
    });
  }

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
