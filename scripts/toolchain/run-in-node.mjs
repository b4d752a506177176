import { spawn } from 'node:child_process';
import { envForNode } from './npm.mjs';

// How soon the death of whoever started us is noticed; nothing tells us of it.
const PARENT_POLL_MS = 500;

/**
 * Runs a script under the given Node.js in our place: same terminal, same signals, and its exit code
 * is the answer. It has a channel to us, by whose end it learns of our death even by SIGKILL; and
 * when our own parent dies it is told to stop (contract §2).
 *
 * @param {string} nodePath @param {string[]} args
 * @returns {Promise<number>} the exit code; 128 + the signal's number if a signal ended it
 */
export function runInNode(nodePath, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(nodePath, args, {
      env: envForNode(nodePath),
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, forward);
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      child.kill('SIGTERM');
    }, PARENT_POLL_MS);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      for (const name of SIGNALS) process.off(name, forward);
      resolve(code ?? 128 + (signal === 'SIGINT' ? 2 : signal === 'SIGKILL' ? 9 : 15));
    });
  });
}

/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
