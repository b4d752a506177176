import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../toolchain/install-folder.mjs';

const BUNDLER = fileURLToPath(new URL('bundler', import.meta.url));
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
  'ssh2',
];
/** Packages in CommonJS ask for Node.js' own modules. */
const HEAD = `import { createRequire as createOwnRequire } from 'node:module';
import { fileURLToPath as pathOfAddress } from 'node:url';
const joinedAddress = import.meta.url;
const require = createOwnRequire(joinedAddress);`;
/**
 * The words by which a module asks for its address, the name in their place, and how it is made.
 * @type {readonly { asked: string, name: string,
 *   valueAt: (path: string, addressOf: (path: string) => string) => string }[]}
 */
const ADDRESSES = [
  {
    asked: 'import.meta.url',
    name: 'moduleAddress',
    valueAt: (path, addressOf) => `${addressOf(path)}.href`,
  },
  {
    asked: 'import.meta.filename',
    name: 'moduleFile',
    valueAt: (path, addressOf) => `pathOfAddress(${addressOf(path)})`,
  },
  {
    asked: 'import.meta.dirname',
    name: 'moduleFolder',
    valueAt: (path, addressOf) => `pathOfAddress(${addressOf(dirname(path))})`,
  },
];

/**
 * Joins the modules of the service and of its packages into a few files, which share what several
 * programs need. Node.js spends a third of a millisecond on each module of a start; the service has
 * 1,700 with its packages (decision 0082). Stack traces name the modules as before, by source maps.
 *
 * @param {object} options
 * @param {string} options.root the project's folder, or a release's; packages are there or above
 * @param {Record<string, string>} options.programs file names, without their ends, with the paths
 *   of the modules
 * @param {string} options.folder for the files, from which the packages are found as well
 * @param {readonly string[]} [options.notJoined] more packages that stay by themselves
 * @returns {Promise<string[]>} the paths of what was written
 */
export async function joinModules({ root, programs, folder, notJoined = [] }) {
  await ensureInstalled(BUNDLER, 'the bundler of modules');
  const { build, stop } = createRequire(join(BUNDLER, 'package.json'))('esbuild');
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: programs,
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
      external: [...NOT_JOINED, ...notJoined],
      banner: { js: HEAD },
      define: Object.fromEntries(ADDRESSES.map(({ asked, name }) => [asked, name])),
      logLevel: 'warning',
      metafile: true,
      plugins: [
        { name: 'addresses', setup: (/** @type {Builder} */ at) => keepAddresses(at, folder) },
      ],
    });
    return Object.keys(metafile.outputs).map((path) => join(root, path));
  } finally {
    // Its process would wait for more work.
    await stop();
  }
}

/**
 * @typedef {object} Builder the part of esbuild's plugins that is used here
 * @property {(files: { filter: RegExp }, load: (file: { path: string }) => object | undefined) =>
 *   void} onLoad
 */

/**
 * The modules find migrations, scripts and guides by their own addresses. Each module that asks for
 * its address gets it in its first line, so that the lines keep their numbers.
 * @param {Builder} builder @param {string} folder
 */
function keepAddresses({ onLoad }, folder) {
  onLoad({ filter: /\.(?:ts|mjs|js)$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    const present = ADDRESSES.filter(({ asked }) => text.includes(asked));
    if (present.length === 0) return undefined;
    const addressOf = (/** @type {string} */ to) =>
      `new URL(${JSON.stringify(relative(folder, to))}, joinedAddress)`;
    const lines = present.map(
      ({ name, valueAt }) => `const ${name} = ${valueAt(path, addressOf)};`,
    );
    const [shebang = ''] = /^#!.*\n/.exec(text) ?? [];
    return {
      contents: shebang + lines.join(' ') + text.slice(shebang.length),
      loader: extname(path) === '.ts' ? 'ts' : 'js',
    };
  });
}
