import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileFailure } from '../lib/failure.mjs';

// A failed run is seldom older than this when a person reads its log.
const OLD_LOGS_KEPT = 3;
// About a minute at full load; with the old ones at most 1 GiB for all parts together.
const MOST_BYTES = 64 * 1024 * 1024;
const SIZE_CHECK_MS = 5_000;
// The tail fits on a screen, and holds the reason why a part did not start.
const TAIL_LINES = 12;
const TAIL_BYTES = 16 * 1024;

/**
 * @typedef {object} LogFile
 * @property {string} path
 * @property {number} fd for a child process to write to: it goes on without us
 * @property {() => string} tail the last lines of this run
 * @property {() => void} close our own copy of fd
 */

/**
 * Opens LOCAL_DIR/logs/NAME.log for one run; what earlier runs wrote moves to NAME.log.1 and on.
 * @param {string} localDir @param {string} name @returns {LogFile}
 */
export function openLogFile(localDir, name) {
  const path = join(localDir, 'logs', `${name}.log`);
  try {
    rotate(path);
    // Appending, so that a file cut short under a writer goes on at its new end.
    const fd = openSync(path, 'a', 0o600);
    return { path, fd, tail: () => tailOf(path), close: () => closeSync(fd) };
  } catch (error) {
    throw fileFailure(error, `write ${path}`);
  }
}

/**
 * Keeps running logs from filling the disk: a log that is too large is copied to NAME.log.1 and
 * then emptied. A line written between these steps is lost, which a local run can bear.
 * @param {readonly LogFile[]} logs @returns {() => void} ends it
 */
export function boundLogFiles(logs) {
  const timer = setInterval(() => {
    for (const { path } of logs) {
      try {
        if (statSync(path).size < MOST_BYTES) continue;
        copyFileSync(path, `${path}.1`);
        truncateSync(path);
      } catch {
        // Someone moved it away: then it does not grow here.
      }
    }
  }, SIZE_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** @param {string} path */
function rotate(path) {
  if (!existsSync(path)) return;
  for (let n = OLD_LOGS_KEPT - 1; n >= 1; n -= 1) {
    if (existsSync(`${path}.${n}`)) renameSync(`${path}.${n}`, `${path}.${n + 1}`);
  }
  renameSync(path, `${path}.1`);
}

/** @param {string} path */
function tailOf(path) {
  try {
    const fd = openSync(path, 'r');
    const size = fstatSync(fd).size;
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    closeSync(fd);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  } catch {
    return '';
  }
}
