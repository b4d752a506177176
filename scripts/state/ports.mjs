import { randomInt } from 'node:crypto';
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

// Below the ports that Linux (from 32768), macOS and Windows (from 49152) give by themselves to
// connections and listeners, which could take a port between its finding and its use.
const FIRST_PORT = 15_000;
const BLOCKS = 340;
// More ports than most processes look for.
const BLOCK_PORTS = 50;

/** @type {Promise<number> | undefined} the first port of this process's block: the claim */
let block;
let offset = 1;

/**
 * Each process looks in blocks of its own, so that processes side by side find different ports.
 * @param {number} [inRow] how many ports in a row are wanted, at most 49
 * @returns {Promise<number>} the first of ports of 127.0.0.1 that nothing listens on, and that this
 *   process has not found before
 */
export async function findFreePort(inRow = 1) {
  for (let tries = 0; tries < BLOCKS * BLOCK_PORTS; tries += 1) {
    if (block === undefined || offset + inRow > BLOCK_PORTS) {
      block = claimBlock();
      offset = 1;
    }
    const own = offset;
    offset += inRow;
    const first = (await block) + own;
    const ports = Array.from({ length: inRow }, (_, index) => first + index);
    const codes = await Promise.all(ports.map((port) => tryListen(port, '127.0.0.1')));
    if (codes.every((code) => code === '')) return first;
  }
  throw noPort();
}

/**
 * Listens on the first port of a block until the process ends: a claim that no other process can
 * have at the same time, and that does not outlive this one.
 */
async function claimBlock() {
  const start = randomInt(BLOCKS);
  for (let step = 0; step < BLOCKS; step += 1) {
    const first = FIRST_PORT + ((start + step) % BLOCKS) * BLOCK_PORTS;
    const claim = createServer().unref();
    const isClaimed = await new Promise((resolve) => {
      claim.once('error', () => resolve(false));
      claim.listen({ port: first, host: '127.0.0.1', exclusive: true }, () => resolve(true));
    });
    if (isClaimed) return first;
  }
  throw noPort();
}

const noPort = () => new Failure('There is no free port.');

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
