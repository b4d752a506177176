import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const THIS = relative(ROOT, fileURLToPath(import.meta.url));
const TEXTS = /\.(?:ts|mjs|js|json|md|sh|html|yaml|yml)$|^\.ci\/run$/;

/** npm downloads a program that it does not find under its bare name, from any owner. */
const RUNS_A_STRANGER = /\bnpx\b|npm exec (?!(?:--yes )?--package=)[^\n]*payment-requests/;

describe('every command that a text shows', () => {
  it('names the package of the program, which npm would look for under its bare name', () => {
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT });
    const paths = `${listed}`
      .split('\n')
      .filter((path) => TEXTS.test(path) && path !== THIS && !path.endsWith('package-lock.json'));
    assert.ok(paths.length > 1_000, `${paths.length} files`);
    const found = paths.filter((path) =>
      RUNS_A_STRANGER.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    assert.deepEqual(found, []);
  });
});
