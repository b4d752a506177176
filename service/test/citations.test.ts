import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = [
  'interface',
  'contract',
  'delivery',
  'journey',
  'bank-transfer',
  'bank-connection',
] as const;
const CITATION = /\b(interface|contract|delivery|journey|bank-transfer|bank-connection)\s§(\d+)/g;
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

describe('citations of the decisions', () => {
  const folder = join(ROOT, 'docs', 'decisions');
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const decisions = readdirSync(folder)
    .filter((file) => file !== 'README.md')
    .sort();

  it('find one decision a number, whose title repeats the number', () => {
    const numbers = decisions.map((file) => file.slice(0, 4));
    assert.deepEqual(numbers, [...new Set(numbers)]);
    const wrong = decisions.filter((file) => {
      return (
        !/^\d{4}-[a-z0-9-]+\.md$/.test(file) || !read(file).startsWith(`# ${file.slice(0, 4)} `)
      );
    });
    assert.deepEqual(wrong, []);
  });

  it('find each decision once in the index, with its title and its own state', () => {
    const rows = read('README.md')
      .split('\n')
      .filter((line) => line.startsWith('| ['));
    const expected = decisions.map((file) => {
      const [first = '', second = ''] = read(file).split('\n\n');
      const [, state] =
        /^\*\*State\.\*\* (Replaced(?: in part)? by decisions? \d{4}(?: and \d{4})?)[.:]/.exec(
          second,
        ) ?? [];
      const title = first.slice('# 0000 '.length);
      return `| [${file.slice(0, 4)}](${file}) ${title} | ${state?.toLowerCase() ?? 'in force'} |`;
    });
    assert.deepEqual(
      rows.filter((row) => !expected.includes(row)),
      [],
    );
    assert.deepEqual(
      expected.filter(
        (row) => rows.indexOf(row) < 0 || rows.indexOf(row) !== rows.lastIndexOf(row),
      ),
      [],
    );
  });

  it('find the state of a decision in its file, when another file says that it replaces it', () => {
    const wrong = decisions.flatMap((file) =>
      [...read(file).matchAll(/\breplaces\b[^.]*? decision (\d{4})/g)]
        .map(([, replaced = '']) => decisions.find((each) => each.startsWith(replaced)) ?? replaced)
        .filter(
          (each) =>
            !new RegExp(`^\\*\\*State\\.\\*\\* Replaced.*${file.slice(0, 4)}`, 'm').test(
              read(each),
            ),
        )
        .map((each) => `${file} replaces ${each}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('lead to a decision', () => {
    const missing = citingFiles().flatMap((path) => {
      const text = joinComment(readFileSync(join(ROOT, path), 'utf8'));
      return [...text.matchAll(/\b(?:decisions? |docs\/decisions\/)(\d{4}\S*)/gi)]
        .map(([, cited = '']) => cited.replace(/[^\w]*$/, '').replace(/\.md\b.*$/, '.md'))
        .filter((cited) => !decisions.some((file) => file === cited || isNumberOf(cited, file)))
        .map((cited) => `${path}: ${cited}`);
    });
    assert.deepEqual(missing, []);
  });
});

function isNumberOf(cited: string, file: string): boolean {
  return /^\d{4}$/.test(cited) && file.startsWith(`${cited}-`);
}
