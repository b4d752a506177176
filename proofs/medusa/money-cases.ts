import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '../../service/test/support/eventually.ts';
import type { ReceivedWebhook } from '../../service/test/support/webhooks/https-listener.ts';
import { type Checkout, TOTAL } from './checkout-pages.ts';
import type { MedusaProof } from './medusa-proof.ts';

const PROVIDERS = ['sandbox', 'production'].map((id) => `pp_payment-requests_${id}`);

let proof: MedusaProof;

/** Money that Medusa has no session for, or not yet, or no order. */
export function describeMoney(findProof: () => MedusaProof): void {
  describe('a Medusa shop with the plug-in and money without an order', () => {
    before(() => {
      proof = findProof();
    });
    proveEvents();
    proveSessions();
    proveOrders();
  });
}

function proveEvents(): void {
  it('emits an event for money that comes after its session was replaced', async () => {
    const { cartId, collectionId, session, id } = await proof.pages.checkOut();
    await proof.pages.openSession(collectionId);
    await proof.becomes(id, 'PAID');
    const told = await eventOf('payment-unmatched', id);
    const merchantTransactionId = session.id;
    assert.deepEqual(told, {
      id,
      amount: TOTAL,
      currency: 'CAD',
      merchantTransactionId,
    });
    assert.deepEqual(await proof.pages.ordersOf(cartId), []);
  });

  it('emits an event for money of another link that names a session', async () => {
    const { cartId, session } = await proof.pages.checkOut();
    const { id } = await proof.payments.client.createPaymentRequest({
      amount: '1.00',
      payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
      merchantTransactionId: session.id,
    });
    await proof.becomes(id, 'PAID');
    assert.equal((await eventOf('payment-unmatched', id)).merchantTransactionId, session.id);
    assert.deepEqual(await proof.pages.ordersOf(cartId), []);
  });

  it('emits events for a failed refund and for a payment that a bank took back', async () => {
    const { client } = proof.payments;
    const { cartId, id } = await proof.pages.checkOut();
    await proof.becomes(id, 'PAID');
    const [payment] = (await proof.pages.paidOrder(cartId)).payment_collections[0].payments;
    await proof.shop.admin('POST', `/payments/${payment.id}/refund`, { amount: 5 });
    const [refund] = await Array.fromAsync(client.listRefunds({ paymentRequestId: id }));
    assert.ok(refund);
    await client.simulateRefund(refund.id, { outcome: 'FAILED' });
    assert.equal((await eventOf('refund-failed', refund.id)).resource.id, refund.id);
    await client.simulateOutcome(id, { outcome: 'RETURNED' });
    assert.equal((await eventOf('payment-returned', id)).resource.id, id);
  });
}

function proveSessions(): void {
  it('answers 500 while a session has not stored its link, and then captures it', async () => {
    const { cartId, session, id } = await proof.pages.checkOut();
    const update = 'UPDATE payment_session SET data = $1 WHERE id = $2';
    const store = (data: unknown) => proof.database.query(update, [data, session.id]);
    await store({});
    proof.relay.hold();
    await proof.becomes(id, 'PAID');
    await proof.webhooksOf(id, 1);
    assert.deepEqual(await proof.relay.release(), [500]);
    assert.deepEqual(await proof.pages.ordersOf(cartId), []);
    await store(session.data);
    await proof.pages.paidOrder(cartId);
  });

  it('refuses the link of another session, and leaves the cart one of its own', async () => {
    const other = await proof.pages.checkOut();
    const { cartId, collectionId } = await proof.pages.checkOut();
    const data = { ...other.session.data, payer: { name: 'Ada Lovelace' } };
    const refused = await proof.pages.openSession(collectionId, 'sandbox', data);
    assert.match(refused.json.message, /set by the plug-in/);
    assert.equal((await proof.payments.client.getPaymentRequest(other.id)).status, 'CREATED');
    const [kept] = await eventually(async () => {
      const sessions = await proof.pages.sessionsOf(cartId);
      return sessions.length === 1 && sessions;
    }, 'the session');
    await proof.becomes(kept.data.id, 'PAID');
    await proof.pages.paidOrder(cartId);
  });
}

function proveOrders(): void {
  it('completes the cart by a repeat of the webhook when it failed at first', async () => {
    const checkout = await proof.pages.checkOut();
    const path = `/regions/${proof.shop.seeded.regionId}`;
    const providers = (payment_providers: string[]) =>
      proof.shop.admin('POST', path, { payment_providers });
    const webhook = await paidHook(checkout);
    await providers([]);
    try {
      assert.equal(await proof.relay.pass(webhook), 500);
      assert.deepEqual(await proof.pages.ordersOf(checkout.cartId), []);
    } finally {
      await providers(PROVIDERS);
    }
    assert.deepEqual(await proof.relay.release(), [204]);
    await proof.pages.paidOrder(checkout.cartId);
  });

  it('makes no order after Medusa gave the money back, and refunds once', async () => {
    const checkout = await proof.pages.checkOut('sandbox', await proof.pages.fillUnshipped());
    const webhook = await paidHook(checkout);
    assert.deepEqual(await proof.relay.release(), [204]);
    assert.equal(await proof.relay.pass(webhook), 204);
    assert.deepEqual(await proof.pages.ordersOf(checkout.cartId), []);
    const paymentRequestId = checkout.id;
    const ours = await Array.fromAsync(proof.payments.client.listRefunds({ paymentRequestId }));
    assert.deepEqual(
      ours.map(({ amount }) => amount),
      [10],
    );
    const again = await proof.pages.openSession(checkout.collectionId);
    assert.equal(again.status, 200, JSON.stringify(again.json));
  });
}

async function paidHook(checkout: Checkout): Promise<ReceivedWebhook> {
  proof.relay.hold();
  await proof.becomes(checkout.id, 'PAID');
  const [webhook] = await proof.webhooksOf(checkout.id, 1);
  assert.ok(webhook);
  return webhook;
}

/** Waits for an event of the plug-in that names this id. */
function eventOf(name: string, id: string) {
  const line = new RegExp(`^payment-requests\\.${name} (.*${id}.*)$`, 'm');
  return eventually(() => {
    const [, json] = line.exec(proof.shop.printed()) ?? [];
    return json !== undefined && JSON.parse(json);
  }, name);
}
