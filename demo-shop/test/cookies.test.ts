import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCookies, writeCookie } from '../src/http/cookies.ts';

const COOKIE = { name: 'basket', value: 'harbour:2.kettle:1~1042', maxAgeSeconds: 60 };

describe('a cookie of the shop', () => {
  it('belongs to the host alone on HTTPS', () => {
    assert.equal(
      writeCookie(COOKIE, true),
      '__Host-basket=harbour:2.kettle:1~1042; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
    assert.equal(
      writeCookie(COOKIE, false),
      'basket=harbour:2.kettle:1~1042; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
    );
  });

  it('is read only with the prefix on HTTPS', () => {
    const header = 'basket=planted; __Host-basket=kettle:1';
    assert.deepEqual([...readCookies(header, true)], [['basket', 'kettle:1']]);
    assert.equal(readCookies(header, false).get('basket'), 'planted');
    assert.equal(readCookies(undefined, true).size, 0);
  });

  it('is refused with a value that could add attributes', () => {
    for (const value of ['x; Domain=evil', 'x\r\nset-cookie: y=z', 'a,b', 'é', ' ']) {
      assert.throws(() => writeCookie({ ...COOKIE, value }, true), TypeError, value);
    }
  });
});
