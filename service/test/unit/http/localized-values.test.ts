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
  const at = new Date('2026-03-01T23:05:00Z');

  it('is in the time zone of the deployment, and says so', () => {
    const inZone = (language: 'en' | 'fr', zone: string) =>
      spaced(localizedInstant(language, at, zone));
    assert.equal(inZone('en', 'UTC'), 'March 1, 2026 at 11:05 p.m. UTC');
    assert.equal(inZone('fr', 'UTC'), '1 mars 2026 à 23 h 05 UTC');
    assert.equal(inZone('en', 'America/Toronto'), 'March 1, 2026 at 6:05 p.m. EST');
    assert.equal(inZone('fr', 'America/Toronto'), '1 mars 2026 à 18 h 05 HNE');
  });

  it('has no line end within the time of day', () => {
    assert.match(localizedInstant('fr', at, 'UTC'), /^[^\u00a0]* à 23[^ ]+UTC$/);
    assert.match(localizedInstant('en', at, 'UTC'), / at 11:05[^ ]+UTC$/);
  });
});

describe('the formats of amounts and instants', () => {
  it('are made once, however many pages there are', ({ mock }) => {
    const numbers = mock.method(Intl, 'NumberFormat');
    const dates = mock.method(Intl, 'DateTimeFormat');
    for (let page = 0; page < 50; page++) {
      localizedAmount('en', page, 'EUR');
      localizedInstant('en', new Date(page), 'UTC');
    }
    assert.equal(numbers.mock.callCount(), 1);
    assert.ok(dates.mock.callCount() <= 1);
  });
});
