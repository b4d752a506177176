import { createServer } from 'node:net';
import { errorCode, Failure } from '../lib/failure.mjs';

/** @typedef {{ port: number, purpose: string }} WantedPort purpose as in "the sandbox service" */

/**
 * Refuses to start when a port is taken, and names each one with what it was for. Both loopback
 * addresses count: a stranger on [::1] would get the calls meant for `localhost`.
 * @param {readonly WantedPort[]} wanted
 */
export async function requireFreePorts(wanted) {
  const faults = [];
  for (const { port, purpose } of wanted) {
    const codes = [await tryListen(port, '127.0.0.1'), await tryListen(port, '::1')];
    if (codes.includes('EADDRINUSE')) faults.push(`port ${port}, for ${purpose}, is in use`);
    else if (codes.includes('EACCES')) faults.push(`port ${port}, for ${purpose}, needs root`);
  }
  if (faults.length === 0) return;
  const text = faults.join('; ');
  throw new Failure(
    `${text[0]?.toUpperCase()}${text.slice(1)}. ` +
      'End what uses it, or choose other ports: BASE_PORT=5000 npm start.',
  );
}

/** @returns {Promise<number>} a port of 127.0.0.1 that nothing listens on just now */
export async function findFreePort() {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Failure('There is no free port.');
  return address.port;
}

/**
 * @param {number} port @param {string} host
 * @returns {Promise<string>} the error's code; empty when it can be listened on. An address that
 *   this machine does not have (EADDRNOTAVAIL) is nobody's either.
 */
function tryListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', (error) => resolve(errorCode(error)));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('')));
  });
}
