import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = ['interface', 'contract', 'delivery', 'journey'] as const;
const CITATION = /\b(interface|contract|delivery|journey)\s§(\d+)/g;
/** A citation that names a document without a section, or a document that is not in the repository. */
const WITHOUT_SECTION = /\b(?:webhook-delivery|payer-journey|interface specification)[,:]\s/;
const CITING = /\.(?:ts|mjs|js|sql|md)$/;

/** A comment that breaks its line inside a citation reads as one line. */
function joinComment(text: string): string {
  return text.replace(/\s*\n\s*(?:\*|\/\/|--)\s*/g, ' ');
}

function citingFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT });
  return `${listed}`.split('\n').filter((path) => CITING.test(path));
}

function sectionsOf(document: string): Set<string> {
  const text = readFileSync(join(ROOT, 'docs', 'specification', `${document}.md`), 'utf8');
  return new Set([...text.matchAll(/^## (\d+)\. \S/gm)].map(([, number]) => `${number}`));
}

describe('citations of the specification', () => {
  const sections = new Map(DOCUMENTS.map((name) => [name as string, sectionsOf(name)]));
  const texts = citingFiles().map(
    (path) => [path, joinComment(readFileSync(join(ROOT, path), 'utf8'))] as const,
  );

  it('finds the citations of the code', () => {
    const count = texts.reduce((sum, [, text]) => sum + [...text.matchAll(CITATION)].length, 0);
    assert.ok(count > 200, `${count} citations`);
  });

  it('leads from every citation to a section', () => {
    const missing = texts.flatMap(([path, text]) =>
      [...text.matchAll(CITATION)]
        .filter(([, document = '', number = '']) => !sections.get(document)?.has(number))
        .map(([citation]) => `${path}: ${citation}`),
    );
    assert.deepEqual(missing, []);
  });

  it('finds no citation without a section', () => {
    const own = 'service/test/citations.test.ts';
    const vague = texts.filter(([path, text]) => path !== own && WITHOUT_SECTION.test(text));
    assert.deepEqual(
      vague.map(([path]) => path),
      [],
    );
  });
});
