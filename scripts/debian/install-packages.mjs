import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

const APT = '/usr/bin/apt-get';
const APT_OPTIONS = ['-qq', '-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20'];
// The limit allows 100 MB over a slow line.
const INSTALL_MS = 5 * 60_000;

/** Whether this process may install Debian's packages: on Debian and its like, as root. */
export function mayInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync(APT);
}

/**
 * Installs Debian packages, one after another. A failed installation does not throw.
 * @param {readonly string[]} packages
 * @param {AbortSignal} signal
 * @param {() => boolean} [isEnough] after a package: whether the rest is not needed
 * @returns {Promise<boolean>} whether the installation did its job
 */
export async function installPackages(packages, signal, isEnough = () => false) {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(INSTALL_MS)]);
  if (!(await runApt(['update'], limited))) return false;
  let isWhole = true;
  for (const name of packages) {
    const install = ['install', '--yes', '--no-install-recommends', name];
    isWhole = (await runApt(install, limited)) && isWhole;
    if (isEnough()) return true;
  }
  return isWhole;
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
