import assert from 'node:assert/strict';

export interface Customer {
  /** Loads a page. */
  get(path: string): Promise<Answer>;
  post(path: string, form?: Readonly<Record<string, string>>, headers?: Headers): Promise<Answer>;
  /** Orders two bags of coffee with e-transfer, without script; gives the order's path. */
  placeOrder(fields?: Readonly<Record<string, string>>): Promise<string>;
  /** Requests the payment link of an order, like the page's script. */
  pay(orderPath: string): Promise<{ status: number; paymentLink?: string; orderUrl?: string }>;
  /** Gives the order's state on its page. */
  orderState(orderPath: string): Promise<string | undefined>;
}

export interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;

/** Two bags at 15.75. */
export const TOTAL = '31.50';

/** Makes a browser without script that stores cookies. */
export function createCustomer(shopUrl: string): Customer {
  const cookies = new Map<string, string>();

  async function call(path: string, init: RequestInit): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(shopUrl + path, {
      ...init,
      redirect: 'manual',
      headers: { cookie, ...(init.headers as Headers) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const { status, headers } = response;
    return { status, location: headers.get('location'), text: await response.text() };
  }

  const customer: Customer = {
    get: (path) => call(path, {}),
    post: (path, form = {}, headers = {}) =>
      call(path, { method: 'POST', headers, body: new URLSearchParams(form) }),
    async placeOrder(fields = {}) {
      await customer.post('/basket/add', { sku: 'harbour' });
      await customer.post('/basket/add', { sku: 'harbour' });
      const { text } = await customer.get('/checkout');
      const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
      const form = {
        name: 'Ada',
        email: 'ada@example.com',
        tender: 'E_TRANSFER',
        token,
        ...fields,
      };
      const placed = await customer.post('/orders', form);
      assert.equal(placed.status, 303, placed.text);
      return placed.location ?? '';
    },
    async pay(orderPath) {
      const headers = { accept: 'application/json' };
      const { status, text } = await customer.post(`${orderPath}/payment`, {}, headers);
      return { status, ...JSON.parse(text) };
    },
    async orderState(orderPath) {
      const { text } = await customer.get(orderPath);
      return /data-state="([A-Z_]+)"/.exec(text)?.[1];
    },
  };
  return customer;
}
