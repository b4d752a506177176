import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authenticatedAtOf,
  isSubject,
  nameOfClaims,
  textsOfClaim,
} from '#console/sign-in/model/read-claims.ts';

describe('the claims of an identity provider', () => {
  it('give their texts as a list, a text or the keys of an object', () => {
    const claims = {
      groups: ['a', 7, null, 'b'],
      role: 'ops',
      'https://bank.example/roles': ['c'],
      realm_access: { roles: ['d'] },
      zitadel: { admin: { org: 'x' } },
    };
    assert.deepEqual(textsOfClaim(claims, 'groups'), ['a', 'b']);
    assert.deepEqual(textsOfClaim(claims, 'role'), ['ops']);
    assert.deepEqual(textsOfClaim(claims, 'https://bank.example/roles'), ['c']);
    assert.deepEqual(textsOfClaim(claims, 'realm_access.roles'), ['d']);
    assert.deepEqual(textsOfClaim(claims, 'zitadel'), ['admin']);
    for (const absent of ['none', 'realm_access.none.x', 'toString', 'groups.length']) {
      assert.equal(textsOfClaim(claims, absent), null, absent);
    }
  });

  it('give a name that steers no terminal and fills no page', () => {
    assert.equal(nameOfClaims({ name: ' Ada\u202e\u0007 ' }, 's'), 'Ada');
    assert.equal(nameOfClaims({ name: '', email: 'ada@bank.example' }, 's'), 'ada@bank.example');
    assert.equal(nameOfClaims({ name: ['Ada'] }, 's'), 's');
    assert.equal(nameOfClaims({ name: '😀'.repeat(200) }, 's'), '😀'.repeat(100));
  });

  it('give a subject of OpenID Connect alone', () => {
    for (const good of ['1', 'auth0|5f7', 'a b', 'x'.repeat(255)]) assert.ok(isSubject(good), good);
    for (const bad of ['', ' a', 'a ', 'é', 'a\n', 'x'.repeat(256)])
      assert.ok(!isSubject(bad), bad);
  });

  it('say when the person signed in, or do not', () => {
    assert.equal(authenticatedAtOf({ auth_time: 60 })?.toISOString(), '1970-01-01T00:01:00.000Z');
    for (const auth_time of [undefined, '60', 0, -1, 1.5, Number.NaN, 1e30, 2 ** 53 - 1]) {
      assert.equal(authenticatedAtOf({ auth_time }), null);
    }
  });
});
