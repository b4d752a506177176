import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linkPackages } from '../toolchain/link-packages.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';
import { bundleService } from './bundle-service.mjs';
import { compileModule, compileModules, filesIn } from './compile-service.mjs';
import { installDependencies, writeLockFile } from './install-dependencies.mjs';

/** Git ignores this folder; the package holds it under the same name. */
export const BUILT = 'dist';

/**
 * The files of the package; npm adds README.md and LICENSE. Pages for operators cite decisions, the
 * specification, measurements and trials: an operator reads these files beside the program.
 */
export const PUBLISHED = [
  BUILT,
  'deploy',
  'docs',
  'bench/README.md',
  'sdk/README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
];

/**
 * Files beside modules that the running service reads: the path in the project and the path in the
 * release. A test starts a release that has nothing else.
 */
const COPIED = [
  ['service/migrations', 'service/migrations'],
  ['service/browser', 'service/browser'],
  ['service/texts', 'service/texts'],
  ['CHANGELOG.md', 'CHANGELOG.md'],
  ['docs/guides', 'docs/guides'],
  ['docs/payment-request-states.md', 'docs/payment-request-states.md'],
  ['scripts/toolchain/node-memory-flags', 'node-memory-flags'],
  ['scripts/release/payreq', 'payreq'],
  ['sdk/dist', 'node_modules/@payment-requests/sdk/dist'],
  ['sdk/src/checkout.js', 'node_modules/@payment-requests/sdk/src/checkout.js'],
  ['sdk/CHANGELOG.md', 'node_modules/@payment-requests/sdk/CHANGELOG.md'],
  ['sdk/LICENSE', 'node_modules/@payment-requests/sdk/LICENSE'],
  ['sdk/README.md', 'node_modules/@payment-requests/sdk/README.md'],
];
/** Files that only an editor reads. */
const NOT_COPIED = ['service/browser/tsconfig.json'];

/**
 * Builds the folder of the release: the service as JavaScript, in the folders of the checkout, its
 * dependencies, and both joined into a few files.
 * @param {string} target
 * @param {{ isForTests?: boolean }} [options] isForTests: with the program that makes merchants,
 *   which no release has
 */
export async function buildRelease(target, { isForTests = false } = {}) {
  rmSync(target, { recursive: true, force: true });
  const { workspaces } = readManifest('.');
  await installDependencies(join(target, 'node_modules'), workspaces);
  buildOwnPart(target);
  const more = isForTests ? ['serve-sandbox'] : [];
  for (const name of more) {
    const text = readFileSync(join(ROOT, 'scripts', 'sandbox', `${name}.mjs`), 'utf8');
    writeFileSync(join(target, 'service', 'src', `${name}.js`), compileModule(text));
  }
  await bundleService(target, ['cli', ...more]);
  const manifest = { ...nameOf(readManifest('.')), ...dependenciesOf(readManifest('service')) };
  writeJson(join(target, 'package.json'), manifest);
  writeLockFile(target, manifest);
  setModes(target);
}

/** Builds all but the dependencies. @param {string} target */
function buildOwnPart(target) {
  compileModules(join(ROOT, 'service', 'src'), join(target, 'service', 'src'));
  for (const [from = '', to = ''] of COPIED) {
    mkdirSync(dirname(join(target, to)), { recursive: true });
    cpSync(join(ROOT, from), join(target, to), { recursive: true });
  }
  for (const path of NOT_COPIED) rmSync(join(target, path));
  const { bin: _, devDependencies: __, ...service } = readManifest('service');
  writeJson(join(target, 'service', 'package.json'), { ...service, release: true });
  // The SDK's source stays away; /sdk.tgz has the manifest's own `publishConfig`.
  const sdk = readManifest('sdk');
  const exports = {
    ...sdk.exports,
    '.': sdk.publishConfig.exports['.'],
    './cli': './dist/cli/tools.js',
  };
  writeJson(join(target, 'node_modules/@payment-requests/sdk/package.json'), { ...sdk, exports });
  chmodSync(join(target, 'payreq'), 0o755);
}

/**
 * Builds all but the dependencies, which are the checkout's: those that npm nests in the service,
 * since a tool has another version at the root, and those at the root, above.
 * @param {string} target a folder in the checkout
 */
export function buildInCheckout(target) {
  buildOwnPart(target);
  linkPackages(target, ['service/node_modules']);
}

/** The umask of the account that builds must not change the package. @param {string} target */
function setModes(target) {
  const programs = new Set([join(target, 'payreq')]);
  for (const path of filesIn(target).map((name) => join(target, name))) {
    chmodSync(path, programs.has(path) ? 0o755 : 0o644);
  }
}

/** @param {string} folder */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

/** @param {{ name: string, version: string, license: string }} manifest */
function nameOf({ name, version, license }) {
  return { name, version, license };
}

/** @param {{ type: string, engines: object, dependencies: Record<string, string> }} manifest */
function dependenciesOf({ type, engines, dependencies }) {
  return { type, engines, dependencies };
}

/** @param {string} path @param {object} contents */
export function writeJson(path, contents) {
  writeFileSync(path, `${JSON.stringify(contents, null, 2)}\n`);
}
