import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure, Failure } from '../lib/failure.mjs';
import { runCommand } from '../lib/run-command.mjs';
import { envForNode } from '../toolchain/npm.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';
import { BUILT } from './build-release.mjs';
import { checkRelease } from './check-release.mjs';

/** Git ignores this folder. */
const RELEASE = 'release';
const NAME = 'payment-requests';
/** A first build fetches every dependency; npm gives up on a silent registry much earlier. */
const NPM_MS = 10 * 60_000;

try {
  await makeRelease();
} catch (error) {
  console.error(`npm run release failed: ${describeFailure(error)}`);
  process.exitCode = 1;
}

/** Makes all files of a release: tarball, SBOM, changes and checksums. */
async function makeRelease() {
  const { version, changes } = await checkRelease();
  const name = `${NAME}-${version}`;
  const folder = join(ROOT, RELEASE);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await npm(ROOT, 'pack', `--pack-destination=${folder}`);
  writeFileSync(join(folder, `${name}.cdx.json`), await listParts());
  writeFileSync(join(folder, `CHANGES-${version}.md`), changes);
  const names = readdirSync(folder).sort();
  if (!names.includes(`${name}.tgz`)) throw new Failure(`npm pack has made no ${name}.tgz.`);
  writeFileSync(join(folder, 'SHA256SUMS'), names.map((file) => checksum(folder, file)).join(''));
  console.log(`Made ${version} in ${RELEASE}/: ${[...names, 'SHA256SUMS'].join(', ')}`);
}

/** The SBOM of the built folder, by npm. @returns {Promise<string>} CycloneDX as JSON */
async function listParts() {
  const format = ['--sbom-format=cyclonedx', '--sbom-type=application'];
  const printed = await npm(join(ROOT, BUILT), 'sbom', '--package-lock-only', ...format);
  const sbom = JSON.parse(printed);
  // npm takes the folder's name for the name of the product.
  sbom.metadata.component.name = NAME;
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** A line as `sha256sum --check` reads it. @param {string} folder @param {string} name */
function checksum(folder, name) {
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex');
  return `${hash}  ${name}\n`;
}

/**
 * @param {string} cwd @param {readonly string[]} args
 * @returns {Promise<string>} what npm printed
 */
async function npm(cwd, ...args) {
  const { exitCode, stdout, stderr } = await runCommand('npm', args, {
    signal: new AbortController().signal,
    timeoutMs: NPM_MS,
    env: envForNode(process.execPath),
    cwd,
  });
  if (exitCode !== 0) throw new Failure(`npm ${args[0]} failed:\n${stderr.trim()}`);
  return stdout;
}
