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

  it('a form is read alike each time, also after a hundred others', () => {
    const name = fc.constantFrom('grant_type', 'scope', 'client_id', 'client_secret', 'other');
    const value = fc.constantFrom('', 'a', 'b', 'payment_request/all', 'é%', ' +&=');
    const form = fc
      .array(fc.tuple(name, value), { maxLength: 5 })
      .map((fields) => String(new URLSearchParams(fields)));
    const forms = fc.sample(form, 400);
    for (const text of [...forms, ...forms]) {
      const fields = new URLSearchParams(text);
      const names = [...fields.keys()];
      const field = (of: string) => fields.get(of) || undefined;
      const [username, password] = [field('client_id'), field('client_secret')];
      const credentials = username && password ? { username, password } : null;
      const wanted = { grantType: field('grant_type'), scope: field('scope'), credentials };
      const isRepeated = new Set(names).size < names.length;
      assert.deepEqual(readTokenRequest(text, undefined), isRepeated ? 'FIELD_REPEATED' : wanted);
    }
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
