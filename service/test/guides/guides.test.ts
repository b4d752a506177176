import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GUIDES_FOLDER, readGuides, readSnippets } from '../support/documents/guide-snippets.ts';

const TESTS = fileURLToPath(new URL('../', import.meta.url));
const guides = readGuides();

describe('the guides', () => {
  it('have a name for every code block, and no name twice', () => {
    const snippets = readSnippets();
    assert.ok(snippets.length > 0);
    const unnamed = snippets.filter(({ name }) => name === undefined);
    assert.deepEqual(unnamed, []);
    const names = snippets.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
    // A fence that the reader of snippets does not understand would be in no test.
    const fences = guides.flatMap(({ text }) => text.match(/^\s*(?:```|~~~)/gm) ?? []);
    assert.equal(fences.length, 2 * snippets.length);
  });

  it('have every code block in a test', () => {
    const tests = ['guides', 'slow/guides', 'support/documents']
      .flatMap((folder) => readdirSync(join(TESTS, folder)).map((file) => join(folder, file)))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(TESTS, file), 'utf8'))
      .join('\n');
    const forgotten = readSnippets().filter(({ name }) => !tests.includes(`'${name}'`));
    assert.deepEqual(forgotten, []);
  });

  it('are all listed in their index', () => {
    const index = readFileSync(join(GUIDES_FOLDER, 'README.md'), 'utf8');
    for (const { guide } of guides) {
      if (guide !== 'README.md') assert.ok(index.includes(`](${guide})`), `${guide} is not listed`);
    }
  });

  it('link to files and headings that exist', () => {
    for (const { guide, text } of guides) {
      const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
      for (const [, link = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https:/.test(link)) continue;
        const [path = '', anchor] = link.split('#');
        const file = path === '' ? join(GUIDES_FOLDER, guide) : join(GUIDES_FOLDER, path);
        assert.ok(existsSync(file), `${guide} links to ${link}`);
        if (anchor === undefined) continue;
        const headings = readFileSync(file, 'utf8').match(/^#+ .*$/gm) ?? [];
        assert.ok(headings.map(anchorOf).includes(anchor), `${guide} links to ${link}`);
      }
    }
  });
});

/** The anchor that GitHub makes of a heading. */
function anchorOf(heading: string): string {
  const words = heading.replace(/^#+ /, '').toLowerCase();
  return words.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
}
