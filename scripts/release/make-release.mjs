import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeFailure, Failure } from '../lib/failure.mjs';
import { runCommand } from '../lib/run-command.mjs';
import { envForNode } from '../toolchain/npm.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';
import { BUILT } from './build-release.mjs';
import { checkRelease, commitTime } from './check-release.mjs';
import { buildSandboxPackage } from './sandbox-package.mjs';
import { CHECKSUMS, fixedSbom, signChecksums, writeChecksums } from './sign-release.mjs';

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

/** Makes all files of a release: tarball, SBOM, changes, checksums, and their signature. */
async function makeRelease() {
  const key = signingKey();
  const { version, changes } = await checkRelease();
  const name = `${NAME}-${version}`;
  const folder = join(ROOT, RELEASE);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await npm(ROOT, 'pack', `--pack-destination=${folder}`);
  const sandbox = join(folder, '.sandbox');
  await buildSandboxPackage(sandbox);
  await npm(sandbox, 'pack', `--pack-destination=${folder}`);
  rmSync(sandbox, { recursive: true });
  const release = { name: NAME, time: await commitTime() };
  writeFileSync(join(folder, `${name}.cdx.json`), fixedSbom(await listParts(), release));
  writeFileSync(join(folder, `CHANGES-${version}.md`), changes);
  const names = [...writeChecksums(folder), CHECKSUMS];
  if (!names.includes(`${name}.tgz`)) throw new Failure(`npm pack has made no ${name}.tgz.`);
  if (key !== null) {
    await signChecksums(folder, key);
    names.push(`${CHECKSUMS}.sig`);
  }
  console.log(`Made ${version} in ${RELEASE}/: ${names.join(', ')}`);
  if (key === null) {
    console.log('The release is UNSIGNED: name a key by --sign FILE or RELEASE_SIGNING_KEY.');
  }
}

/** The file of the releaser's key; null: the release stays unsigned. */
function signingKey() {
  const { values } = parseArgs({ options: { sign: { type: 'string' } } });
  const file = values.sign ?? process.env.RELEASE_SIGNING_KEY ?? '';
  if (file === '') return null;
  if (!existsSync(file)) throw new Failure(`The key ${file} is not there.`);
  return resolve(file);
}

/** The SBOM of the built folder, by npm, in CycloneDX. */
async function listParts() {
  const format = ['--sbom-format=cyclonedx', '--sbom-type=application'];
  return JSON.parse(await npm(join(ROOT, BUILT), 'sbom', '--package-lock-only', ...format));
}

/**
 * @param {string} cwd @param {readonly string[]} args
 * @returns {Promise<string>} what npm printed
 */
async function npm(cwd, ...args) {
  // `npm run -s` passes its silence on by the environment, and a failure would have no text.
  const { exitCode, stdout, stderr } = await runCommand('npm', ['--loglevel=error', ...args], {
    signal: new AbortController().signal,
    timeoutMs: NPM_MS,
    env: envForNode(process.execPath),
    cwd,
  });
  if (exitCode !== 0) throw new Failure(`npm ${args[0]} failed:\n${stderr.trim()}`);
  return stdout;
}
