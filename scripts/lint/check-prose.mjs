// Part of `npm run lint`: fails when too many comments, sentences, test titles or texts open with a
// word that hides their subject, and when a listed word is used more often than before.
//   node scripts/lint/check-prose.mjs                     checks every file, prints the shares
//   node scripts/lint/check-prose.mjs service/src/access  prints what a rewriter finds in these
// paths
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOpeners } from './find-openers.mjs';
import { measureProse } from './measure-prose.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CHECKED = /\.(?:ts|mjs|js|sql|sh)$|\/(?:texts\/en|problems)\.json$/;
const DOCUMENT = /^(?:docs\/.*|README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$/;
/** The compiler wrote these files out of checked files. */
const GENERATED = /^sdk\/dist\//;
/** These files hold the listed words as data. */
const OWN = /^scripts\/lint\/rules\.mjs$|check-prose\.test\.ts$/;
/** Longer texts are cut in the list: the line number leads to the whole. */
const MOST_COLUMNS = 160;
/** A failure shows as much as a screen holds; a path as argument shows everything below it. */
const MOST_LINES = 30;

const paths = process.argv.slice(2);
const { openers, words } = measureProse(
  listFiles().map((path) => ({
    path,
    ...findOpeners(path, readFileSync(join(ROOT, path), 'utf8')),
  })),
);
const measures = [...openers, ...words];

if (paths.length > 0) {
  const isAsked = (/** @type {string} */ line) => paths.some((path) => line.startsWith(path));
  const asked = measures.flatMap(({ found }) => found.filter(isAsked));
  for (const line of new Set(asked)) console.log(line.slice(0, MOST_COLUMNS));
} else {
  const over = measures.filter(({ isOver }) => isOver);
  for (const { name, figure, found } of over) {
    for (const line of found.slice(0, MOST_LINES)) console.error(line.slice(0, MOST_COLUMNS));
    console.error(`prose: too many ${name}: ${figure}`);
  }
  const figures = openers.map(({ name, figure }) => `${name} ${figure}`);
  console.log(`prose, opened by a listed word: ${figures.join('; ')}`);
  if (over.length > 0) {
    console.error('prose: rewrite as CONTRIBUTING.md says, "Plain English".');
    process.exitCode = 1;
  }
}

/** @returns {string[]} files that git knows or would add */
function listFiles() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT });
  return [...new Set(`${listed}`.split('\n'))]
    .filter(
      (path) =>
        (CHECKED.test(path) || DOCUMENT.test(path)) &&
        !GENERATED.test(path) &&
        !OWN.test(path) &&
        existsSync(join(ROOT, path)),
    )
    .sort();
}
