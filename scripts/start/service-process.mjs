import { fork } from 'node:child_process';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../lib/failure.mjs';
import { NODE_FLAGS } from '../toolchain/node-flags.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';

/**
 * @typedef {object} PartProcess
 * @property {string} title
 * @property {number | undefined} pid
 * @property {Promise<Ending>} ended
 * @property {() => Promise<void>} stop asks it to stop, waits, and ends it by force if it must
 */
/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending */

// A service answers a second or two after its start, on a busy machine several times that.
const READY_MS = 60_000;
const READY_POLL_MS = 25;
const READY_CALL_MS = 2_000;
// The time for a stop beyond the service's own limit, SHUTDOWN_GRACE_SECONDS.
const STOP_MARGIN_MS = 5_000;

/**
 * Starts one part and waits until it is ready. It has a channel to us, at whose end it stops by
 * itself, so that it never outlives us.
 * @param {import('./services.mjs').LocalPart} part
 * @param {{ env: NodeJS.ProcessEnv, log: import('../state/log-files.mjs').LogFile, signal:
 * AbortSignal,
 *   onStart: (process: PartProcess) => void }} options onStart: at once, before it is ready
 */
export async function startPart(part, { env, log, signal, onStart }) {
  const child = fork(part.script, part.args, {
    cwd: ROOT,
    env,
    execArgv: [...NODE_FLAGS],
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
    // A session of its own: Ctrl-C reaches us alone, and we stop the parts in their order.
    detached: true,
  });
  /** @type {Promise<Ending>} */
  const ended = new Promise((resolve) => {
    child.on('exit', (code, endedBy) => resolve({ code, signal: endedBy }));
    child.on('error', () => resolve({ code: 1, signal: null }));
  });
  const graceMs = Number(env.SHUTDOWN_GRACE_SECONDS) * 1000 + STOP_MARGIN_MS || STOP_MARGIN_MS;
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await ended;
    clearTimeout(timer);
  };
  onStart({ title: part.title, pid: child.pid, ended, stop });
  await untilReady(part, { ended, log, signal });
}

/**
 * @param {import('./services.mjs').LocalPart} part
 * @param {{ ended: Promise<Ending>, log: import('../state/log-files.mjs').LogFile, signal:
 * AbortSignal }}
 *   options
 */
async function untilReady({ title, readyUrl }, { ended, log, signal }) {
  /** @type {Ending | undefined} */
  let ending;
  ended.then((how) => {
    ending = how;
  });
  const giveUpAt = Date.now() + READY_MS;
  let answer = 'no answer';
  while (answer !== '200') {
    signal.throwIfAborted();
    if (ending) throw diedEarly(title, ending, log);
    if (Date.now() > giveUpAt) {
      throw new Failure(
        `${capital(title)} is not ready after ${READY_MS / 1000} s (${readyUrl}: ${answer}). ` +
          `The last lines of ${log.path}:\n${log.tail()}`,
      );
    }
    answer = await statusOf(readyUrl);
    if (answer !== '200') await sleep(READY_POLL_MS);
  }
}

/**
 * @param {string} title @param {Ending} ending
 * @param {import('../state/log-files.mjs').LogFile} log
 */
export function diedEarly(title, { code, signal }, log) {
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
  return new Failure(`${capital(title)} ${how}. The last lines of ${log.path}:\n${log.tail()}`);
}

/** @param {string} text */
export function capital(text) {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

/** @param {string} url @returns {Promise<string>} the status, or what kept the answer away */
function statusOf(url) {
  return new Promise((resolve) => {
    const call = get(url, { agent: false, timeout: READY_CALL_MS }, (response) => {
      response.resume();
      resolve(String(response.statusCode));
    });
    call.on('timeout', () => call.destroy(new Error('no answer')));
    call.on('error', (error) => resolve(error.message));
  });
}
