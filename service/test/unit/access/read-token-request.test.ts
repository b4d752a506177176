import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readBasicCredentials } from '#access/token/read-basic-credentials.ts';
import { readTokenRequest } from '#access/token/read-request.ts';
import { anyCharacter } from '../../support/schemas/schema-arbitrary.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');

describe('reading a token call', () => {
  it('any credentials of our alphabet come through, raw and percent-encoded', () => {
    const alphabet = 'ABCZabcz0189_-';
    const text = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 60 });
    const percent = (plain: string) =>
      [...plain].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    fc.assert(
      fc.property(text, text, (username, password) => {
        const wanted = { username, password };
        const raw = encode(`${username}:${password}`);
        const encoded = encode(`${percent(username)}:${percent(password)}`);
        assert.deepEqual(readBasicCredentials(`Basic ${raw}`), wanted);
        assert.deepEqual(readBasicCredentials(`Basic ${encoded}`), wanted);
      }),
    );
  });

  it('no header makes it throw', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        fc.string({ unit: anyCharacter }),
        (text, form) => {
          readBasicCredentials(text);
          readBasicCredentials(`Basic ${text}`);
          readBasicCredentials(`Basic ${encode(text)}`);
          readTokenRequest(form, `Basic ${encode(text)}`);
        },
      ),
    );
  });

  const BASIC: [string, { username: string; password: string } | null][] = [
    [`Basic ${encode('a:b')}`, { username: 'a', password: 'b' }],
    [`BASIC   ${encode('a:b')}`, { username: 'a', password: 'b' }],
    [`Basic ${encode('a:b:c')}`, { username: 'a', password: 'b:c' }],
    [`Basic ${encode(':')}`, { username: '', password: '' }],
    [`Basic ${encode('a%:b%zz')}`, { username: 'a%', password: 'b%zz' }],
    [`Basic ${encode('ab')}`, null],
    [`Basic ${encode('a:b')} `, null],
    [`Basic ${encode('a:b')}====`, null],
    ['Basic a:b', null],
    ['Basic', null],
    [`Digest ${encode('a:b')}`, null],
  ];
  for (const [header, credentials] of BASIC) {
    it(`"${header}" is ${credentials ? JSON.stringify(credentials) : 'malformed'}`, () => {
      assert.deepEqual(readBasicCredentials(header), credentials);
    });
  }
});
