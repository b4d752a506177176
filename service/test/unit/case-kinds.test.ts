import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { allowsSettlement, CASE_KINDS, SETTLEMENTS } from '#cases/model/case-kinds.ts';
import { OPERATOR_CASES } from '#telemetry/metrics/network-metrics.ts';

const PAGE = new URL('../../../docs/operations/cases.md', import.meta.url);

describe('the kinds of operators’ cases', () => {
  it('each have a meaning and an advice, one sentence or two', () => {
    assert.deepEqual(Object.keys(CASE_KINDS).sort(), [...OPERATOR_CASES].sort());
    for (const { meaning, advice } of Object.values(CASE_KINDS)) {
      assert.match(meaning, /^[A-Z].*\.$/);
      assert.match(advice, /\.$/);
    }
  });

  it('can all be closed, and allow each other settlement at most once', () => {
    for (const kind of OPERATOR_CASES) {
      assert.ok(allowsSettlement(kind, 'CLOSED'));
      const { allows } = CASE_KINDS[kind];
      assert.equal(new Set(allows).size, allows.length);
    }
  });

  it('stand in the operators’ page with meaning, settlements and advice', () => {
    const rows = readFileSync(PAGE, 'utf8')
      .split('\n')
      .filter((line) => /^\| `[A-Z_]+` \|/.test(line));
    const expected = OPERATOR_CASES.map((kind) => {
      const { meaning, allows, advice } = CASE_KINDS[kind];
      const ways = [...allows, 'CLOSED' as const].map((each) => SETTLEMENTS[each]).join(', ');
      return `| \`${kind}\` | ${meaning} | ${ways} | ${advice} |`;
    });
    assert.deepEqual(rows, expected);
  });
});
