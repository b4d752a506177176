import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shapeRows } from '#database/connection/shape-rows.ts';

const columnsOf = (...names: readonly string[]) => names.map((name) => ({ name }));

describe('the rows of an answer', () => {
  it('are objects with the columns as members, in their order', () => {
    const at = new Date(0);
    const rows = [
      ['a', 1, null],
      ['b', 2, at],
    ];
    const shaped = shapeRows(columnsOf('id', 'amountCents', 'endedAt'), rows);
    assert.deepEqual(shaped, [
      { id: 'a', amountCents: 1, endedAt: null },
      { id: 'b', amountCents: 2, endedAt: at },
    ]);
    assert.deepEqual(Object.keys(shaped[0] ?? {}), ['id', 'amountCents', 'endedAt']);
  });

  it('keep every name that PostgreSQL allows', () => {
    const names = ['?column?', 'it\'s "odd"', 'back\\slash', 'two\nlines', '});//', 'é'];
    const [row] = shapeRows(columnsOf(...names), [names.map((_, at) => at)]);
    assert.deepEqual(
      Object.entries(row ?? {}),
      names.map((name, at) => [name, at]),
    );
  });

  it('have the values of their own columns, whatever columns came before', () => {
    const read = (...names: readonly string[]) => shapeRows(columnsOf(...names), [[1, 2]]);
    assert.deepEqual(read('ab', 'c'), [{ ab: 1, c: 2 }]);
    assert.deepEqual(read('a', 'bc'), [{ a: 1, bc: 2 }]);
    assert.deepEqual(read('c', 'ab'), [{ c: 1, ab: 2 }]);
    assert.deepEqual(read('a,b', 'c'), [{ 'a,b': 1, c: 2 }]);
    assert.deepEqual(read('a', 'b,c'), [{ a: 1, 'b,c': 2 }]);
  });

  it('have the last value of a name that comes twice, as with pg', () => {
    assert.deepEqual(shapeRows(columnsOf('id', 'id'), [[1, 2]]), [{ id: 2 }]);
  });

  it('are right beyond the bound of kept shapes', () => {
    for (let round = 0; round < 2; round += 1) {
      for (let number = 0; number < 1_100; number += 1) {
        const row = shapeRows(columnsOf(`column${number}`), [[number]]);
        assert.deepEqual(row, [{ [`column${number}`]: number }]);
      }
    }
  });

  it('are none where the answer has none, and empty where it has no columns', () => {
    assert.deepEqual(shapeRows(columnsOf('id'), []), []);
    assert.deepEqual(shapeRows([], [[], []]), [{}, {}]);
  });
});
