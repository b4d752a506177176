// npm runs this program before and after `npm pack`. `publish` builds the release and replaces
// package.json by its manifest: the checkout's names workspaces, the tools of developers and an
// embedded PostgreSQL. `restore` restores package.json byte for byte.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure } from '../lib/failure.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';
import { BUILT, buildRelease, PUBLISHED, readManifest } from './build-release.mjs';

const MANIFEST = join(ROOT, 'package.json');
const CHECKOUT_COPY = join(ROOT, 'package.workspace.json');

try {
  await run(process.argv[2]);
} catch (error) {
  console.error(`npm pack failed: ${describeFailure(error)}`);
  process.exitCode = 1;
}

/** @param {string | undefined} command */
async function run(command) {
  // A killed packing leaves this copy; it is the checkout's manifest.
  if (existsSync(CHECKOUT_COPY)) renameSync(CHECKOUT_COPY, MANIFEST);
  if (command === 'restore') return;
  await buildRelease(join(ROOT, BUILT));
  const text = readFileSync(MANIFEST, 'utf8');
  writeFileSync(`${CHECKOUT_COPY}.new`, text);
  renameSync(`${CHECKOUT_COPY}.new`, CHECKOUT_COPY);
  writeFileSync(MANIFEST, `${JSON.stringify(publishedManifest(JSON.parse(text)), null, 2)}\n`);
}

/** @param {Record<string, unknown>} checkout */
function publishedManifest({ name, version, description, license }) {
  const { engines } = readManifest('service');
  const bin = { payreq: `${BUILT}/payreq` };
  // A bare file name would match in every folder.
  const files = PUBLISHED.map((path) => `/${path}`);
  return { name, version, description, license, engines, bin, files };
}
