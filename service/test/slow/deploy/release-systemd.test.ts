import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROOT, runIn } from './release-copy.ts';

const FOLDER = join(ROOT, 'deploy', 'systemd');
const FILES = readdirSync(FOLDER).filter((name) => /\.(?:service|timer)$/.test(name));
const UNITS = FILES.filter((name) => name.endsWith('.service'));
/** `systemd-analyze security` counts to 100. 15 is 1.5: a usual service has 96. */
const MOST_EXPOSED = 15;
const WITHOUT_SYSTEMD = existsSync('/usr/bin/systemd-analyze') ? false : 'no systemd-analyze here';

describe('the systemd units', { skip: WITHOUT_SYSTEMD }, () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'units-'));
    const payreq = join(root, 'opt/payment-requests/current/bin/payreq');
    mkdirSync(dirname(payreq), { recursive: true });
    writeFileSync(payreq, '#!/bin/sh\n', { mode: 0o755 });
    mkdirSync(join(root, 'bin'));
    writeFileSync(join(root, 'bin/sh'), '', { mode: 0o755 });
    // The targets that the units name.
    cpSync('/usr/lib/systemd', join(root, 'usr/lib/systemd'), { recursive: true });
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  /** @returns what systemd-analyze says about the units with this change */
  function verify(change: (text: string) => string = (text) => text): string {
    const units = join(root, 'etc/systemd/system');
    mkdirSync(units, { recursive: true });
    for (const unit of FILES) {
      writeFileSync(join(units, unit), change(readFileSync(join(FOLDER, unit), 'utf8')));
    }
    const names = FILES.map((unit) => unit.replace('@.', '@1.'));
    return runIn(root, 'systemd-analyze', 'verify', '--man=no', `--root=${root}`, ...names).output;
  }

  it('are understood by systemd without a warning', () => {
    assert.equal(verify(), '');
    assert.match(
      verify((text) => text.replace('KillMode=mixed', 'KillMod=mixed')),
      /Unknown key 'KillMod'/,
    );
  });

  for (const unit of UNITS) {
    it(`${unit} is exposed by ${MOST_EXPOSED / 10} of 10 at most`, (t) => {
      const { exitCode, output } = runIn(
        FOLDER,
        ...(['systemd-analyze', 'security', '--offline=true'] as const),
        `--threshold=${MOST_EXPOSED}`,
        join(FOLDER, unit),
      );
      t.diagnostic(output.split('\n').findLast((line) => line.includes('exposure')) ?? output);
      assert.equal(exitCode, 0, output);
    });
  }
});
