import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkHistory } from './check-history.ts';
import { CONSOLE_FAULTS } from './planted/console-faults.ts';
import { CONSOLE_BOOKS, CONSOLE_LINES } from './planted/console-run.ts';
import { BOOKS, LINES } from './planted/good-run.ts';
import { PLANTED_FAULTS } from './planted/planted-faults.ts';
import { printVerdict } from './print-verdict.ts';

describe('the checker of a history', () => {
  it('finds nothing in a good run, and counts calls and faults', () => {
    const verdict = checkHistory(LINES, BOOKS);
    const { lost, unexpected, disordered, backlog } = verdict;
    assert.deepEqual({ lost, unexpected, disordered, backlog }, NOTHING);
    assert.deepEqual(verdict.faults, { kill: 1 });
    assert.equal(verdict.calls['create ok'], 1);
    assert.equal(verdict.calls['create unknown'], 1);
    assert.equal(verdict.received, 3);
  });

  for (const [title, kind, sentence, planted] of PLANTED_FAULTS) {
    it(`finds ${title}`, () => {
      const verdict = checkHistory(planted.lines ?? LINES, { ...BOOKS, ...planted.books });
      assert.ok(
        verdict[kind].some((text) => sentence.test(text)),
        JSON.stringify(verdict),
      );
      assert.equal(
        printVerdict(verdict, () => {}),
        1,
      );
    });
  }

  it('finds nothing in a good run of the console', () => {
    const verdict = checkHistory(CONSOLE_LINES, CONSOLE_BOOKS);
    const { lost, unexpected, disordered, backlog } = verdict;
    assert.deepEqual({ lost, unexpected, disordered, backlog }, NOTHING);
    assert.equal(verdict.calls['console-create ok'], 1);
  });

  for (const [title, kind, sentence, planted] of CONSOLE_FAULTS) {
    it(`finds ${title}`, () => {
      const books = { ...CONSOLE_BOOKS, ...planted.books };
      const verdict = checkHistory(planted.lines ?? CONSOLE_LINES, books);
      assert.ok(
        verdict[kind].some((text) => sentence.test(text)),
        JSON.stringify(verdict),
      );
    });
  }
});

describe('the printer of a verdict', () => {
  it('gives exit code 0 and the line of zeros only without findings', () => {
    const printed: string[] = [];
    assert.equal(
      printVerdict(checkHistory(LINES, BOOKS), (line) => printed.push(line)),
      0,
    );
    assert.ok(printed.includes('lost 0, unexpected 0'), printed.join('\n'));
    const backlog = { ...BOOKS, open: { leases: 2 } };
    assert.equal(
      printVerdict(checkHistory(LINES, backlog), () => {}),
      1,
    );
  });
});

const NOTHING = { lost: [], unexpected: [], disordered: [], backlog: [] };
