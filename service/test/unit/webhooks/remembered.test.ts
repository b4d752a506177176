import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Remembered } from '#webhooks/https/remembered.ts';

/** A memory of `most` values, and the texts for which a value was made. */
function remembering(most: number) {
  const made: string[] = [];
  const memory = new Remembered<string>(most);
  const get = (text: string) =>
    memory.get(text, () => {
      made.push(text);
      return text.toUpperCase();
    });
  return { get, made };
}

describe('remembered values', () => {
  it('are made once for each text', () => {
    const { get, made } = remembering(2);
    assert.deepEqual([get('a'), get('b'), get('a'), get('b')], ['A', 'B', 'A', 'B']);
    assert.deepEqual(made, ['a', 'b']);
  });

  it('go in the order in which they came when there are too many', () => {
    const { get, made } = remembering(2);
    for (const text of ['a', 'b', 'c', 'b', 'c', 'a']) assert.equal(get(text), text.toUpperCase());
    assert.deepEqual(made, ['a', 'b', 'c', 'a']);
  });

  it('are made again after a fault', () => {
    const memory = new Remembered<string>(2);
    const fail = () => {
      throw new Error('unreadable');
    };
    assert.throws(() => memory.get('a', fail), /unreadable/);
    assert.equal(
      memory.get('a', () => 'A'),
      'A',
    );
  });
});
