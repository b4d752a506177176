import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { allowsSettlement, CASE_KINDS, SETTLEMENTS } from '#cases/model/case-kinds.ts';
import { readPart } from '#cases/model/read-parts.ts';
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

describe('a part of a split, as a person writes it', () => {
  it('is the id of a payment request and an amount', () => {
    const paymentRequestId = 'id';
    assert.deepEqual(readPart('id=1.25'), { paymentRequestId, amountCents: 125 });
    assert.deepEqual(readPart(' ID = 0.01 '), { paymentRequestId, amountCents: 1 });
    const most = { paymentRequestId, amountCents: 99_999_999_999 };
    assert.deepEqual(readPart('id=999999999.99'), most);
  });

  it('is refused in another shape, and without an amount that can be', () => {
    const refused = ['', 'id', '=1', ' = 1', 'id=', 'id=1=2', 'id=0', 'id=-1', 'id=1.005', 'id=x'];
    for (const text of [...refused, 'id=1000000000.00']) {
      assert.equal(readPart(text), null, text);
    }
  });
});
