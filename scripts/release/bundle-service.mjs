import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinModules } from './join-modules.mjs';
import { keepLines } from './keep-lines.mjs';

const PROGRAM = 'service/src/cli.js';
/** The folder of the joined modules. */
const BUNDLE = 'service/bundle';
/** Node.js takes a module's source map when it loads the module. A release is in node_modules. */
const PROGRAM_TEXT = `import { setSourceMapsSupport } from 'node:module';

setSourceMapsSupport(true, { nodeModules: true });
await import('../bundle/cli.js');
`;

/**
 * @param {string} root of a release, with `node_modules` there or above; its program becomes the
 *   joined one
 */
export async function bundleService(root) {
  const folder = join(root, BUNDLE);
  rmSync(folder, { recursive: true, force: true });
  const written = await joinModules({ root, programs: { cli: PROGRAM }, folder });
  for (const path of written) {
    if (path.endsWith('.map')) reduceMap(path);
  }
  writeFileSync(join(root, PROGRAM), PROGRAM_TEXT);
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
