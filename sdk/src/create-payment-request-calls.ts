import type { Advance } from './advance.ts';
import type { ReadOptions } from './call-options.ts';
import { pathSegment } from './calls/check-options.ts';
import { limitsOf, type MerchantCalls, resourceOf } from './calls/merchant-calls.ts';
import { readPages } from './calls/read-pages.ts';
import { writeNewPaymentRequest } from './calls/write-new-payment-request.ts';
import { writeQuery } from './calls/write-query.ts';
import { startExport } from './csv-export.ts';
import type { Message, PaymentRequest, TimelineEntry } from './payment-request.ts';
import type { PaymentRequestCalls } from './payment-request-calls.ts';

const PATH = '/payment-requests';

export function createPaymentRequestCalls(calls: MerchantCalls): PaymentRequestCalls {
  async function getPaymentRequest(id: string, options?: ReadOptions): Promise<PaymentRequest>;
  async function getPaymentRequest(
    id: string,
    { waitSeconds, ifNoneMatch, ...options }: ReadOptions = {},
  ): Promise<PaymentRequest | null> {
    const answer = await calls.call({
      method: 'GET',
      path: `${pathOf(id)}${writeQuery({ waitSeconds })}`,
      headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
      waitMs: (waitSeconds ?? 0) * 1000,
      ...limitsOf(options),
    });
    return answer.status === 304 ? null : resourceOf<PaymentRequest>(answer);
  }

  return {
    getPaymentRequest,

    async createPaymentRequest(newPaymentRequest, options = {}) {
      const body = writeNewPaymentRequest(newPaymentRequest);
      return resourceOf<PaymentRequest>(await calls.post(PATH, body, options));
    },

    listPaymentRequests(filters = {}, { pageSize, cursor: first, ...options } = {}) {
      const fetchPage = (cursor: string | undefined) =>
        calls.get(`${PATH}${writeQuery({ ...filters, limit: pageSize, cursor })}`, options);
      return readPages<PaymentRequest>(fetchPage, first);
    },

    exportPaymentRequests: (filters = {}, options = {}) =>
      startExport(calls, `${PATH}${writeQuery({ ...filters })}`, 'payment-requests.csv', options),

    async cancelPaymentRequest(id, cancellation = {}, options = {}) {
      const body = JSON.stringify(cancellation);
      return resourceOf<PaymentRequest>(
        await calls.post(`${pathOf(id)}/cancellation`, body, options),
      );
    },

    async updatePaymentRequest(id, changes, { ifMatch, ...options } = {}) {
      const answer = await calls.patch(pathOf(id), changes, options, {
        repeatable: ifMatch === undefined,
        headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      });
      return resourceOf<PaymentRequest>(answer);
    },

    readTimeline(id, { pageSize, cursor: first, ...options } = {}) {
      const path = `${pathOf(id)}/timeline`;
      const fetchPage = (cursor: string | undefined) =>
        calls.get(`${path}${writeQuery({ limit: pageSize, cursor })}`, options);
      return readPages<TimelineEntry>(fetchPage, first);
    },

    ...createMessageCalls(calls),

    async simulateOutcome(id, simulation, options = {}) {
      const body = JSON.stringify(simulation);
      const path = `/sandbox${pathOf(id)}/simulations`;
      return resourceOf<PaymentRequest>(await calls.post(path, body, options));
    },

    async advancePaymentRequest(id, advance, options = {}) {
      const path = `/sandbox${pathOf(id)}/advance`;
      return resourceOf<Advance>(await calls.post(path, JSON.stringify(advance), options));
    },
  };
}

type MessageCalls = Pick<PaymentRequestCalls, 'listMessages' | 'sendMessage'>;

function createMessageCalls(calls: MerchantCalls): MessageCalls {
  return {
    listMessages(id, { pageSize, cursor: first, ...options } = {}) {
      const path = `${pathOf(id)}/messages`;
      const fetchPage = (cursor: string | undefined) =>
        calls.get(`${path}${writeQuery({ limit: pageSize, cursor })}`, options);
      return readPages<Message>(fetchPage, first);
    },

    async sendMessage(id, message = {}, options = {}) {
      const body = JSON.stringify(message);
      return resourceOf<Message>(await calls.post(`${pathOf(id)}/messages`, body, options));
    },
  };
}

function pathOf(id: string): string {
  return `${PATH}/${pathSegment(id)}`;
}
