import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatAmount, parseAmountCents } from '#lib/money.ts';

const MAX_CENTS = 1_000_000;

describe('an amount is read from its source text', () => {
  const accepted: readonly [string, number][] = [
    ['10', 1000],
    ['10.0', 1000],
    ['10.00', 1000],
    ['10.000', 1000],
    ['1e1', 1000],
    ['0.01', 1],
    ['0.1', 10],
    ['1.1', 110],
    ['1E1', 1000],
    ['1e+1', 1000],
    ['1e0', 100],
    ['1e-2', 1],
    ['100e-2', 100],
    ['100000e-5', 100],
    ['0.001e1', 1],
    ['0.0000001e7', 100],
    ['1.005e3', 100_500],
    ['10000', 1_000_000],
    ['10000.00', 1_000_000],
    ['1e4', 1_000_000],
    ['0.07', 7],
    ['1.15', 115],
    ['8.2', 820],
    ['4.35', 435],
    ['1.10', 110],
    ['9999.99', 999_999],
    ['1.00000000000000000000000000000000', 100],
    ['0.0100000000000000000000', 1],
    ['19.90', 1990],
    ['0.29', 29],
  ];
  for (const [source, cents] of accepted) {
    it(`${source} is ${cents} cents`, () => {
      assert.equal(parseAmountCents(source, MAX_CENTS), cents);
    });
  }

  const refused: readonly [string, string][] = [
    ['0', 'TOO_LOW'],
    ['-0', 'TOO_LOW'],
    ['0.0', 'TOO_LOW'],
    ['0.00', 'TOO_LOW'],
    ['0e0', 'TOO_LOW'],
    ['0e999999999999', 'TOO_LOW'],
    ['-0.0', 'TOO_LOW'],
    ['-1', 'TOO_LOW'],
    ['-0.01', 'TOO_LOW'],
    ['-1e400', 'TOO_LOW'],
    ['1.005', 'TOO_MANY_DECIMALS'],
    ['0.001', 'TOO_MANY_DECIMALS'],
    ['0.009', 'TOO_MANY_DECIMALS'],
    ['10.001', 'TOO_MANY_DECIMALS'],
    ['1e-3', 'TOO_MANY_DECIMALS'],
    ['1e-400', 'TOO_MANY_DECIMALS'],
    ['1.0000000000000000000001', 'TOO_MANY_DECIMALS'],
    ['0.1e-2', 'TOO_MANY_DECIMALS'],
    ['1e-99999999999999999999', 'TOO_MANY_DECIMALS'],
    ['10000.01', 'TOO_HIGH'],
    ['10001', 'TOO_HIGH'],
    ['1e5', 'TOO_HIGH'],
    ['1e400', 'TOO_HIGH'],
    ['1e99999999999999999999', 'TOO_HIGH'],
    ['123456789012345678901234567890', 'TOO_HIGH'],
    ['9007199254740993', 'TOO_HIGH'],
    ['99999999999', 'TOO_HIGH'],
    ['NaN', 'INVALID_TYPE'],
    ['Infinity', 'INVALID_TYPE'],
    ['', 'INVALID_TYPE'],
    ['ten', 'INVALID_TYPE'],
    ['0x10', 'INVALID_TYPE'],
    ['1_000', 'INVALID_TYPE'],
    ['1,000', 'INVALID_TYPE'],
    [' 1', 'INVALID_TYPE'],
    ['+1', 'INVALID_TYPE'],
    ['.5', 'INVALID_TYPE'],
    ['5.', 'INVALID_TYPE'],
    ['1e', 'INVALID_TYPE'],
    ['١', 'INVALID_TYPE'],
  ];
  for (const [source, fault] of refused) {
    it(`${JSON.stringify(source)} is refused as ${fault}`, () => {
      assert.equal(parseAmountCents(source, MAX_CENTS), fault);
    });
  }

  it('every amount that we write reads back as itself, whatever zeros and exponents it gets', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_CENTS }),
        fc.nat(5),
        fc.integer({ min: -8, max: 8 }),
        (cents, zeros, exponent) => {
          const scaled = `${cents}${'0'.repeat(zeros)}e${-2 - zeros}`;
          assert.equal(parseAmountCents(scaled, MAX_CENTS), cents);
          assert.equal(parseAmountCents(formatAmount(cents) + '0'.repeat(zeros), MAX_CENTS), cents);
          const shifted = `${cents}${'0'.repeat(8)}`;
          const at = shifted.length - 8 + exponent;
          const moved = at <= 0 ? `0.${'0'.repeat(-at)}${shifted}` : spell(shifted, at);
          assert.equal(parseAmountCents(`${moved}e${-exponent - 2}`, MAX_CENTS), cents);
        },
      ),
    );
  });
});

function spell(digits: string, at: number): string {
  const padded = digits.padEnd(at, '0');
  return at === padded.length ? padded : `${padded.slice(0, at)}.${padded.slice(at)}`;
}

describe('an amount of any length is judged at once', () => {
  const zeros = '0'.repeat(64_000);
  for (const [source, fault] of [
    [`1${zeros}1`, 'TOO_HIGH'],
    [`0.1${zeros}1`, 'TOO_MANY_DECIMALS'],
  ] as const) {
    it(`${source.slice(0, 8)}…1, with 64,000 zeros in between`, () => {
      const before = process.cpuUsage();
      assert.equal(parseAmountCents(source, MAX_CENTS), fault);
      // A search that goes back takes over a second; one that does not, less than a millisecond.
      assert.ok(process.cpuUsage(before).user < 300_000);
    });
  }
});

describe('an amount is written with exactly two decimals', () => {
  for (const [cents, text] of [
    [1, '0.01'],
    [10, '0.10'],
    [100, '1.00'],
    [1000, '10.00'],
    [123_456, '1234.56'],
    [1_000_000, '10000.00'],
    [0, '0.00'],
    [-1, '-0.01'],
    [-1234, '-12.34'],
  ] as const) {
    it(`${cents} cents are ${text}`, () => assert.equal(formatAmount(cents), text));
  }
});
