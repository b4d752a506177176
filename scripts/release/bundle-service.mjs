import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../toolchain/install-folder.mjs';
import { keepLines } from './keep-lines.mjs';

const BUNDLER = fileURLToPath(new URL('bundler', import.meta.url));
const PROGRAM = 'service/src/cli.js';
/** The folder of the joined modules. */
const BUNDLE = 'service/bundle';
/**
 * Packages that read files of their own, that few processes load, or that a release leaves out
 * (pg-cloudflare).
 */
const NOT_JOINED = [
  '@payment-requests/sdk',
  'highlight.js',
  'node-pg-migrate',
  'nodemailer',
  'openid-client',
  'pg-cloudflare',
];

/** Node.js takes a module's source map when it loads the module. A release is in node_modules. */
const PROGRAM_TEXT = `import { setSourceMapsSupport } from 'node:module';

setSourceMapsSupport(true, { nodeModules: true });
await import('../bundle/cli.js');
`;
/** Packages in CommonJS ask for Node.js' own modules. */
const REQUIRE = `import { createRequire as createOwnRequire } from 'node:module';
const require = createOwnRequire(import.meta.url);`;

/**
 * Joins the modules of the service and of its packages into a few files. Node.js spends a third of
 * a millisecond on each module of a start; the service has 1,700 with its packages (decision 0082).
 * Stack traces name the modules as before, by source maps.
 *
 * @param {string} root of a release, with `node_modules` there or above; its program becomes the
 *   joined one
 */
export async function bundleService(root) {
  await ensureInstalled(BUNDLER, 'the bundler of releases');
  const { build } = createRequire(join(BUNDLER, 'package.json'))('esbuild');
  const folder = join(root, BUNDLE);
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { cli: PROGRAM },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // A string with other characters takes two bytes for each.
    charset: 'ascii',
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    external: NOT_JOINED,
    banner: { js: REQUIRE },
    logLevel: 'warning',
    metafile: true,
    plugins: [{ name: 'addresses', setup: (/** @type {Builder} */ at) => keepAddresses(at, root) }],
  });
  for (const path of Object.keys(metafile.outputs)) {
    if (path.endsWith('.map')) reduceMap(join(root, path));
  }
  writeFileSync(join(root, PROGRAM), PROGRAM_TEXT);
}

/**
 * @typedef {object} Builder the part of esbuild's plugins that is used here
 * @property {(files: { filter: RegExp }, load: (file: { path: string }) => object | undefined) =>
 *   void} onLoad
 */

/**
 * The modules find migrations, scripts and guides by their own addresses.
 * @param {Builder} builder @param {string} root
 */
function keepAddresses({ onLoad }, root) {
  onLoad({ filter: /\/service\/src\/.*\.js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('import.meta.url')) return undefined;
    const address = JSON.stringify(relative(join(root, BUNDLE), path));
    return {
      contents: text.replaceAll('import.meta.url', `new URL(${address}, import.meta.url).href`),
      loader: 'js',
    };
  });
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
