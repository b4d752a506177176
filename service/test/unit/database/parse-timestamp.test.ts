import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { parseTimestamp } from '#database/connection/parse-timestamp.ts';

const parseByPg = pg.types.getTypeParser(1184, 'text') as (text: string) => Date | number;

describe('an instant as PostgreSQL writes it', () => {
  it('is read as pg reads it, to the millisecond, in every year and with every fraction', () => {
    const fractions = ['', '.1', '.12', '.123', '.1239', '.000001', '.999999', '.05', '.007'];
    for (let year = 1; year < 10_000; year += 7) {
      const month = `${1 + (year % 12)}`.padStart(2, '0');
      const day = `${1 + (year % 31)}`.padStart(2, '0');
      const time = `${year % 24}`.padStart(2, '0');
      const rest = `${year % 60}`.padStart(2, '0');
      const fraction = fractions[year % fractions.length];
      const date = `${`${year}`.padStart(4, '0')}-${month}-${day}`;
      const text = `${date} ${time}:${rest}:${rest}${fraction}+00`;
      assert.deepEqual(parseTimestamp(text), parseByPg(text), text);
    }
  });

  it('is read as pg reads it in other forms', () => {
    const texts = [
      '2026-03-01 12:00:00+00',
      '2024-02-29 23:59:59.999999+00',
      '1969-12-31 23:59:59.5+00',
      '0044-03-15 12:00:00+00 BC',
      '12026-03-01 12:00:00.25+00',
      '2026-03-01 12:00:00.25+05:30',
      '2026-03-01 12:00:00-03',
      '0099-12-31 23:59:59+00',
      '0100-01-01 00:00:00+00',
      'infinity',
      '-infinity',
    ];
    for (const text of texts) assert.deepEqual(parseTimestamp(text), parseByPg(text), text);
  });
});
