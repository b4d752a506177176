import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvLine } from '#lib/csv.ts';

describe('a line of CSV', () => {
  const rows: [cell: string | null, written: string][] = [
    [null, ''],
    ['', ''],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' spaces stay ', ' spaces stay '],
    ['été – 雪 😀', 'été – 雪 😀'],
    ['1=1', '1=1'],
    ['a-b+c@d', 'a-b+c@d'],
    ['=1+1', "'=1+1"],
    ['+14165550199', "'+14165550199"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ...[
      ' ',
      '\u00a0',
      '\u200b',
      '\ufeff',
      '\u2060',
      '\u00ad',
      '\u3000',
      '\u2800',
      '\0',
      '\u0085',
    ].map((blank) => [`${blank}${blank}=1`, `'${blank}${blank}=1`] as [string, string]),
    ['\u200d\t @A1', "'\u200d\t @A1"],
    ['\u200bplain', '\u200bplain'],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠A1', "'＠A1"],
    ['=HYPERLINK("https://x.test","a,b")', '"\'=HYPERLINK(""https://x.test"",""a,b"")"'],
  ];
  for (const [cell, written] of rows) {
    it(`writes ${JSON.stringify(cell)} as ${JSON.stringify(written)}`, () => {
      assert.equal(csvLine(['x', cell, 'y']), `x,${written},y\r\n`);
    });
  }

  it('writes a number of ours as a number, below zero too', () => {
    assert.equal(csvLine(['x', { decimal: '-12.30' }, 'y']), 'x,-12.30,y\r\n');
  });
});
