import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { Failure } from '../lib/failure.mjs';

// Enough of npm's words to find the cause in; a wild one must not fill the memory.
const OUTPUT_KEPT = 64 * 1024;

/**
 * Runs npm under a chosen Node.js, not the Node.js that npm was installed for: under an old
 * Node.js, npm resolves other versions than the author of the lock file had.
 *
 * @param {object} options
 * @param {string} options.nodePath @param {string[]} options.args
 * @param {string} options.cwd @param {string} options.cacheFallback a folder for npm's cache, used
 *   when the usual one cannot be written (a service account without a home)
 * @param {(pid: number) => void} options.onSpawn
 * @returns {Promise<{ exitCode: number, output: string }>}
 */
export function runNpm({ nodePath, args, cwd, cacheFallback, onSpawn }) {
  const npm = findNpm();
  const flags = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  // A line that comes and goes is waited for a little; one that is down is said within seconds.
  flags.push('--fetch-retries=2', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=3000');
  if (!canHaveCache()) flags.push(`--cache=${cacheFallback}`);
  const [command, first] = npm.endsWith('.js') ? [nodePath, [npm]] : [npm, []];
  const env = envForNode(nodePath);
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args, ...flags], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) onSpawn(child.pid);
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk).slice(-OUTPUT_KEPT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const stop = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    process.on('SIGINT', stop).on('SIGTERM', stop);
    child.on('error', (error) => reject(new Failure(`npm cannot be run: ${error.message}.`)));
    child.on('close', (code, signal) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      if (signal) return reject(new Failure('The installation was interrupted.'));
      resolve({ exitCode: code ?? 1, output });
    });
  });
}

/** @param {string} nodePath @returns {NodeJS.ProcessEnv} where that Node.js comes first on PATH */
export function envForNode(nodePath) {
  const path = [dirname(nodePath), process.env.PATH].filter(Boolean).join(delimiter);
  return { ...process.env, PATH: path, NODE: nodePath, npm_node_execpath: nodePath };
}

const NETWORK_FAULTS = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ERR_SOCKET_TIMEOUT',
];

/**
 * The one sentence about an npm run that did not do its work.
 * @param {string} output @param {string} what as in "install the dependencies"
 */
export function npmFailure(output, what) {
  const cause = NETWORK_FAULTS.find((code) => new RegExp(`\\b${code}\\b`).test(output));
  const silent = !output.includes('npm error') && !output.includes('npm ERR!');
  if (cause || silent) {
    return new Failure(
      `Cannot ${what}: the npm registry cannot be reached (${cause ?? 'npm gives no reason'}). ` +
        'The first start needs the network; later ones do not.',
    );
  }
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  const told = lines.filter((line) => line !== '' && !line.startsWith('A complete log'));
  return new Failure(`Cannot ${what}: npm says: ${told.slice(0, 4).join(' / ') || 'nothing'}.`);
}

/** @returns {string} the path of npm's program, a .js file when it is known */
function findNpm() {
  const own = process.env.npm_execpath;
  if (own && basename(own) === 'npm-cli.js') return own;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    try {
      const path = join(folder, 'npm');
      accessSync(path, constants.X_OK);
      return realpathSync(path);
    } catch {
      // Not in this folder.
    }
  }
  throw new Failure('npm is not on PATH; install it together with Node.js.');
}

function canHaveCache() {
  const configured = process.env.npm_config_cache;
  for (const folder of configured ? [configured] : [join(homedir(), '.npm'), homedir()]) {
    try {
      accessSync(folder, constants.W_OK);
      return true;
    } catch {
      // The next folder up may let us make it.
    }
  }
  return false;
}
