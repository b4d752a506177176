import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensurePackages } from '../../support/debian-packages.ts';
import { runIn } from '../deploy/release-copy.ts';

const RULES = readFileSync(
  new URL('../../../../docs/operations/slo.yaml', import.meta.url),
  'utf8',
);
const BUSINESS = '  - name: payment-requests-business\n';
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const CASES = ['hours', 'payments'];

describe('the rules of the service level objectives, by promtool', () => {
  let folder: string;
  before(async () => {
    await ensurePackages({ prometheus: '/usr/bin/promtool' });
    folder = mkdtempSync(join(tmpdir(), 'slo-'));
    for (const name of CASES) cpSync(join(FOLDER, `${name}.yaml`), join(folder, `${name}.yaml`));
    // Eight days of all rules would take minutes: the alert on payments is a file of its own.
    const [slo = '', business] = RULES.split(BUSINESS);
    assert.ok(business);
    writeFileSync(join(folder, 'slo.yaml'), slo);
    writeFileSync(join(folder, 'business.yaml'), `groups:\n${BUSINESS}${business}`);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are rules that Prometheus takes', () => {
    writeFileSync(join(folder, 'all.yaml'), RULES);
    const { exitCode, output } = runIn(folder, 'promtool', 'check', 'rules', 'all.yaml');
    assert.equal(exitCode, 0, output);
  });

  for (const name of CASES) {
    it(`fire, stay quiet and end as the cases of ${name}.yaml say`, () => {
      const { exitCode, output } = runIn(folder, 'promtool', 'test', 'rules', `${name}.yaml`);
      assert.equal(exitCode, 0, output);
    });
  }
});
