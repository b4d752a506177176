import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { type RotatingKey, rotatingKey } from '#lib/secret-key.ts';
import { encryptSecret, SecretUnreadable } from '#lib/secrets/secret-box.ts';
import type { ClaimedDelivery } from '#webhooks/sending/lease-store.ts';
import { openDelivery } from '#webhooks/sending/open-delivery.ts';

const newKey = () => rotatingKey(randomBytes(32).toString('base64'));

function claimed(key: RotatingKey, merchantId: string, password: string): ClaimedDelivery {
  const box = (secret: string, name: string) =>
    `\\x${encryptSecret(key, secret, `merchant:${merchantId}:${name}`).toString('hex')}`;
  const delivery: Partial<ClaimedDelivery> = {
    merchantId,
    endpointId: null,
    sealedSecrets: [
      box(password, 'listener_password'),
      box('whsec_1', 'signing_secret'),
      box('whsec_2', 'signing_secret'),
    ].join(' '),
  };
  return delivery as ClaimedDelivery;
}

describe('the secrets of a delivery', () => {
  it('are opened each time, also once they are remembered', () => {
    const key = newKey();
    const delivery = claimed(key, 'mer_1', 'first');
    for (let n = 0; n < 2; n += 1) {
      const { password, signingSecrets } = openDelivery(key, delivery);
      assert.deepEqual([password, ...signingSecrets], ['first', 'whsec_1', 'whsec_2']);
    }
  });

  it('are the new ones after a rotation', () => {
    const key = newKey();
    assert.equal(openDelivery(key, claimed(key, 'mer_1', 'first')).password, 'first');
    assert.equal(openDelivery(key, claimed(key, 'mer_1', 'second')).password, 'second');
  });

  it('do not open for another merchant or endpoint to which they were copied', () => {
    const key = newKey();
    const delivery = claimed(key, 'mer_1', 'first');
    openDelivery(key, delivery);
    for (const copy of [
      { ...delivery, merchantId: 'mer_2' },
      { ...delivery, endpointId: '0198c0de-0000-7000-8000-000000000001' },
      { ...delivery, sealedSecrets: delivery.sealedSecrets.split(' ').reverse().join(' ') },
    ]) {
      assert.throws(() => openDelivery(key, copy), SecretUnreadable);
    }
  });

  it('do not open under another key', () => {
    const key = newKey();
    const delivery = claimed(key, 'mer_1', 'first');
    openDelivery(key, delivery);
    assert.throws(() => openDelivery(newKey(), delivery), SecretUnreadable);
  });
});
