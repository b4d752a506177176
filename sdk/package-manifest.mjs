// Around npm pack: in the workspace the source runs as it is, what is published leads to dist/.
// `publish` puts publishConfig in force for the packing (pnpm and yarn do that by themselves, npm
// does not), `restore` puts package.json back, byte for byte.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const inPlace = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const MANIFEST = inPlace('package.json');
const KEPT = inPlace('package.workspace.json');

const [asked] = process.argv.slice(2);
// Left by a packing that was killed: the one in place is not the workspace's.
if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
if (asked === 'publish') {
  const text = readFileSync(MANIFEST, 'utf8');
  const { publishConfig, devDependencies: _, ...manifest } = JSON.parse(text);
  const { exports, ...rest } = publishConfig;
  const published = { ...manifest, exports, publishConfig: rest };
  writeFileSync(`${KEPT}.new`, text);
  renameSync(`${KEPT}.new`, KEPT);
  writeFileSync(MANIFEST, `${JSON.stringify(published, null, 2)}\n`);
} else if (asked !== 'restore') {
  console.error('package-manifest.mjs publish | restore');
  process.exitCode = 2;
}
