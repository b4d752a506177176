import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../lib/failure.mjs';
import { runCommand } from '../lib/run-command.mjs';

export const CHECKSUMS = 'SHA256SUMS';
/** A signature for another purpose, such as a commit, is no signature of a release. */
export const NAMESPACE = 'payment-requests-release';
/** A key in an agent may ask a person to touch it. */
const SIGN_MS = 2 * 60_000;

/**
 * Writes the checksums of all files of a folder, as `sha256sum --check` reads them.
 * @param {string} folder @returns {string[]} the names of the files
 */
export function writeChecksums(folder) {
  const names = readdirSync(folder).sort();
  const lines = names.map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`);
  writeFileSync(join(folder, CHECKSUMS), lines.join(''));
  return names;
}

/**
 * Signs the checksums, and by them every file: `ssh-keygen -Y verify` reads the signature.
 * @param {string} folder @param {string} key the file of a private key, or of its public key where
 *   an agent has the private one
 */
export async function signChecksums(folder, key) {
  const args = ['-Y', 'sign', '-f', key, '-n', NAMESPACE, CHECKSUMS];
  const signal = new AbortController().signal;
  const options = { signal, timeoutMs: SIGN_MS, cwd: folder };
  const { exitCode, stderr } = await runCommand('ssh-keygen', args, options);
  if (exitCode !== 0) throw new Failure(`ssh-keygen did not sign: ${stderr.trim()}`);
}

/**
 * Takes clock and chance out of npm's SBOM, so that a commit has one SBOM: the time is that of the
 * commit, and the serial number comes from the content.
 * @param {any} sbom CycloneDX @param {{ name: string, time: string }} release
 * @returns {string}
 */
export function fixedSbom({ serialNumber: _, ...sbom }, { name, time }) {
  sbom.metadata.timestamp = time;
  // npm takes the folder's name for the name of the product.
  sbom.metadata.component.name = name;
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(sbom))}`;
  const { $schema, bomFormat, specVersion, ...rest } = sbom;
  const ordered = { $schema, bomFormat, specVersion, serialNumber, ...rest };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

/** A UUID of version 8 (RFC 9562) from the hash of a text. @param {string} text */
function uuidOf(text) {
  const hex = sha256(text);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** @param {string | Buffer} contents */
function sha256(contents) {
  return createHash('sha256').update(contents).digest('hex');
}
