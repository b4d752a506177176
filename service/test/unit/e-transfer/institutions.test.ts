import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { INSTITUTIONS, INSTITUTIONS_IN_ORDER } from '#e-transfer/simulated-network/institutions.ts';
import { TEST_USERS } from '#e-transfer/simulated-network/test-users.ts';

/** WCAG 2.2: relative luminance of `#rrggbb`. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort();
  return (lighter + 0.05) / (darker + 0.05);
}

describe('the institutions', () => {
  it('are at least eight that can be chosen, and one that is down', () => {
    const up = INSTITUTIONS.filter(({ isDownForMaintenance }) => !isDownForMaintenance);
    assert.ok(up.length >= 8);
    assert.equal(INSTITUTIONS.length - up.length, 1);
    assert.equal(new Set(INSTITUTIONS.map(({ id }) => id)).size, INSTITUTIONS.length);
    for (const { id } of INSTITUTIONS) assert.match(id, /^[a-z-]+$/);
  });

  it('stand popular ones first, then from A to Z', () => {
    const popular = INSTITUTIONS_IN_ORDER.filter(({ isPopular }) => isPopular).length;
    assert.ok(INSTITUTIONS_IN_ORDER.slice(0, popular).every(({ isPopular }) => isPopular));
    const others = INSTITUTIONS_IN_ORDER.slice(popular).map(({ name }) => name);
    assert.deepEqual(others, [...others].sort());
  });

  it('have colours that text can be read on', () => {
    for (const { id, colour, lightColour } of INSTITUTIONS) {
      assert.ok(contrast(colour, '#ffffff') >= 4.5, id);
      assert.ok(contrast(lightColour, '#101010') >= 4.5, id);
      assert.ok(contrast(lightColour, '#19202a') >= 4.5, id);
    }
  });
});

describe('the test users', () => {
  it('make each outcome of the journey happen', () => {
    const outcomes = TEST_USERS.map(({ password, onConfirm }) => {
      if (password === null) return 'WRONG_PASSWORD';
      if (onConfirm.kind === 'IS_REFUSED') return onConfirm.reason;
      return onConfirm.kind;
    });
    assert.deepEqual(
      outcomes.sort(),
      [
        'AMOUNT_LIMIT_EXCEEDED',
        'INSUFFICIENT_FUNDS',
        'IS_NOT_ANSWERED',
        'IS_RETURNED',
        'SETTLES_AT_ONCE',
        'SETTLES_LATER',
        'WRONG_PASSWORD',
      ].sort(),
    );
  });
});
