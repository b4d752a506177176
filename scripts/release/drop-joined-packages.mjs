import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Packages that are in the joined files whole, and that no other package loads. The protocol's
 * brings others that serve it over HTTP, which the service never loads; TypeBox has 700 files.
 */
const JOINED = ['@modelcontextprotocol/sdk', 'typebox'];
/** The packages that are joined with them; their version and licence stay. */
const JOINED_WITH = ['zod', 'zod-to-json-schema'];
const KEPT_FILES = /^(package\.json|licen[cs]e.*)$/i;

/**
 * @typedef {object} Locked an entry of a lock file
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/**
 * Removes the packages that only JOINED bring, and of the joined packages all but what states
 * version and licence: their code would be installed twice.
 * @param {string} folder in which node_modules lies
 * @param {Record<string, Locked>} packages the entries of the lock file, at their places here
 * @param {readonly string[]} roots the dependencies of the service
 */
export function dropJoinedPackages(folder, packages, roots) {
  const needed = reachable(
    packages,
    roots.filter((name) => !JOINED.includes(name)),
  );
  const ofJoined = reachable(packages, JOINED);
  const stated = [...JOINED, ...JOINED_WITH].map((name) => `node_modules/${name}`);
  for (const path of ofJoined) {
    if (needed.has(path) || !existsSync(join(folder, path))) continue;
    if (stated.includes(path)) keepStatement(join(folder, path));
    else rmSync(join(folder, path), { recursive: true });
  }
  // A scope without a package is left behind.
  const modules = join(folder, 'node_modules');
  for (const name of readdirSync(modules)) {
    const scope = join(modules, name);
    if (name.startsWith('@') && readdirSync(scope).length === 0) rmSync(scope, { recursive: true });
  }
}

/** @param {string} folder of a package */
function keepStatement(folder) {
  for (const name of readdirSync(folder)) {
    if (!KEPT_FILES.test(name)) rmSync(join(folder, name), { recursive: true });
  }
}

/**
 * The places of packages and of all that they bring, as Node.js finds them.
 * @param {Record<string, Locked>} packages @param {readonly string[]} names
 * @returns {Set<string>}
 */
function reachable(packages, names) {
  const found = /** @type {Set<string>} */ (new Set());
  const asked = names.map((name) => ({ from: '.', name }));
  for (let next = asked.pop(); next; next = asked.pop()) {
    const path = placeOf(packages, next.from, next.name);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      asked.push({ from: path, name });
    }
  }
  return found;
}

/** @param {Record<string, Locked>} packages @param {string} from @param {string} name */
function placeOf(packages, from, name) {
  for (let at = from; ; at = posix.dirname(at)) {
    const path = posix.join(at, 'node_modules', name);
    if (path in packages) return path;
    if (at === '.') return undefined;
  }
}
