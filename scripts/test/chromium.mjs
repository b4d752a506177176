import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, mayInstall } from '../debian/install-packages.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';

// The headless shell takes a third of the CPU of the whole browser. Browser tests use the first of
// these programs that is there (service/test/support/browser/browser.ts).
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const BROWSER = '/usr/bin/chromium';
// Every test file that needs a browser imports this name.
const NEEDED = 'WITHOUT_BROWSER';

/**
 * Installs Chromium's headless shell when a test that will run needs it, on Debian and its like, as
 * root. A failed installation does not throw. The browser tests then use the whole browser, or name
 * the missing program as they are skipped.
 * @param {readonly string[]} files the test files that will run
 * @param {AbortSignal} signal
 */
export async function ensureChromium(files, signal) {
  if (!files.some(needsBrowser) || existsSync(HEADLESS_SHELL) || !mayInstall()) return;
  console.error('Chromium’s headless shell: apt-get install, once …');
  const isThere = () => existsSync(HEADLESS_SHELL) || existsSync(BROWSER);
  const packages = ['chromium-headless-shell', 'chromium'];
  await installPackages(packages, signal, isThere);
  signal.throwIfAborted();
  if (isThere()) return;
  console.error('Chromium could not be installed, so npm test refuses the browser tests.');
}

/** @param {string} file @returns {boolean} */
export function needsBrowser(file) {
  return readFileSync(join(ROOT, file), 'utf8').includes(NEEDED);
}
