import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../toolchain/toolchain.mjs';

// The headless shell takes a third of the CPU of the whole browser. Browser tests use the first of
// these programs that is there (service/test/support/browser/browser.ts).
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const BROWSER = '/usr/bin/chromium';
const APT = '/usr/bin/apt-get';
// The limit allows 100 MB over a slow line. Without Chromium, npm test refuses the browser tests.
const INSTALL_MS = 5 * 60_000;
const APT_OPTIONS = ['-qq', '-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20'];
// Every test file that needs a browser imports this name.
const NEEDS_BROWSER = 'WITHOUT_BROWSER';

/**
 * Installs Chromium's headless shell when a test that will run needs it, on Debian and its like, as
 * root. A failed installation does not throw. The browser tests then use the whole browser, or name
 * the missing program as they are skipped.
 * @param {readonly string[]} files the test files that will run
 * @param {AbortSignal} signal
 */
export async function ensureChromium(files, signal) {
  const isNeeded = files.some((file) =>
    readFileSync(join(ROOT, file), 'utf8').includes(NEEDS_BROWSER),
  );
  if (!isNeeded || existsSync(HEADLESS_SHELL) || !mayInstall()) return;
  console.error('Chromium’s headless shell: apt-get install, once …');
  const limited = AbortSignal.any([signal, AbortSignal.timeout(INSTALL_MS)]);
  const install = ['install', '--yes', '--no-install-recommends'];
  if (await runApt(['update'], limited)) {
    for (const name of ['chromium-headless-shell', 'chromium']) {
      if (name === 'chromium' && existsSync(BROWSER)) break;
      if (await runApt([...install, name], limited)) return;
    }
  }
  signal.throwIfAborted();
  if (existsSync(BROWSER)) return;
  console.error('Chromium could not be installed, so npm test refuses the browser tests.');
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
