import assert from 'node:assert/strict';
import type { MakeNetwork } from '#e-transfer/e-transfer-network.ts';
import type { TestDatabase } from '../database.ts';
import {
  buyToken,
  startTestService,
  type TestMerchant,
  type TestService,
  type TestServiceOptions,
} from './service.ts';

export interface CreatedLink {
  readonly id: string;
  readonly shortCode: string;
  readonly paymentLink: string;
  readonly qrCodeLink: string;
}

/** A production service with one merchant, and what tests of payers' journeys do with it. */
export interface Production {
  readonly service: TestService;
  readonly merchant: TestMerchant;
  /** The merchant's own calls, whatever the clock says. */
  readonly call: TestService['call'];
  /** A payment request of 12.34 that a payer can open. */
  createLink(fields?: Readonly<Record<string, unknown>>): Promise<CreatedLink>;
  /** The payment request as the merchant reads it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
  read(id: string): Promise<any>;
  cancel(id: string): ReturnType<TestService['call']>;
  /** The statuses it has had, in order. */
  statusesOf(id: string): Promise<readonly string[]>;
  /** The types of the webhook events it has had, in order. */
  webhooksOf(id: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export interface ProductionOptions {
  readonly merchantName?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly start?: Date;
  readonly makeNetwork?: MakeNetwork;
  /** A database that the test made. */
  readonly database?: TestDatabase;
  /** The roles of the service; default all. */
  readonly roles?: NonNullable<TestServiceOptions['roles']>;
}

export async function startProduction({
  merchantName = 'Harbour Books',
  ...options
}: ProductionOptions = {}): Promise<Production> {
  const service = await startTestService({ environment: 'production', ...options });
  const merchant = await service.createMerchant({ name: merchantName });
  let { headers } = merchant;

  /** A merchant's call, with a new token when the clock has moved beyond the old one's end. */
  const call: TestService['call'] = async (method, path, options = {}) => {
    const answer = await service.call(method, path, { ...options, headers });
    if (answer.json?.code !== 'ACCESS_TOKEN_EXPIRED') return answer;
    const token = await buyToken(service.call, merchant);
    headers = { ...headers, authorization: `Bearer ${token}` };
    return service.call(method, path, { ...options, headers });
  };

  const read: Production['read'] = async (id) =>
    (await call('GET', `/v1/payment-requests/${id}`)).json;
  return {
    service,
    merchant,
    async createLink(fields = {}) {
      const body = {
        amount: 12.34,
        type: 'ECOMM',
        payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
        displayMessage: 'Two books',
        invoiceNumber: 'INV-77',
        ...fields,
      };
      const answer = await call('POST', '/v1/payment-requests', { body });
      assert.equal(answer.status, 201, answer.text);
      return answer.json;
    },
    read,
    call,
    cancel: (id) => call('POST', `/v1/payment-requests/${id}/cancellation`),
    async statusesOf(id) {
      const { events } = await read(id);
      return events.map(({ status }: { status: string }) => status);
    },
    async webhooksOf(id) {
      const rows = await service.database.sql<{ event_type: string }>(
        'SELECT event_type FROM webhook_events WHERE payment_request_id = $1 ORDER BY sequence',
        [id],
      );
      return rows.map(({ event_type }) => event_type);
    },
    stop: () => service.stop(),
  };
}
