import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../toolchain/toolchain.mjs';

const BROWSER = '/usr/bin/chromium';
const APT = '/usr/bin/apt-get';
// Some 100 MB over a slow line. It is cut off then, and the tests in a browser are skipped by name.
const INSTALL_MS = 5 * 60_000;
const APT_OPTIONS = ['-qq', '-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20'];
// What stands in every test file that needs a browser.
const NEEDS_BROWSER = 'WITHOUT_BROWSER';

/**
 * Installs Chromium where tests that will run need it and this may be done: on Debian and its like,
 * as root. Never fails: without it those tests are skipped, and say so.
 * @param {readonly string[]} files the test files that will run
 * @param {AbortSignal} signal
 */
export async function ensureChromium(files, signal) {
  const isNeeded = files.some((file) =>
    readFileSync(join(ROOT, file), 'utf8').includes(NEEDS_BROWSER),
  );
  if (!isNeeded || existsSync(BROWSER) || !mayInstall()) return;
  console.error('Chromium: apt-get install, once …');
  const limited = AbortSignal.any([signal, AbortSignal.timeout(INSTALL_MS)]);
  const install = ['install', '--yes', '--no-install-recommends', 'chromium'];
  if ((await runApt(['update'], limited)) && (await runApt(install, limited))) return;
  signal.throwIfAborted();
  console.error('Chromium could not be installed: tests in a browser are skipped.');
}

function mayInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync(APT);
}

/** @param {readonly string[]} args @param {AbortSignal} signal @returns {Promise<boolean>} */
function runApt(args, signal) {
  return new Promise((resolve) => {
    const child = spawn(APT, [...APT_OPTIONS, ...args], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      signal,
    });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
