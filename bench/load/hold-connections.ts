/**
 * Holds connections open as the line on its input says, and opens those anew that are closed; writes
 * how many it opened when its input ends.
 */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** So many at a time: 2,000 are open within a second. */
const LOT = 100;
const LOT_PAUSE_MS = 50;

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  const { host, port, head, drip, connections } = JSON.parse(line);
  const isReading = !head.startsWith('GET /openapi');
  const sockets = new Set<Socket>();
  let opened = 0;

  function open(): void {
    const socket = connect({ host, port });
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    socket.once('end', () => socket.destroy());
    socket.write(head);
    if (isReading) socket.resume();
  }

  const opening = setInterval(() => {
    for (let n = 0; n < LOT && sockets.size < connections; n += 1) open();
  }, LOT_PAUSE_MS);
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
