// Runs before and after npm pack. In the workspace `exports` leads to src/; the published package
// leads to dist/. `publish` applies publishConfig for the packing, which pnpm and yarn do
// themselves and npm does not. `restore` restores package.json byte for byte.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pathOf = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const MANIFEST = pathOf('package.json');
const WORKSPACE_COPY = pathOf('package.workspace.json');

const [command] = process.argv.slice(2);
// A killed packing leaves this copy; it is the workspace's manifest.
if (existsSync(WORKSPACE_COPY)) renameSync(WORKSPACE_COPY, MANIFEST);
if (command === 'publish') {
  const text = readFileSync(MANIFEST, 'utf8');
  const { publishConfig, devDependencies, scripts, ...manifest } = JSON.parse(text);
  const { access, provenance, ...entries } = publishConfig;
  const published = { ...manifest, ...entries, publishConfig: { access, provenance } };
  writeFileSync(`${WORKSPACE_COPY}.new`, text);
  renameSync(`${WORKSPACE_COPY}.new`, WORKSPACE_COPY);
  writeFileSync(MANIFEST, `${JSON.stringify(published, null, 2)}\n`);
} else if (command !== 'restore') {
  console.error('package-manifest.mjs publish | restore');
  process.exitCode = 2;
}
