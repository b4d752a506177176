import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { LoadGate } from '#http/overload/load-gate.ts';
import { PendingResponse, PendingResponses } from '#http/overload/pending-responses.ts';
import { systemClock } from '#lib/clock.ts';
import { eventually } from '../support/eventually.ts';

const GET = 'GET / HTTP/1.1\r\nHost: pay.test\r\n\r\n';
/** The most owed answers of a connection. */
const MOST_OWED = 16;

let server: Server;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** A server that owes answers as the public listener does. */
async function listen(
  onParsed: () => void,
  begin: (answer: PendingResponse) => void,
): Promise<void> {
  server = createServer({ ServerResponse: PendingResponse });
  const owed = new PendingResponses();
  owed.watch(server);
  server.on('request', (_request, answer: PendingResponse) => {
    onParsed();
    owed.owe(answer, () => begin(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function send(bytes: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  sockets.push(socket);
  return socket;
}

describe('pipelined requests', () => {
  it('are parsed no further once the connection is owed 16 answers', async () => {
    let parsed = 0;
    await listen(
      () => {
        parsed += 1;
      },
      () => {},
    );
    const socket = send(GET.repeat(1_200));
    await once(socket.resume(), 'close');
    assert.equal(parsed, MOST_OWED + 1);
  });

  it('begin when the answer before is sent', async () => {
    const begun: PendingResponse[] = [];
    let parsed = 0;
    await listen(
      () => {
        parsed += 1;
      },
      (answer) => begun.push(answer),
    );
    send(GET.repeat(3));
    await eventually(() => parsed === 3);
    assert.equal(begun.length, 1);
    begun[0]?.end('first');
    await eventually(() => begun.length === 2);
    begun[1]?.end('second');
    await eventually(() => begun.length === 3);
  });

  it('do not begin behind an answer that nobody reads', async () => {
    let parsed = 0;
    let begun = 0;
    await listen(
      () => {
        parsed += 1;
      },
      (answer) => {
        begun += 1;
        // More than the kernel keeps for a connection.
        answer.end(Buffer.alloc(32 * 1024 * 1024));
      },
    );
    const socket = send(GET.repeat(MOST_OWED));
    socket.pause();
    await eventually(() => parsed === MOST_OWED);
    const other = send(GET);
    other.resume();
    await eventually(() => begun === 2);
    assert.equal(begun, 2);
    await eventually(() => other.bytesRead > 32 * 1024 * 1024);
    assert.equal(begun, 2);
  });

  it('begin at most 16 in one turn of the event loop', async () => {
    const connections = 40;
    const first: PendingResponse[] = [];
    let parsed = 0;
    let inTurn = 0;
    let most = 0;
    let begun = 0;
    await listen(
      () => {
        parsed += 1;
      },
      (answer) => {
        begun += 1;
        if (begun <= connections) return first.push(answer);
        inTurn += 1;
        most = Math.max(most, inTurn);
        // Runs at the start of the next turn's immediates, before more calls begin.
        if (inTurn === 1) {
          setImmediate(() => {
            inTurn = 0;
          });
        }
        return answer.end();
      },
    );
    for (let n = 0; n < connections; n += 1) send(GET.repeat(2)).resume();
    await eventually(() => parsed === 2 * connections);
    assert.equal(begun, connections);
    for (const answer of first) answer.end();
    await eventually(() => begun === 2 * connections);
    assert.equal(most, 16);
  });
});

describe('a connection that closes', () => {
  it('gives back the place of its call, whose handler still waits', async () => {
    const gate = new LoadGate(systemClock);
    await listen(
      () => {},
      (answer) => {
        answer.permit = gate.enter(false);
      },
    );
    const socket = send(GET);
    await eventually(() => gate.load().inFlight === 1);
    socket.destroy();
    await eventually(() => gate.load().inFlight === 0);
  });
});
