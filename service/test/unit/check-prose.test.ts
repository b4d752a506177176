import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

const LINT = new URL('../../../scripts/lint/', import.meta.url);
const { findOpeners } = await import(new URL('find-openers.mjs', LINT).href);
const { measureProse } = await import(new URL('measure-prose.mjs', LINT).href);

interface Finding {
  readonly kind: string;
  readonly line: number;
  readonly text: string;
  readonly opensBadly: boolean;
}

/** The places that the lint reports in a file, as `kind:line: text`. */
function reported(path: string, source: string): string[] {
  const { findings }: { findings: readonly Finding[] } = findOpeners(path, source);
  return findings
    .filter(({ opensBadly }) => opensBadly)
    .map(({ kind, line, text }) => `${kind}:${line}: ${text}`);
}

describe('the prose lint', () => {
  it('reports a comment that opens with a listed word', () => {
    const source = [
      '/** What a merchant owes. */',
      'const a = 1;',
      '// Of all rows,',
      '// the newest.',
      'const b = 2; // The same limit as above',
    ].join('\n');
    assert.deepEqual(
      reported('a.ts', source).filter((line) => line.startsWith('comments:')),
      [
        'comments:1: What a merchant owes.',
        'comments:3: Of all rows, the newest.',
        'comments:5: The same limit as above',
      ],
    );
  });

  it('reports a later sentence of a comment apart from its opener', () => {
    const source = '// Limits the batch. Whoever waits longer gets 503.\n';
    assert.deepEqual(reported('a.mjs', source), [
      'sentences inside comments:1: Whoever waits longer gets 503.',
    ]);
  });

  it('reads comments of SQL and of shell scripts', () => {
    assert.deepEqual(reported('a.sql', "select '-- What is text'; -- From 0 on\n"), [
      'comments:1: From 0 on',
      'sentences inside comments:1: From 0 on',
    ]);
    assert.deepEqual(reported('a.sh', "echo '# What'\n# Nobody waits here.\n"), [
      'comments:2: Nobody waits here.',
      'sentences inside comments:2: Nobody waits here.',
    ]);
  });

  it('takes no string, template or regular expression for a comment', () => {
    const source = [
      "const a = '// What is text';",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test has a template
      'const b = `/* What is ${`// What ${1}`} text */`;',
      'const c = /[/]// What/.test(a) ? 4 / 2 : 1 / 2;',
      '// Where a comment begins',
    ].join('\n');
    assert.deepEqual(
      reported('a.ts', source).filter((line) => line.startsWith('comments:')),
      ['comments:4: Where a comment begins'],
    );
  });

  it('lets questions, names in code and longer words pass', () => {
    const source =
      '// What is left?\n\nrun(); // `What` stands for it. Whatsoever. One-time codes.\n';
    assert.deepEqual(reported('a.ts', source), []);
  });

  it('reports a test title and a text that people read', () => {
    const test = "describe('x', () => { it('what is owed is sent', () => {}); });";
    assert.deepEqual(reported('a.test.ts', test), ['test titles:1: what is owed is sent']);
    assert.deepEqual(reported('a.ts', "print('One of the keys is wrong');"), [
      'texts for people:1: One of the keys is wrong',
    ]);
  });

  it('reads sentences, list items and cells of documents, but no code', () => {
    const document = [
      '# Heading',
      'A line goes on. As a rule',
      'it ends here.',
      '- Who calls first wins.',
      '| term | From the start |',
      '```',
      'What is code',
      '```',
    ].join('\n');
    assert.deepEqual(reported('docs/a.md', document), [
      'sentences of documents:2: As a rule it ends here.',
      'sentences of documents:4: Who calls first wins.',
      'sentences of documents:5: From the start',
    ]);
  });

  it('passes at the limit and fails above it', () => {
    const sources = ['// What is owed.\n', '// Sends the batch.\n', '// Ends the lease.\n'];
    const reports = sources.map((source, index) => ({
      path: `${index}.ts`,
      ...findOpeners(`${index}.ts`, source),
    }));
    const isOver = (limit: number) =>
      measureProse(reports, { openers: { comments: limit }, uses: {} }).openers[0].isOver;
    assert.equal(isOver(34), false);
    assert.equal(isOver(33), true);
  });

  it('counts each use of a listed word, but none in a name of the code', () => {
    const source = '// Judges the row anew; `judge` is a name, and Anew again.\n';
    const reports = [{ path: 'a.ts', ...findOpeners('a.ts', source) }];
    const measure = (limit: number) =>
      measureProse(reports, { openers: {}, uses: { anew: limit } }).words[0];
    assert.equal(measure(2).isOver, false);
    assert.equal(measure(1).isOver, true);
    assert.equal(measure(1).figure, '2, limit 1');
  });
});
