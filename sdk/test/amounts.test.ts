import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  amountToCents,
  centsToAmount,
  createClient,
  InvalidArgumentError,
} from '@payment-requests/sdk';
import { createFakeService } from './fake-service.ts';

const EXACT: readonly (readonly [string | number, number, string])[] = [
  ['25.50', 2550, '25.50'],
  ['25.5', 2550, '25.50'],
  ['0.01', 1, '0.01'],
  ['007', 700, '7.00'],
  [25.5, 2550, '25.50'],
  [0.29, 29, '0.29'],
  [1.15, 115, '1.15'],
  [8.2, 820, '8.20'],
  [10_000, 1_000_000, '10000.00'],
  [0, 0, '0.00'],
];

const REFUSED = [0.1 + 0.2, 1.005, '1.005', '-1', -1, '', ' 1', '1,50', '1e3', 1e21, Number.NaN];

describe('an amount', () => {
  it('is read and written to the cent as a string and as a number', () => {
    for (const [amount, cents, written] of EXACT) {
      assert.equal(amountToCents(amount), cents, String(amount));
      assert.equal(centsToAmount(cents), written);
    }
  });

  it('converts to cents and back for every cent up to 1000.00, as text and as a number', () => {
    for (let cents = 0; cents <= 100_000; cents += 1) {
      const amount = centsToAmount(cents);
      if (amountToCents(amount) !== cents || amountToCents(Number(amount)) !== cents) {
        assert.fail(amount);
      }
    }
  });

  it('is refused instead of rounded, before a call is sent', async () => {
    const service = createFakeService();
    const client = createClient(service.options);
    for (const amount of REFUSED) {
      assert.throws(() => amountToCents(amount), InvalidArgumentError, String(amount));
      const payer = { name: 'Ada', email: 'ada@example.com' };
      await assert.rejects(client.createPaymentRequest({ amount, payer }), InvalidArgumentError);
    }
    for (const cents of [0.5, -1, Number.NaN, 2 ** 53]) {
      assert.throws(() => centsToAmount(cents), InvalidArgumentError);
    }
    assert.equal(service.calls.length + service.tokenCalls.length, 0);
  });

  it('is sent as a number with two decimals', async () => {
    const service = createFakeService();
    const client = createClient(service.options);
    const payer = { name: 'Ada', email: 'ada@example.com' };
    for (const [amount] of EXACT) await client.createPaymentRequest({ amount, payer });
    assert.deepEqual(
      service.calls.map(({ body }) => body),
      EXACT.map(
        ([, , written]) =>
          `{"amount":${written},"type":"ECOMM",` +
          '"payer":{"name":"Ada","email":"ada@example.com"}}',
      ),
    );
  });
});
