import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npmFailure, runNpm } from '../toolchain/npm.mjs';
import { CLONE_STATE, ROOT } from '../toolchain/toolchain.mjs';
import { dropJoinedPackages } from './drop-joined-packages.mjs';

/** The files from which npm makes the tree: the lock file and its manifests. */
const MANIFESTS = ['package.json', 'package-lock.json', '.npmrc'];
/** npm's own notes about its last installation, which are true of no other folder. */
const NPM_NOTES = '.package-lock.json';
/** No process reads these files, which are half of the installed size. */
const NOT_RUN = /\.(map|[cm]?ts)$|^(changelog|history)\.md$/i;
const FOLDER = 'node_modules/';
/** A release has one folder of packages; these move into it. */
const NESTED = `service/${FOLDER}`;
const NOT_RUN_FOLDERS = [
  'test',
  'tests',
  'benchmark',
  'benchmarks',
  'docs',
  'example',
  'examples',
  '.github',
  '.yarn',
];

/**
 * Installs the service's production dependencies by `npm ci`, which holds each to the hash in the
 * lock file. `node_modules` of the checkout is not used: a person may have changed it.
 * @param {string} target the new node_modules @param {readonly string[]} workspaces
 */
export async function installDependencies(target, workspaces) {
  const folder = join(CLONE_STATE, 'release-dependencies');
  rmSync(folder, { recursive: true, force: true });
  for (const path of [...MANIFESTS, ...workspaces.map((name) => join(name, 'package.json'))]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
  // `npm pack` passes its own options on by the environment.
  const options = ['--no-dry-run', '--no-json', '--no-global'];
  const omit = ['--omit=dev', '--omit=optional', '--workspace=service'];
  const { exitCode, output } = await runNpm({
    nodePath: process.execPath,
    args: ['ci', '--ignore-scripts', '--prefer-offline', ...options, ...omit],
    cwd: folder,
    cacheFallback: join(CLONE_STATE, 'npm-cache'),
    onSpawn: () => {},
  });
  if (exitCode !== 0) throw npmFailure(output, 'install the dependencies of the release');
  const installed = join(folder, 'node_modules');
  // npm links the project's own workspaces.
  rmSync(join(installed, '@payment-requests'), { recursive: true });
  // npm nests a package whose name a tool of development takes at the root, in another version.
  const nested = join(folder, NESTED);
  const kept = { recursive: true, errorOnExist: true, force: false };
  if (isFolder(nested)) cpSync(nested, installed, kept);
  removeWhatNeverRuns(installed);
  cpSync(installed, target, { recursive: true });
  rmSync(folder, { recursive: true });
}

/** @param {string} folder a node_modules */
function removeWhatNeverRuns(folder) {
  rmSync(join(folder, NPM_NOTES), { force: true });
  rmSync(join(folder, '.bin'), { recursive: true, force: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isOfPackage = /node_modules\/(@[^/]+\/)?[^/@]+$/.test(entry.parentPath);
    if (entry.isFile() && NOT_RUN.test(entry.name)) rmSync(path, { force: true });
    if (entry.isDirectory() && isOfPackage && NOT_RUN_FOLDERS.includes(entry.name)) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

/**
 * Removes the packages that are joined, and writes the lock file of the release, with the entries
 * of the installed packages. npm reads this file for the SBOM, and `npm audit` reads it in an
 * installed release.
 * @param {string} folder in which node_modules lies
 * @param {{ name: string, version: string, dependencies: Record<string, string> }} manifest
 */
export function writeLockFile(folder, manifest) {
  const { packages: all, ...lock } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  );
  const packages = placesInRelease(all);
  dropJoinedPackages(folder, packages, Object.keys(manifest.dependencies));
  const kept = Object.entries(packages).filter(
    ([path, { link }]) => path.startsWith(FOLDER) && !link && isFolder(join(folder, path)),
  );
  const names = new Set(kept.map(([path]) => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)));
  for (const [, entry] of kept) {
    // A package that is joined names others that are not there.
    const present = Object.entries(entry.dependencies ?? {}).filter(([name]) => names.has(name));
    if (entry.dependencies) entry.dependencies = Object.fromEntries(present);
  }
  const sdk = JSON.parse(readFileSync(join(ROOT, 'sdk', 'package.json'), 'utf8'));
  const own = { version: sdk.version, license: sdk.license };
  const { name, version } = manifest;
  const entries = [...kept, ['node_modules/@payment-requests/sdk', own]].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const contents = {
    ...lock,
    name,
    version,
    packages: { '': manifest, ...Object.fromEntries(entries) },
  };
  writeFileSync(join(folder, 'package-lock.json'), `${JSON.stringify(contents, null, 2)}\n`);
}

/**
 * The service's own version of a package replaces one of the same name at the root.
 * @param {Record<string, any>} packages @returns {Record<string, any>}
 */
function placesInRelease(packages) {
  const moved = Object.keys(packages)
    .sort()
    .map((path) => [path.replace(NESTED, FOLDER), packages[path]]);
  return Object.fromEntries(moved);
}

/** @param {string} path */
function isFolder(path) {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}
