import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sepaText } from '#e-transfer/bank-transfer/refunds-out/sepa-text.ts';

describe('a text for SEPA', () => {
  it('keeps its meaning in the letters of SEPA', () => {
    for (const [text, written] of [
      ['Straße & Söhne', 'Strasse + Sohne'],
      ['Łódź – Ænima', 'Lodz - Aenima'],
      ['Αθήνα ΟΔΟΣ', 'Athina ODOS'],
      ['Щастие Йордан', 'Shtastie Yordan'],
      ['  /two//slashes/ \n new  ', 'two/slashes/ new'],
      ['日本', '..'],
      ['ﬁne', 'fine'],
      ['<b>"x"</b>', ".b.'x'./b."],
      ['///', ''],
    ] as const) {
      assert.equal(sepaText(text, 140), written, text);
    }
  });

  it('holds no other character, no separator and no more than fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(70), (text, longest) => {
        const written = sepaText(text, longest);
        assert.match(written, /^[A-Za-z0-9/\-?:().,'+ ]*$/);
        assert.doesNotMatch(written, /^[/ ]|[/ ]$|\/\//);
        assert.ok(written.length <= longest);
      }),
    );
  });
});
