import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinModules } from './join-modules.mjs';
import { keepLines } from './keep-lines.mjs';

/** The folder of the joined modules. */
const BUNDLE = 'service/bundle';
/** Node.js takes a module's source map when it loads the module. A release is in node_modules. */
const programText = (
  /** @type {string} */ name,
) => `import { setSourceMapsSupport } from 'node:module';

setSourceMapsSupport(true, { nodeModules: true });
await import('../bundle/${name}.js');
`;

/**
 * @param {string} root of a release, with `node_modules` there or above; its programs become the
 *   joined ones
 * @param {readonly string[]} [names] of the programs
 */
export async function bundleService(root, names = ['cli']) {
  const folder = join(root, BUNDLE);
  rmSync(folder, { recursive: true, force: true });
  const programs = Object.fromEntries(names.map((name) => [name, `service/src/${name}.js`]));
  const written = await joinModules({ root, programs, folder });
  for (const path of written) {
    if (path.endsWith('.map')) reduceMap(path);
  }
  for (const [name, path] of Object.entries(programs)) {
    writeFileSync(join(root, path), programText(name));
  }
}

/** @param {string} path */
function reduceMap(path) {
  const map = JSON.parse(readFileSync(path, 'utf8'));
  const isOwn = (/** @type {string} */ source) => !source.includes('node_modules/');
  const kept = keepLines(map, isOwn);
  if (kept.sources.length > 0) {
    writeFileSync(path, JSON.stringify(kept));
    return;
  }
  // A file with packages alone needs no map.
  rmSync(path);
  const joined = path.slice(0, -'.map'.length);
  writeFileSync(
    joined,
    readFileSync(joined, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n$/, '\n'),
  );
}
