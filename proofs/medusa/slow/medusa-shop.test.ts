import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../../../service/test/support/eventually.ts';
import { createPayer } from '../../../service/test/support/payment-requests/payer.ts';
import { type CheckoutPages, TOTAL } from '../checkout-pages.ts';
import { type MedusaProof, startMedusaProof } from '../medusa-proof.ts';
import type { MedusaShop } from '../medusa-shop.ts';
import { describeMoney } from '../money-cases.ts';
import type { PaymentsService } from '../payments-service.ts';
import { describeProvider } from '../provider-cases.ts';
import type { WebhookRelay } from '../webhook-relay.ts';

let proof: MedusaProof;
let relay: WebhookRelay;
let payments: PaymentsService;
let shop: MedusaShop;
let pages: CheckoutPages;

before(async () => {
  proof = await startMedusaProof();
  ({ relay, payments, shop, pages } = proof);
});
after(() => proof?.close());

const becomes: MedusaProof['becomes'] = (...outcome) => proof.becomes(...outcome);
const webhooksOf: MedusaProof['webhooksOf'] = (...expected) => proof.webhooksOf(...expected);

describe('a Medusa shop with the plug-in, while a cart is paid', () => {
  it('makes a cart an order when its payer has confirmed at the bank, and not before', async () => {
    const checkout = await pages.checkOut('production');
    assert.equal(checkout.session.status, 'pending');
    const payer = createPayer(proof.live);
    const confirmPage = await payer.signIn(checkout.session.data.paymentLink, 'approve');
    assert.match(confirmPage.text, /12\.50/);
    const early = await pages.complete(checkout.cartId);
    assert.match(early.json.message, /was not authorized with the provider/);
    assert.equal((await pages.sessionOf(checkout)).status, 'pending');
    assert.deepEqual(await pages.ordersOf(checkout.cartId), []);
    const confirmed = await payer.send(confirmPage, { decision: 'confirm' });
    assert.equal(confirmed.status, 200);
    const order = await pages.paidOrder(checkout.cartId);
    const late = await pages.complete(checkout.cartId);
    assert.deepEqual([late.json.type, late.json.order.id], ['order', order.id]);
    await pages.assertPaidOnce(checkout.cartId);
    const { merchantTransactionId } = await proof.live.client.getPaymentRequest(checkout.id);
    assert.equal(merchantTransactionId, checkout.session.id);
  });

  it('completes by the checkout page when the webhook comes later', async () => {
    relay.hold();
    const { cartId, id } = await pages.checkOut();
    await becomes(id, 'PAID');
    await webhooksOf(id, 1);
    const completed = await pages.complete(cartId);
    assert.equal(completed.json.type, 'order', JSON.stringify(completed.json));
    assert.deepEqual(await relay.release(), [204]);
    await pages.assertPaidOnce(cartId);
  });

  it('captures once when a webhook comes five times at once, and again later', async () => {
    const { cartId, id } = await pages.checkOut();
    relay.hold();
    await becomes(id, 'PAID');
    const [webhook] = await webhooksOf(id, 1);
    assert.ok(webhook);
    const together = await Promise.all(Array.from({ length: 5 }, () => relay.pass(webhook)));
    assert.ok(together.includes(204), `${together}`);
    assert.deepEqual(await relay.release(), [204]);
    assert.equal(await relay.pass(webhook), 204);
    await pages.assertPaidOnce(cartId);
  });
});

describe('a Medusa shop with the plug-in, around its sessions', () => {
  it('changes nothing by a late webhook of a session that was replaced', async () => {
    const { cartId, collectionId, id } = await pages.checkOut();
    relay.hold();
    const replaced = await pages.openSession(collectionId);
    const [session] = replaced.json.payment_collection.payment_sessions;
    assert.equal((await payments.client.getPaymentRequest(id)).status, 'CANCELLED');
    await webhooksOf(id, 1);
    await becomes(session.data.id, 'PAID');
    await webhooksOf(session.data.id, 1);
    assert.deepEqual(await relay.release((kept) => kept.reverse()), [204, 204]);
    await pages.paidOrder(cartId);
  });

  it('captures late money, and stays so when the earlier expiry is sent again', async () => {
    const checkout = await pages.checkOut();
    await becomes(checkout.id, 'EXPIRED');
    await eventually(
      async () => (await pages.sessionOf(checkout)).status === 'canceled',
      'its end',
    );
    const [expired] = await webhooksOf(checkout.id, 1);
    assert.ok(expired);
    await becomes(checkout.id, 'PAID');
    await pages.paidOrder(checkout.cartId);
    assert.equal(await relay.pass(expired), 204);
    assert.equal((await pages.sessionOf(checkout)).status, 'authorized');
    await pages.assertPaidOnce(checkout.cartId);
  });

  for (const [outcome, status] of [
    ['EXPIRED', 'canceled'],
    ['FAILED', 'error'],
  ] as const) {
    it(`ends the session of one that is ${outcome}, and takes another`, async () => {
      const checkout = await pages.checkOut();
      await becomes(checkout.id, outcome);
      await eventually(async () => (await pages.sessionOf(checkout)).status === status, 'its end');
      const early = await pages.complete(checkout.cartId);
      assert.notEqual(early.json.type, 'order');
      const again = await pages.openSession(checkout.collectionId);
      const [session] = again.json.payment_collection.payment_sessions;
      assert.equal(again.json.payment_collection.payment_sessions.length, 1);
      await becomes(session.data.id, 'PAID');
      await pages.paidOrder(checkout.cartId);
    });
  }

  it('refunds a part under the id that the refund has in Medusa', async () => {
    const { cartId, id } = await pages.checkOut();
    await becomes(id, 'PAID');
    const order = await pages.paidOrder(cartId);
    const [payment] = order.payment_collections[0].payments;
    const refunded = await shop.admin('POST', `/payments/${payment.id}/refund`, { amount: 5 });
    assert.equal(refunded.status, 200, JSON.stringify(refunded.json));
    const read = await shop.admin('GET', `/payments/${payment.id}?fields=*refunds`);
    const [refund] = read.json.payment.refunds;
    const ours = await Array.fromAsync(payments.client.listRefunds({ paymentRequestId: id }));
    assert.deepEqual(
      ours.map(({ amount, merchantRefundId }) => [amount, merchantRefundId]),
      [[5, refund.id]],
    );
    const tooMuch = await shop.admin('POST', `/payments/${payment.id}/refund`, { amount: 8 });
    assert.equal(tooMuch.status, 400);
  });
});

describe('a Medusa shop with the plug-in, against what should not be', () => {
  it('refuses a webhook that the service did not send, and an unknown provider', async () => {
    const checkout = await pages.checkOut();
    relay.hold();
    await becomes(checkout.id, 'PAID');
    const [webhook] = await webhooksOf(checkout.id, 1);
    assert.ok(webhook);
    const forged = { ...webhook, body: webhook.body.replace(checkout.id, crypto.randomUUID()) };
    assert.equal(await relay.pass(forged), 401);
    const { authorization: _, ...headers } = webhook.headers;
    assert.equal(await relay.pass({ ...webhook, headers }), 401);
    const elsewhere = await fetch(`${shop.url}/hooks/payment-requests/other`, { method: 'POST' });
    assert.equal(elsewhere.status, 404);
    assert.deepEqual(await pages.ordersOf(checkout.cartId), []);
    await relay.release();
    await pages.paidOrder(checkout.cartId);
  });

  it('keeps a cart as it is while its payer is at the bank', async () => {
    const checkout = await pages.checkOut();
    await becomes(checkout.id, 'PROCESSING');
    const more = { variant_id: shop.seeded.variantId, quantity: 3 };
    const grown = await shop.store('POST', `/carts/${checkout.cartId}/line-items`, more);
    assert.match(grown.json.message, /Could not delete all payment sessions/);
    const { json } = await shop.store('GET', `/carts/${checkout.cartId}`);
    assert.equal(json.cart.total, TOTAL);
    await becomes(checkout.id, 'PAID');
    // Medusa takes the item back, but leaves the larger amount on the payment collection.
    await pages.paidOrder(checkout.cartId, 'partially_captured');
  });
});

describe('a Medusa shop with the plug-in and the service away', () => {
  it('makes no session, and then one', async () => {
    const cartId = await pages.fillCart();
    const collectionId = await pages.collectionOf(cartId);
    await payments.kill();
    const away = await pages.openSession(collectionId);
    assert.ok(away.status >= 400, JSON.stringify(away.json));
    await payments.start();
    const { json } = await pages.openSession(collectionId);
    const [session] = json.payment_collection.payment_sessions;
    await becomes(session.data.id, 'PAID');
    await pages.paidOrder(cartId);
  });

  it('makes no order of a PAID payment request, and then one', async () => {
    const { cartId, id } = await pages.checkOut();
    relay.hold();
    await becomes(id, 'PAID');
    await webhooksOf(id, 1);
    await payments.kill();
    assert.notEqual((await pages.complete(cartId)).json.type, 'order');
    assert.deepEqual(await relay.release(), [500]);
    assert.deepEqual(await pages.ordersOf(cartId), []);
    await payments.start();
    await pages.paidOrder(cartId);
  });

  it('refunds nothing, and says so; then once', async () => {
    const { cartId, id } = await pages.checkOut();
    await becomes(id, 'PAID');
    const order = await pages.paidOrder(cartId);
    const path = `/payments/${order.payment_collections[0].payments[0].id}`;
    await payments.kill();
    const away = await shop.admin('POST', `${path}/refund`, { amount: 5 });
    assert.match(away.json.message, /It is not known whether the refund was made/);
    await payments.start();
    const then = await shop.admin('POST', `${path}/refund`, { amount: 5 });
    assert.equal(then.status, 200, JSON.stringify(then.json));
    const ours = await Array.fromAsync(payments.client.listRefunds({ paymentRequestId: id }));
    assert.equal(ours.length, 1);
  });
});

describe('a Medusa shop with the plug-in that was away', () => {
  it('makes the order after its start when the shop was away', async () => {
    const { cartId, id } = await pages.checkOut();
    await shop.kill();
    await becomes(id, 'PAID');
    await webhooksOf(id, 1);
    await shop.start();
    await pages.paidOrder(cartId);
  });
});

describeMoney(() => proof);

describeProvider(() => payments);
