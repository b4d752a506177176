import assert from 'node:assert/strict';
import { eventually } from '../../service/test/support/eventually.ts';
import type { MedusaShop } from './medusa-shop.ts';

/** A book of 10.00 and its post. */
export const TOTAL = 12.5;
const PAYER = { name: 'Ada Lovelace', email: 'ada@example.com' };
const ORDER_FIELDS =
  'id,+cart.id,payment_status,total,*payment_collections,*payment_collections.payments';

// biome-ignore lint/suspicious/noExplicitAny: a proof asserts on what it finds
type Found = any;

export interface Checkout {
  readonly cartId: string;
  readonly collectionId: string;
  /** The payment session as the checkout page sees it. */
  readonly session: Found;
  /** The id of its payment request. */
  readonly id: string;
}

/** The acts of checkout pages, and what became of their carts. */
export class CheckoutPages {
  readonly #shop: MedusaShop;

  constructor(shop: MedusaShop) {
    this.#shop = shop;
  }

  /** A cart with a book, an address and a way to ship it. */
  async fillCart(): Promise<string> {
    const cartId = await this.fillUnshipped();
    const shipped = await this.#shop.store('POST', `/carts/${cartId}/shipping-methods`, {
      option_id: this.#shop.seeded.shippingOptionId,
    });
    assert.equal(shipped.json.cart.total, TOTAL);
    return cartId;
  }

  /** A cart of which Medusa makes no order: nobody has chosen a way to ship it. */
  async fillUnshipped(): Promise<string> {
    const { seeded } = this.#shop;
    const made = await this.#shop.store('POST', '/carts', {
      region_id: seeded.regionId,
      email: PAYER.email,
      items: [{ variant_id: seeded.variantId, quantity: 1 }],
      shipping_address: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        address_1: '1 Pier',
        city: 'Halifax',
        country_code: 'ca',
        postal_code: 'B3H 1A1',
      },
    });
    assert.equal(made.status, 200, JSON.stringify(made.json));
    return made.json.cart.id;
  }

  async collectionOf(cartId: string): Promise<string> {
    const made = await this.#shop.store('POST', '/payment-collections', { cart_id: cartId });
    return made.json.payment_collection.id;
  }

  /** @param provider its id in the shop's settings */
  openSession(collectionId: string, provider = 'sandbox', data: Found = { payer: PAYER }) {
    return this.#shop.store('POST', `/payment-collections/${collectionId}/payment-sessions`, {
      provider_id: `pp_payment-requests_${provider}`,
      data,
    });
  }

  async checkOut(provider = 'sandbox', filled?: string): Promise<Checkout> {
    const cartId = filled ?? (await this.fillCart());
    const collectionId = await this.collectionOf(cartId);
    const { status, json } = await this.openSession(collectionId, provider);
    assert.equal(status, 200, JSON.stringify(json));
    const [session] = json.payment_collection.payment_sessions;
    return { cartId, collectionId, session, id: session.data.id };
  }

  complete(cartId: string) {
    return this.#shop.store('POST', `/carts/${cartId}/complete`);
  }

  /** All orders of the shop that a cart has become. */
  async ordersOf(cartId: string): Promise<Found[]> {
    const { json } = await this.#shop.admin('GET', `/orders?limit=1000&fields=${ORDER_FIELDS}`);
    return json.orders.filter((order: Found) => order.cart?.id === cartId);
  }

  /** Waits for the order of a cart, which is one and paid once. */
  async paidOrder(cartId: string, status?: string): Promise<Found> {
    const [order] = await eventually(async () => {
      const orders = await this.ordersOf(cartId);
      // Medusa links the payment after it has made the order.
      return orders[0]?.payment_collections?.[0] && orders;
    }, 'the order and its payment');
    await this.assertPaidOnce(cartId, status);
    return order;
  }

  async assertPaidOnce(cartId: string, status = 'captured'): Promise<void> {
    const orders = await this.ordersOf(cartId);
    assert.deepEqual(
      orders.map(({ total }) => total),
      [TOTAL],
    );
    const [collection] = orders[0].payment_collections;
    assert.equal(collection.captured_amount, TOTAL);
    assert.equal(collection.payments.length, 1);
    assert.equal(orders[0].payment_status, status);
    const path = `/payments/${collection.payments[0].id}?fields=*captures`;
    const { json } = await this.#shop.admin('GET', path);
    assert.equal(json.payment.captures.length, 1);
  }

  async sessionOf({ cartId, session }: Checkout): Promise<Found> {
    return (await this.sessionsOf(cartId)).find((each: Found) => each.id === session.id);
  }

  async sessionsOf(cartId: string): Promise<Found[]> {
    const fields = 'fields=*payment_collection.payment_sessions';
    const { json } = await this.#shop.store('GET', `/carts/${cartId}?${fields}`);
    return json.cart.payment_collection.payment_sessions;
  }
}
