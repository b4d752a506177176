import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const THIS = relative(ROOT, fileURLToPath(import.meta.url));
const TEXTS = /\.(?:ts|mjs|js|json|md|sh|html|yaml|yml|py|toml)$|^\.ci\/run$/;

/** npm downloads a program that it does not find under its bare name, from any owner. */
const RUNS_A_STRANGER = /\bnpx\b|npm exec (?!(?:--yes )?--package=)[^\n]*payment-requests/;
/** pip downloads a name that is no path and no wheel from an index, where it may be anybody's. */
const INSTALLS_A_STRANGER = /\bpip[\d.]* install\b[^\n]*[\s"']payment[-_.]requests(?![-\w/])/i;

describe('every command that a text shows', () => {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT });
  const paths = `${listed}`
    .split('\n')
    .filter((path) => TEXTS.test(path) && path !== THIS && !path.endsWith('package-lock.json'));
  const textsWith = (command: RegExp) =>
    paths.filter((path) => command.test(readFileSync(join(ROOT, path), 'utf8')));

  it('names the package of the program, which npm would look for under its bare name', () => {
    assert.ok(paths.length > 1_000, `${paths.length} files`);
    assert.deepEqual(textsWith(RUNS_A_STRANGER), []);
  });

  it('installs the Python client from its folder, not by its bare name', () => {
    assert.deepEqual(textsWith(INSTALLS_A_STRANGER), []);
  });
});
