import { once } from 'node:events';
import { connect } from 'node:net';

/** Longer than any call takes on a busy machine. */
const PATIENCE_MS = 30_000;

/**
 * Sends the bytes of one request over a connection of its own, and reads until the service closes.
 *
 * @returns the status; 0: the connection ended without an answer
 */
export async function sendRaw(url: string, bytes: Buffer): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (chunk) => {
    if (answer.length < 20) answer += chunk.toString('latin1', 0, 20);
  });
  socket.write(bytes);
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
