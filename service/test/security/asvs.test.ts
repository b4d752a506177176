import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGE = 'docs/security/asvs.md';
/** The number of requirements of levels 1 and 2 in each chapter of ASVS 5.0.0. */
const REQUIREMENTS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

const text = readFileSync(join(ROOT, PAGE), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| V'))
  .map((line) => {
    const [, ids = '', verdict = '', evidence = ''] = line.split('|').map((cell) => cell.trim());
    return { ids: ids.split(', '), verdict, evidence };
  });

describe('the verdicts on OWASP ASVS 5.0, level 2', () => {
  it('name each requirement once, in the number that each chapter has', () => {
    const ids = rows.flatMap((row) => row.ids);
    assert.equal(new Set(ids).size, ids.length);
    const counts = REQUIREMENTS.map(
      (_, index) => ids.filter((id) => id.startsWith(`V${index + 1}.`)).length,
    );
    assert.deepEqual(counts, REQUIREMENTS);
  });

  it('are met, not applicable or open', () => {
    for (const { ids, verdict } of rows) {
      assert.ok(['met', 'n/a', 'open'].includes(verdict), `${ids}: ${verdict}`);
    }
  });

  it('name a test or a page that exists where they say met, and a reason elsewhere', () => {
    for (const { ids, verdict, evidence } of rows) {
      assert.notEqual(evidence, '', `${ids}`);
      const tests = [...evidence.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, path = '']) => path);
      const pages = [...evidence.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path);
      const isByContract = /contract §\d/.test(evidence);
      if (verdict === 'met') assert.ok(tests.length + pages.length > 0 || isByContract, `${ids}`);
      for (const path of tests) assert.ok(existsSync(join(ROOT, testPath(path))), path);
      for (const path of pages) {
        assert.ok(existsSync(join(ROOT, dirname(PAGE), path)), `${ids}: ${path}`);
      }
    }
  });
});

function testPath(path: string): string {
  return /^(?:sdk|demo-shop|proofs)\//.test(path) ? path : `service/test/${path}`;
}
