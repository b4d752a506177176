import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CELL_MARK, cellMark, ownText } from '#lib/cells/cell-mark.ts';
import { isPageId, newPageId } from '#lib/cells/page-id.ts';
import { isShortCode, newShortCode, readPastedCode } from '#payment-requests/model/short-code.ts';

const CODE = 'abcdefghABCDEFGH';
const withoutMark = (text: string) => text.replace(new RegExp(`^${CELL_MARK}`), '');

describe('the mark of a cell', () => {
  it('is absent for the first cell, and names every other', () => {
    assert.deepEqual([1, 2, 10, 999].map(cellMark), ['', 'c2-', 'c10-', 'c999-']);
  });

  it('parts the texts of a cell from those of every other', () => {
    assert.equal(ownText(1, CODE), CODE);
    assert.equal(ownText(2, `c2-${CODE}`), CODE);
    assert.equal(ownText(1, `c2-${CODE}`), null);
    assert.equal(ownText(2, CODE), null);
    assert.equal(ownText(2, `c22-${CODE}`), null);
    assert.equal(ownText(22, `c2-${CODE}`), null);
  });

  it('has one spelling', () => {
    for (const other of ['c1-', 'c0-', 'c02-', 'C2-', 'c1000-', 'c2', 'c-', ' c2-']) {
      assert.equal(ownText(2, other + CODE), null, other);
      assert.equal(withoutMark(other + CODE), other + CODE);
    }
    assert.equal(withoutMark(`c2-c3-${CODE}`), `c3-${CODE}`);
  });
});

describe('a short code of a cell', () => {
  it('begins with the mark, and has 16 characters base62 behind it', () => {
    assert.match(newShortCode(1), /^[0-9A-Za-z]{16}$/);
    assert.match(newShortCode(2), /^c2-[0-9A-Za-z]{16}$/);
    assert.ok([1, 2, 999].map(newShortCode).every(isShortCode));
    for (const text of [
      `c1-${CODE}`,
      `c02-${CODE}`,
      `c1000-${CODE}`,
      `c2-${CODE}x`,
      `c2-c3-${CODE}`,
    ]) {
      assert.equal(isShortCode(text), false, text);
      assert.equal(readPastedCode(`${text}.`), null, text);
    }
  });

  it('keeps its mark when it is read from a pasted link', () => {
    assert.equal(readPastedCode(`c2-${CODE}).`), `c2-${CODE}`);
    assert.equal(readPastedCode(`${CODE}-`), null);
  });
});

describe('the id of a page', () => {
  it('begins with the mark, and has 22 characters base62 behind it', () => {
    for (let count = 0; count < 2_000; count++) assert.match(newPageId(1), /^[0-9A-Za-z]{22}$/);
    assert.match(newPageId(31), /^c31-[0-9A-Za-z]{22}$/);
    assert.ok([1, 2, 999].map(newPageId).every(isPageId));
  });

  it('is no other text', () => {
    for (const text of ['c2-defghijklmnopqrst_v', `c1-${newPageId(1)}`, `${newPageId(1)}x`]) {
      assert.equal(isPageId(text), false, text);
    }
  });
});
