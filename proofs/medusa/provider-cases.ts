import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { PaymentsService } from './payments-service.ts';
import { PLUGIN } from './put-plugin.ts';

const PACKED = '@payment-requests/medusa/providers/payment-requests';
const EXPIRES_AFTER_MINUTES = 30;

// biome-ignore lint/suspicious/noExplicitAny: the types of Medusa are in the plug-in's own folder
type Provider = any;

const newSession = () => `payses_${crypto.randomUUID()}`;
const asked = (session_id: string, amount = 12.5) => ({
  amount,
  currency_code: 'cad',
  data: { session_id, payer: { name: 'Ada Lovelace', email: 'ada@example.com' } },
  context: { idempotency_key: session_id },
});

/** The calls of the packed plug-in that Medusa's own API cannot make, or not at that moment. */
export function describeProvider(findPayments: () => PaymentsService): void {
  describe('the payment provider of the plug-in', () => {
    let payments: PaymentsService;
    let provider: Provider;
    const statusOf = async (id: string) => (await payments.client.getPaymentRequest(id)).status;

    before(() => {
      payments = findPayments();
      const { services } = createRequire(join(PLUGIN, 'package.json'))(PACKED).default;
      const options = { ...payments.provider, expiresAfterMinutes: EXPIRES_AFTER_MINUTES };
      provider = new services[0]({}, options);
    });

    it('gives a repeat the link of the first call, and refuses another amount', async () => {
      const session = newSession();
      const first = await provider.initiatePayment(asked(session));
      const { createdDateTime, expiryDateTime } = await payments.client.getPaymentRequest(first.id);
      const minutes = (Date.parse(expiryDateTime) - Date.parse(createdDateTime)) / 60_000;
      assert.equal(Math.round(minutes), EXPIRES_AFTER_MINUTES);
      assert.deepEqual(await provider.initiatePayment(asked(session)), first);
      await assert.rejects(provider.initiatePayment(asked(session, 13)), /not created/);
    });

    it('ends the link of its own session alone', async () => {
      const { id, data } = await provider.initiatePayment(asked(newSession()));
      await provider.deletePayment({ data: { id } });
      await provider.deletePayment({ data: { id, merchantTransactionId: newSession() } });
      assert.equal(await statusOf(id), 'CREATED');
      await provider.deletePayment({ data });
      assert.equal(await statusOf(id), 'CANCELLED');
    });

    it('captures a link for its own session alone, and when it is PAID', async () => {
      const session = newSession();
      const { id, data } = await provider.initiatePayment(asked(session));
      const authorize = (idempotency_key: string) =>
        provider.authorizePayment({ data, context: { idempotency_key } });
      assert.equal((await authorize(session)).status, 'pending');
      await payments.client.simulateOutcome(id, { outcome: 'PROCESSING' });
      assert.equal((await authorize(session)).status, 'pending');
      await assert.rejects(provider.capturePayment({ data }), /not PAID/);
      await payments.client.simulateOutcome(id, { outcome: 'PAID' });
      assert.equal((await authorize(session)).status, 'captured');
      assert.equal((await provider.capturePayment({ data })).data.status, 'PAID');
      await assert.rejects(authorize(newSession()), /of another payment session/);
    });

    it('counts a link that the service does not know as ended', async () => {
      const gone = { id: crypto.randomUUID(), merchantTransactionId: newSession() };
      assert.deepEqual(await provider.deletePayment({ data: gone }), { data: gone });
      assert.deepEqual(await provider.cancelPayment({ data: gone }), { data: gone });
    });

    it('takes amounts to the cent, and keeps that of a link', async () => {
      const { data } = await provider.initiatePayment(asked(newSession()));
      const update = (amount: number) =>
        provider.updatePayment({ data, amount, currency_code: 'cad' });
      assert.equal((await update(12.5)).status, 'pending');
      await assert.rejects(update(12.51), { type: 'not_allowed' });
      await assert.rejects(update(12.505), { type: 'invalid_data' });
      const cut = provider.initiatePayment(asked(newSession(), 0.005));
      await assert.rejects(cut, { type: 'invalid_data' });
    });
  });
}
