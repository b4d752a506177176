import { spawn } from 'node:child_process';
import { envForNode } from './npm.mjs';

// The system announces no end of a parent: the poll notices it within this time.
const PARENT_POLL_MS = 500;

/**
 * Runs a script under the given Node.js in our place: with our terminal, our signals and its exit
 * code. The script has a channel to us: the channel's end shows our end, even by SIGKILL. When our
 * own parent ends, the script is stopped (contract §2).
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
