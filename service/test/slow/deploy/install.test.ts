import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BLOCKS, POSTGRES, WITHOUT_SYSTEMD } from '../../deploy/install-blocks.ts';
import { createDebianRoot, type DebianRoot, isDebian } from './debian-root.ts';
import { copyForRelease, type ReleaseCopy, runIn } from './release-copy.ts';

const NOT_HERE = isDebian() ? false : 'this needs Debian, and root';

/** A script that names each block before it runs the block, and ends at the first failure. */
function scriptOf(names: readonly string[], folder: string): string {
  const parts = names.map((name) => `echo "== ${name}"\n${BLOCKS.get(name)}`);
  return `set -eo pipefail\ncd ${folder}\n${parts.join('\n')}\necho "== end"\n`;
}

describe('the install page in an empty Debian', { skip: NOT_HERE }, () => {
  let debian: DebianRoot;
  let copy: ReleaseCopy;

  before(() => {
    if (!existsSync('/usr/sbin/debootstrap')) {
      const { exitCode, output } = runIn('/', 'apt-get', '-qq', 'install', '--yes', 'debootstrap');
      assert.equal(exitCode, 0, output);
    }
    copy = copyForRelease();
    copy.describeVersion();
    const { exitCode, output } = copy.run('npm', '--silent', 'run', 'release');
    assert.equal(exitCode, 0, output);
    debian = createDebianRoot();
    mkdirSync(join(debian.folder, 'root/release'));
    cpSync(join(copy.folder, 'release'), join(debian.folder, 'root/release'), { recursive: true });
  });
  after(() => {
    debian?.remove();
    copy?.remove();
  });

  it('leads to Node.js 24, by the network', () => {
    const { exitCode, output } = debian.run(scriptOf(['1-packages', '2-node'], '/root'), 'shared');
    assert.equal(exitCode, 0, output.slice(-3_000));
    assert.match(output, /^v24\.\d+\.\d+$/m);
  });

  it('leads from the release to a paid test request through nginx, without a network', () => {
    const rest = [...BLOCKS.keys()].filter(
      (name) => !name.startsWith('without-systemd') && !['1-packages', '2-node'].includes(name),
    );
    const names = rest.flatMap((name) => {
      const instead = WITHOUT_SYSTEMD[name] ?? name;
      return name === '6-database' ? [POSTGRES, instead] : [instead];
    });
    const { exitCode, output } = debian.run(scriptOf(names, '/root/release'), 'own');
    assert.equal(exitCode, 0, output.slice(-6_000));
    const printed = (name: string) => output.split(`== ${name}\n`)[1]?.split('\n== ')[0] ?? '';
    assert.match(printed('3-release'), /^payment-requests-\S+\.tgz: OK$/m);
    assert.match(printed('8-ready'), /^4011 200\n4021 200\n4031 200$/m);
    assert.doesNotMatch(printed('12-merchant'), /FAIL/);
    assert.match(printed('13-payment'), /"status":"PAID"/);
  });
});
