import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { Deadline } from '#webhooks/https/deadline.ts';
import { exchangeHttps } from '#webhooks/https/exchange-https.ts';
import { outcomeOfError } from '#webhooks/model/outcomes.ts';

const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n';
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

class FakeSocket extends EventEmitter {
  writable = true;
  bytesRead = 7;
  writableLength = 0;
  written = '';
  write(text: string): void {
    this.written += text;
  }
  receive(text: string): void {
    this.bytesRead += text.length;
    this.emit('data', Buffer.from(text, 'latin1'));
  }
}

function begin() {
  const socket = new FakeSocket();
  const deadline = new Deadline(60_000);
  let heads = 0;
  const onHead = () => {
    heads += 1;
  };
  const over = exchangeHttps(socket as unknown as TLSSocket, 'POST', { deadline, onHead });
  return {
    socket,
    deadline,
    heads: () => heads,
    over: over.finally(() => deadline.cancel()),
  };
}

describe('an exchange', () => {
  it('writes its request at once, and leaves no listener behind', async () => {
    const { socket, over, heads } = begin();
    assert.equal(socket.written, 'POST');
    socket.receive(ANSWER);
    const { head, isReusable } = await over;
    assert.deepEqual([head?.status, isReusable, heads()], [204, true, 1]);
    assert.deepEqual(socket.eventNames(), []);
  });

  it('keeps no connection on which more came in the same turn', async () => {
    const { socket, over } = begin();
    socket.receive(ANSWER);
    socket.receive(ANSWER);
    assert.equal((await over).isReusable, false);
  });

  it('keeps a connection whose request is written a turn later', async () => {
    const { socket, over } = begin();
    socket.writableLength = 4;
    socket.receive(ANSWER);
    setImmediate(() => {
      socket.writableLength = 0;
    });
    assert.equal((await over).isReusable, true);
  });

  it('keeps no connection whose request is still being written', async () => {
    const { socket, over } = begin();
    socket.writableLength = 4;
    socket.receive(ANSWER);
    assert.equal((await over).isReusable, false);
  });

  it('keeps no connection that its listener ends while the request is written', async () => {
    const { socket, over } = begin();
    socket.writableLength = 4;
    socket.receive(ANSWER);
    setImmediate(() => {
      socket.writableLength = 0;
      // node:net ends its own side at the end of the other, and destroys the socket later.
      socket.writable = false;
    });
    assert.equal((await over).isReusable, false);
  });

  for (const [title, before, part, expected] of [
    ['a head is a fault', '', 'HTTP/1.1 103 x\r\n\r\n', [null, 'ANSWER_TOO_LARGE']],
    ['a body is cut off', 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', 'x', [200, null]],
    ['trailers are cut off', `${CHUNKED}0\r\n`, 'x:y\r\n', [200, null]],
  ] as const) {
    it(`reads at most 4,096 parts of an answer: ${title}`, async () => {
      const { socket, over } = begin();
      let isOver = false;
      const ended = over.finally(() => {
        isOver = true;
      });
      if (before !== '') socket.receive(before);
      const bytes = [...part.repeat(4_095)].slice(0, before === '' ? 4_095 : 4_094);
      for (const byte of bytes) socket.receive(byte);
      await turn();
      assert.equal(isOver, false);
      socket.receive('\r');
      const { head, error, isReusable } = await ended;
      const fault = error === null ? null : outcomeOfError(error);
      assert.deepEqual([head?.status ?? null, fault, isReusable], [...expected, false]);
    });
  }

  it('ends at its deadline, with the status when the head was there', async () => {
    for (const [head, status] of [
      ['', null],
      ['HTTP/1.1 200 OK\r\n\r\n', 200],
    ] as const) {
      const { socket, deadline, over } = begin();
      if (head !== '') socket.receive(head);
      deadline.end();
      const ended = await over;
      assert.deepEqual([ended.head?.status ?? null, ended.isReusable], [status, false]);
      assert.equal(outcomeOfError(ended.error), 'TIMED_OUT');
      assert.equal(ended.isSilent, head === '');
    }
  });

  it('is lost on a connection that ended before it', async () => {
    const socket = new FakeSocket();
    socket.writable = false;
    const deadline = new Deadline(60_000);
    const { error } = await exchangeHttps(socket as unknown as TLSSocket, 'POST', {
      deadline,
      onHead: () => {},
    });
    deadline.cancel();
    assert.equal(outcomeOfError(error), 'CONNECTION_LOST');
    assert.equal(socket.written, '');
  });
});
