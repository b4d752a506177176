import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hashSecret } from '#merchants/credentials/secret-hash.ts';
import { anyCharacter } from '../../support/schemas/schema-arbitrary.ts';

describe('the keyed hash of a secret (contract §3)', () => {
  const pepper = fc.uint8Array({ minLength: 1, maxLength: 100 }).map((bytes) => Buffer.from(bytes));
  const secret = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('€', '\ud800', '\udc00'), minLength: 120, maxLength: 140 }),
  );

  it('is HMAC-SHA-256 with the pepper, for secrets of any length after each other', () => {
    fc.assert(
      fc.property(pepper, fc.array(secret, { maxLength: 4 }), (key, secrets) => {
        for (const text of secrets) {
          const wanted = createHmac('sha256', key).update(text, 'utf8').digest('hex');
          assert.equal(hashSecret(key, text).toString('hex'), wanted);
        }
      }),
    );
  });
});
