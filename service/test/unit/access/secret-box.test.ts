import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { rotatingKey } from '#lib/secret-key.ts';
import { decryptSecret, encryptSecret, SecretUnreadable } from '#lib/secrets/secret-box.ts';

const newKey = () => rotatingKey(randomBytes(32).toString('base64'));
const key = newKey();
const context = 'merchant:m1:signing_secret';

describe('the box for secrets that must be read back', () => {
  it('gives back what went in, whatever the text', () => {
    for (const plain of ['', 'whsec_abc=', 'é🙂\0', 'x'.repeat(10_000)]) {
      assert.equal(decryptSecret(key, encryptSecret(key, plain, context), context), plain);
    }
  });

  it('never makes the same bytes twice', () => {
    const boxes = [1, 2].map(() => encryptSecret(key, 'same', context).toString('hex'));
    assert.notEqual(boxes[0], boxes[1]);
  });

  it('does not open under another key or in another place', () => {
    const box = encryptSecret(key, 'secret', context);
    assert.throws(() => decryptSecret(newKey(), box, context), SecretUnreadable);
    assert.throws(() => decryptSecret(key, box, 'merchant:m2:signing_secret'), SecretUnreadable);
    assert.throws(() => decryptSecret(key, box, ''), SecretUnreadable);
  });

  it('opens under the previous key, and encrypts under the current one alone', () => {
    const old = newKey();
    const both = { current: newKey().current, previous: old.current };
    assert.equal(decryptSecret(both, encryptSecret(old, 'secret', context), context), 'secret');
    const box = encryptSecret(both, 'secret', context);
    assert.throws(() => decryptSecret(old, box, context), SecretUnreadable);
    assert.throws(() => decryptSecret(both, box, 'merchant:m2:signing_secret'), SecretUnreadable);
  });

  it('does not open with any byte changed or cut off', () => {
    const box = encryptSecret(key, 'secret', context);
    for (let index = 0; index < box.length; index++) {
      const changed = Buffer.from(box);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.throws(() => decryptSecret(key, changed, context), SecretUnreadable);
      assert.throws(() => decryptSecret(key, box.subarray(0, index), context), SecretUnreadable);
    }
  });

  it('names the place, and nothing of the secret, when it does not open', () => {
    const box = encryptSecret(key, 'hidden-secret', context);
    try {
      decryptSecret(newKey(), box, context);
      assert.fail('it opened');
    } catch (error) {
      assert.match(String(error), /merchant:m1:signing_secret/);
      assert.doesNotMatch(String(error), /hidden/);
    }
  });
});
