// Builds the plug-in: joins the SDK and src/ to the files that Medusa looks for. npm runs it before
// it packs.
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../../scripts/toolchain/install-folder.mjs';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const BUNDLER = join(FOLDER, '..', '..', 'scripts', 'release', 'bundler');
const OUTPUT = join(FOLDER, '.medusa', 'server', 'src');
/** The places by which Medusa knows them. */
const PROGRAMS = {
  'providers/payment-requests/index': 'index.ts',
  'api/middlewares': 'middlewares.ts',
  'api/hooks/payment-requests/[id]/route': 'route.ts',
};

await ensureInstalled(BUNDLER, 'the bundler of modules');
const { buildSync } = createRequire(join(BUNDLER, 'package.json'))('esbuild');
rmSync(OUTPUT, { recursive: true, force: true });
buildSync({
  entryPoints: Object.fromEntries(
    Object.entries(PROGRAMS).map(([place, file]) => [place, join(FOLDER, 'src', file)]),
  ),
  outdir: OUTPUT,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  legalComments: 'none',
  alias: { '@payment-requests/sdk': join(FOLDER, '..', '..', 'sdk', 'src', 'index.ts') },
  external: ['@medusajs/*'],
  logLevel: 'warning',
});
