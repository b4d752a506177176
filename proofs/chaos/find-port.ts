import { createServer } from 'node:net';
import { createRandom, drawInteger } from '../history/random.ts';

/**
 * Linux gives ports above this range to outgoing connections. A killed process must find its port
 * free at its next start.
 */
const LEAST_PORT = 20_000;
const MOST_PORT = 32_000;
const TRIES = 100;

/** A port of 127.0.0.1 on which nothing listens at the moment. */
export async function findPort(): Promise<number> {
  const random = createRandom(process.pid, `${performance.now()}`);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const port = drawInteger(random, LEAST_PORT, MOST_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port between ${LEAST_PORT} and ${MOST_PORT}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
