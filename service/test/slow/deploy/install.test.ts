import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BLOCKS, JOBS_BLOCKS, POSTGRES, WITHOUT_SYSTEMD } from '../../deploy/install-blocks.ts';
import { ensurePackages } from '../../support/debian-packages.ts';
import { createDebianRoot, type DebianRoot, isDebian } from './debian-root.ts';
import { copyForRelease, type ReleaseCopy } from './release-copy.ts';

const NOT_HERE = isDebian() ? false : 'this needs Debian, and root';

/** A script that names each block before it runs the block, and ends at the first failure. */
function scriptOf(names: readonly string[], folder: string): string {
  const parts = names.map((name) => `echo "== ${name}"\n${BLOCKS.get(name)}`);
  return `set -eo pipefail\ncd ${folder}\n${parts.join('\n')}\necho "== end"\n`;
}

const OPERATE = readFileSync(new URL('operate-units.sh', import.meta.url), 'utf8');
/** The second run of `audit-verify` has the head of the first. */
const JOBS = [
  ...['doctor', 'report', 'notices', 'audit-verify', 'audit-verify', 'audit-export'],
  'audit-checkpoint',
];

/** What a block of the script has printed. */
const partOf = (output: string) => (name: string) =>
  output.split(`== ${name}\n`)[1]?.split('\n== ')[0] ?? '';

describe('the install page in an empty Debian', { skip: NOT_HERE }, () => {
  let debian: DebianRoot;
  let booted: DebianRoot | undefined;
  let copy: ReleaseCopy;

  before(async () => {
    await ensurePackages({
      debootstrap: '/usr/sbin/debootstrap',
      'systemd-container': '/usr/bin/systemd-nspawn',
    });
    copy = copyForRelease();
    copy.describeVersion();
    copy.namePublisher();
    const { exitCode, output } = copy.run('npm', '--silent', 'run', 'release');
    assert.equal(exitCode, 0, output);
    debian = createDebianRoot();
    mkdirSync(join(debian.folder, 'root/release'));
    cpSync(join(copy.folder, 'release'), join(debian.folder, 'root/release'), { recursive: true });
  });
  after(() => {
    debian?.remove();
    booted?.remove();
    copy?.remove();
  });

  it('leads to Node.js 24, by the network', () => {
    const { exitCode, output } = debian.run(scriptOf(['1-packages', '2-node'], '/root'), 'shared');
    assert.equal(exitCode, 0, output.slice(-3_000));
    assert.match(output, /^v24\.\d+\.\d+$/m);
  });

  const rest = [...BLOCKS.keys()].filter(
    (name) => !name.startsWith('without-systemd') && !['1-packages', '2-node'].includes(name),
  );

  it('leads to a paid test request, with units that systemd starts and stops', (t) => {
    booted = debian.copy();
    const probe = booted.boot('true');
    if (probe.exitCode !== 0) return t.skip(`systemd-nspawn boots nothing here: ${probe.output}`);
    const operate = OPERATE.replace(/^@(\S+)$/gm, (_, name) => JOBS_BLOCKS.get(name) ?? 'false');
    const { exitCode, output } = booted.boot(scriptOf(rest, '/root/release') + operate);
    assert.equal(exitCode, 0, output.slice(-6_000));
    const part = partOf(output);
    assert.match(part('8-ready'), /^4011 200\n4021 200\n4031 200$/m);
    assert.doesNotMatch(part('12-merchant'), /FAIL/);
    assert.match(part('13-payment'), /"status":"PAID"/);
    assert.deepEqual(part('stopped').trim().split('\n'), ['success 0', 'success 0', 'success 0']);
    assert.match(part('mail'), /^Subject: payment-requests-job@nothing\.service failed on /m);
    const succeeded = [...part('jobs').matchAll(/^([\w-]+) success$/gm)].map(([, job]) => job);
    assert.deepEqual(succeeded, JOBS);
    assert.match(part('jobs'), /^6\naudit-checkpoint\.txt\naudit\.jsonl\nreport-[\d-]+\.csv$/m);
    assert.match(part('bank'), /^left: 0\n"msg":"bank file refused"\nPRS-1\.xml$/m);
    assert.match(part('bank'), /^active\n10$/m);
    assert.match(part('journal'), /"msg":"service stopped"/);
    const warnings = part('journal')
      .split('\n')
      .filter((line) => /"level":"(?:warn|error|fatal)"/.test(line));
    assert.deepEqual(warnings, []);
  });

  it('leads from the release to a paid test request through nginx, without a network', () => {
    const names = rest.flatMap((name) => {
      const instead = WITHOUT_SYSTEMD[name] ?? name;
      return name === '6-database' ? [POSTGRES, instead] : [instead];
    });
    const { exitCode, output } = debian.run(scriptOf(names, '/root/release'), 'own');
    assert.equal(exitCode, 0, output.slice(-6_000));
    const printed = partOf(output);
    assert.match(printed('3-release'), /^payment-requests-\S+\.tgz: OK$/m);
    assert.match(printed('8-ready'), /^4011 200\n4021 200\n4031 200$/m);
    assert.doesNotMatch(printed('12-merchant'), /FAIL/);
    assert.match(printed('13-payment'), /"status":"PAID"/);
  });
});
