import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localizedAmount, localizedInstant } from '#http/negotiation/localized-values.ts';

/** Writes every kind of space that a language's rules use as a plain space. */
const spaced = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('an amount on a page', () => {
  it('is written as its language writes it, cents and all', () => {
    assert.equal(spaced(localizedAmount('en', 1_000, 'CAD')), '$10.00');
    assert.equal(spaced(localizedAmount('fr', 123_456_789, 'CAD')), '1 234 567,89 $');
    assert.equal(spaced(localizedAmount('en', 1, 'CAD')), '$0.01');
    assert.equal(spaced(localizedAmount('en', 1_000, 'USD')), 'US$10.00');
  });
});

describe('an instant on a page', () => {
  it('is in UTC, and says so', () => {
    const at = new Date('2026-03-01T23:05:00Z');
    assert.match(spaced(localizedInstant('en', at)), /^March 1, 2026 at 11:05 p\.m\. UTC$/);
    assert.match(spaced(localizedInstant('fr', at)), /^1 mars 2026 à 23 h 05 UTC$/);
  });
});

describe('the formats of amounts and instants', () => {
  it('are made once, however many pages there are', ({ mock }) => {
    const numbers = mock.method(Intl, 'NumberFormat');
    const dates = mock.method(Intl, 'DateTimeFormat');
    for (let page = 0; page < 50; page++) {
      localizedAmount('en', page, 'EUR');
      localizedInstant('en', new Date(page));
    }
    assert.equal(numbers.mock.callCount(), 1);
    assert.ok(dates.mock.callCount() <= 1);
  });
});
