import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstFaults, throwFaults } from '#lib/first-faults.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';

const fault = (field: string, message: string): FieldFault => ({
  field,
  code: 'INVALID_VALUE',
  message,
});

describe('the first faults', () => {
  it('are the first fault of each field, in the order of the faults', () => {
    const faults = [fault('b', '1'), null, fault('a', '2'), fault('b', '3'), fault('c', '4')];
    assert.deepEqual(firstFaults(faults), [fault('b', '1'), fault('a', '2'), fault('c', '4')]);
  });

  it('are thrown as one VALIDATION_ERROR', () => {
    assert.throws(
      () => throwFaults([fault('a', '1'), fault('a', '2'), fault('b', '3')]),
      (problem: unknown) => {
        assert.ok(problem instanceof Problem);
        assert.equal(problem.code, 'VALIDATION_ERROR');
        assert.deepEqual(problem.errors, [fault('a', '1'), fault('b', '3')]);
        return true;
      },
    );
  });

  it('throw nothing when there is no fault', () => {
    throwFaults([null]);
  });
});
