import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  countOf,
  linesOf,
  MOST_OF_ONE,
  readBasket,
  totalCentsOf,
  withQuantity,
  writeBasket,
} from '../src/basket.ts';

describe('the basket', () => {
  it('is equal after writing and reading its cookie', () => {
    const basket = withQuantity(withQuantity(new Map(), 'harbour', 2), 'kettle', 1);
    assert.equal(writeBasket(basket), 'harbour:2.kettle:1');
    assert.deepEqual(readBasket(writeBasket(basket)), basket);
  });

  it('ignores unknown products and invalid quantities of a cookie', () => {
    const texts = [undefined, '', 'x:1', 'harbour', 'harbour:0', 'harbour:-1', 'harbour:10', ':::'];
    for (const text of texts) assert.equal(readBasket(text).size, 0, text);
    assert.deepEqual([...readBasket('x:1.harbour:2.kettle:1e3')], [['harbour', 2]]);
  });

  it('holds at most nine of a product and removes it at zero', () => {
    const full = withQuantity(new Map(), 'harbour', 100);
    assert.equal(full.get('harbour'), MOST_OF_ONE);
    assert.equal(withQuantity(full, 'harbour', 0).size, 0);
    assert.equal(withQuantity(full, 'harbour', Number.NaN).get('harbour'), MOST_OF_ONE);
    assert.equal(withQuantity(new Map(), 'gold', 1).size, 0);
  });

  it('costs the catalogue’s prices in whole cents', () => {
    const basket = readBasket('harbour:3.filters:2');
    const lines = linesOf(basket);
    assert.equal(totalCentsOf(lines), 3 * 1575 + 2 * 925);
    assert.equal(countOf(basket), 5);
  });
});
