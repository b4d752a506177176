import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AREAS } from './areas.ts';
import { type Equivalent, type Mutant, scoreOf, type Tried, type Verdict } from './mutant.ts';
import { markOf, placeSqlMutants, SQL_MUTANT, STATEMENT_MARK } from './sql-mutants.ts';
import { tellScore } from './tell.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(ROOT + path, 'utf8');

const FILE = `const CLAIM = {
  text: \`SELECT id FROM deliveries
         WHERE status = 'PENDING'
           AND leased_until <= now()
           AND NOT EXISTS (
             SELECT FROM others
             WHERE others.at IS NULL)\`,
};
`;

describe('the mutants of an SQL text', () => {
  it('drop conditions and turn comparisons and tests', () => {
    const { mutants } = placeSqlMutants('claim-store.ts', FILE);
    const told = mutants.map(({ line, original, replacement }) => [
      line,
      original.trim(),
      replacement.trim(),
    ]);
    assert.deepEqual(told, [
      [4, 'AND leased_until <= now()', ''],
      [4, '<=', '>'],
      [5, 'NOT EXISTS', 'EXISTS'],
      [7, 'IS NULL', 'IS NOT NULL'],
    ]);
  });

  it('leave the text as it is until one is switched on', () => {
    const { text, mutants } = placeSqlMutants('claim-store.ts', FILE);
    const sqlOf = () => new Function(`${text} return CLAIM.text;`)() as string;
    const mark = '/*sql:claim-store.ts:0*/';
    const original = mark + (new Function(`${FILE} return CLAIM.text;`) as () => string)();
    assert.equal(sqlOf(), original);
    for (const mutant of mutants) {
      process.env[SQL_MUTANT] = mutant.id;
      const changed = sqlOf();
      delete process.env[SQL_MUTANT];
      assert.notEqual(changed, original);
      assert.equal(markOf(mutant.id), 'sql:claim-store.ts:0');
      assert.deepEqual(changed.match(STATEMENT_MARK), ['sql:claim-store.ts:0']);
      assert.equal(changed.length - original.length, lengthChange(mutant));
    }
  });
});

function lengthChange({ original, replacement }: Mutant): number {
  return replacement.length - original.length;
}

describe('the score of an area', () => {
  const mutant: Mutant = {
    id: '1',
    file: 'a.ts',
    line: 1,
    place: 'return true;',
    mutator: 'BooleanLiteral',
    original: 'true',
    replacement: 'false',
  };
  const tried = (verdict: Verdict, changes: Partial<Mutant> = {}): Tried => ({
    verdict,
    by: null,
    isLate: verdict === 'KILLED',
    mutant: { ...mutant, ...changes },
  });

  it('counts killed mutants, and leaves equivalent ones out', () => {
    const equivalents: Equivalent[] = [{ ...mutant, original: 'x', reason: 'It does the same.' }];
    const all = [
      tried('KILLED'),
      tried('SURVIVED'),
      tried('UNREACHED'),
      tried('SURVIVED', { original: 'x' }),
      tried('SURVIVED', { original: 'x', place: 'if (x) return;' }),
    ];
    const score = scoreOf(all, equivalents);
    assert.equal(score.tried, 5);
    assert.equal(score.killed, 1);
    assert.equal(score.survived.length, 3);
    assert.equal(score.equivalent, 1);
    assert.equal(score.share, 1 / 4);
    assert.equal(
      tellScore('money', 9, score),
      'money: 25.0 % (9 made, 5 tried, 1 killed, 3 survived, 1 equivalent, ' +
        '1 of the killed by their time limit)',
    );
  });
});

describe('the lists of the mutation score', () => {
  it('name files and tests that exist', () => {
    const paths = Object.values(AREAS).flatMap(({ files, tests, slowTests }) => [
      ...files,
      ...tests,
      ...slowTests,
    ]);
    assert.deepEqual(
      paths.filter((path) => !existsSync(ROOT + path)),
      [],
    );
  });

  it('name equivalent mutants of lines that exist, with a reason', () => {
    const listed: Equivalent[] = JSON.parse(read('proofs/mutation/equivalent-mutants.json'));
    for (const { file, place, original, reason } of listed) {
      const lines = read(file).split('\n');
      const at = lines.findIndex((line) => line.trim() === place);
      assert.ok(at >= 0, `${file} has no line ${place}`);
      assert.ok(lines.slice(at).join('\n').includes(original), `${file} has no ${original}`);
      assert.ok(reason.length > 10, `${original} has no reason`);
    }
  });
});
