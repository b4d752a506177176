import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { PAGE } from './install-blocks.ts';

const SCRIPTS = new URL('../../../scripts/release/', import.meta.url);
const { fixedSbom, signChecksums, writeChecksums } = await import(
  new URL('sign-release.mjs', SCRIPTS).href
);

/** The commands of the page, as an operator types them. */
const [VERIFY = ''] = /^ {4}ssh-keygen -Y verify.*\n(?: {4}.*\n)+/m.exec(PAGE) ?? [];
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signed-'));
  folders.push(folder);
  return folder;
}
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A throw-away key. @returns the file of its private part */
function newKey(): string {
  const key = join(newFolder(), 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
  return key;
}

describe('the files of a release', () => {
  let folder: string;
  let key: string;
  beforeEach(async () => {
    folder = newFolder();
    key = newKey();
    writeFileSync(join(folder, 'payment-requests-1.0.0.tgz'), 'the tarball');
    writeFileSync(join(folder, 'CHANGES-1.0.0.md'), 'the changes');
    assert.deepEqual(writeChecksums(folder), ['CHANGES-1.0.0.md', 'payment-requests-1.0.0.tgz']);
    await signChecksums(folder, key);
    trust(key);
  });

  const trust = (trusted: string) =>
    writeFileSync(
      join(folder, 'allowed_signers'),
      `release@payment-requests ${readFileSync(`${trusted}.pub`, 'utf8')}`,
    );
  function verify() {
    assert.match(VERIFY, /allowed_signers[\s\S]*SHA256SUMS\.sig[\s\S]*sha256sum --check/);
    const ran = spawnSync('sh', ['-ec', VERIFY], { cwd: folder, encoding: 'utf8' });
    return { exitCode: ran.status, output: `${ran.stdout}${ran.stderr}` };
  }

  it('are verified as the install page says', () => {
    const { exitCode, output } = verify();
    assert.equal(exitCode, 0, output);
    assert.match(output, /Good "payment-requests-release" signature/);
    assert.match(output, /^payment-requests-1\.0\.0\.tgz: OK$/m);
  });

  it('are refused when one has changed', () => {
    appendFileSync(join(folder, 'payment-requests-1.0.0.tgz'), '!');
    const { exitCode, output } = verify();
    assert.notEqual(exitCode, 0);
    assert.match(output, /^payment-requests-1\.0\.0\.tgz: FAILED$/m);
  });

  it('are refused when a file and its checksum have changed', () => {
    appendFileSync(join(folder, 'CHANGES-1.0.0.md'), '!');
    rmSync(join(folder, 'allowed_signers'));
    const signature = readFileSync(join(folder, 'SHA256SUMS.sig'));
    rmSync(join(folder, 'SHA256SUMS.sig'));
    rmSync(join(folder, 'SHA256SUMS'));
    writeChecksums(folder);
    writeFileSync(join(folder, 'SHA256SUMS.sig'), signature);
    trust(key);
    const { exitCode, output } = verify();
    assert.notEqual(exitCode, 0);
    assert.match(output, /Could not verify signature|incorrect signature/);
  });

  it('are refused when another key has signed', () => {
    trust(newKey());
    assert.notEqual(verify().exitCode, 0);
  });
});

describe('the SBOM of a release', () => {
  const printed = (serialNumber: string, timestamp: string, version = '5.0.0') => ({
    bomFormat: 'CycloneDX',
    serialNumber,
    metadata: { timestamp, component: { name: 'dist' } },
    components: [{ name: 'fastify', version }],
  });
  const release = { name: 'payment-requests', time: '2026-01-02T03:04:05.000Z' };

  it('is equal for each build of a commit, and has its own serial number', () => {
    const first = fixedSbom(printed('urn:uuid:1', '2026-05-05T00:00:00.000Z'), release);
    const second = fixedSbom(printed('urn:uuid:2', '2026-06-06T00:00:00.000Z'), release);
    assert.equal(first, second);
    const { serialNumber, metadata } = JSON.parse(first);
    const uuid = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    assert.match(serialNumber, uuid);
    assert.deepEqual(metadata, { timestamp: release.time, component: { name: release.name } });
    const other = JSON.parse(fixedSbom(printed('urn:uuid:1', '', '5.0.1'), release));
    assert.notEqual(other.serialNumber, serialNumber);
  });
});
