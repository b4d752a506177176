import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTrafficClassifier } from '../../../src/compose/traffic-class.ts';

describe('the caller of an address', () => {
  const classify = createTrafficClassifier({
    publicApiUrl: 'https://pay.example/v1',
    publicAuthUrl: 'https://pay.example/oauth2/token',
    paymentLinkBase: 'https://pay.example/pay',
  });
  const rows = [
    ['/v1/payment-requests', 'merchant'],
    ['/v1/payment-requests?limit=5', 'merchant'],
    ['/oauth2/token', 'merchant'],
    ['/pay/AbCdEfGhIjKlMnOp', 'person'],
    ['/pay/AbCdEfGhIjKlMnOp?lang=fr', 'person'],
    ['/gateway/019a/choose?name=a%20b', 'person'],
    ['/docs', 'person'],
    ['/%76%31/payment-requests', 'merchant'],
    ['/gateway/%2e%2e/v1/payment-requests', 'merchant'],
    ['http://pay.example/v1/payment-requests', 'merchant'],
    ['*', 'merchant'],
    ['', 'merchant'],
  ] as const;

  for (const [address, caller] of rows) {
    it(`takes ${JSON.stringify(address)} for a ${caller}'s`, () => {
      assert.equal(classify(address), caller);
    });
  }

  it('takes a link below the whole origin of the API for a person’s', () => {
    const whole = createTrafficClassifier({
      publicApiUrl: 'https://pay.example/',
      publicAuthUrl: 'https://pay.example/token',
      paymentLinkBase: 'https://pay.example/pay',
    });
    assert.equal(whole('/pay/AbCdEfGhIjKlMnOp'), 'person');
    assert.equal(whole('/payment-requests'), 'merchant');
  });
});
