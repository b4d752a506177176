import { type TProperties, Type } from 'typebox';
import { limitParameter } from '#http/json/list-parameters.ts';
import type { Environment } from '#lib/environment.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import { searchPaymentRequests } from '#payment-requests/lookup/search-payment-requests.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { paymentRequestMembers } from '#payment-requests/model/render-json.ts';
import { paymentRequestList } from '#payment-requests/read/payment-request-list.ts';
import { ListQuerySchema } from '#payment-requests/read/schemas.ts';
import { readTimeline } from '#payment-requests/timeline/read-timeline.ts';
import { timelineEntryMembers } from '#payment-requests/timeline/render-json.ts';
import { TimelineQuerySchema } from '#payment-requests/timeline/schemas.ts';
import { warnOfName } from '#sandbox/create-sandbox-creation-hooks.ts';
import { DELIVERY_LIST } from '#webhooks/deliveries/delivery-list.ts';
import { readDelivery } from '#webhooks/deliveries/read-delivery.ts';
import { attemptMembers, deliveryMembers } from '#webhooks/deliveries/render-json.ts';
import { DeliveryQuerySchema } from '#webhooks/deliveries/schemas.ts';
import { DOCUMENT_TOOLS } from './document-tools.ts';
import { SANDBOX_TOOLS } from './sandbox-tools.ts';
import { ID, input, type Tool } from './tool.ts';

/** Larger pages of whole payment requests fill the memory of an assistant. */
const LIMIT = { limit: limitParameter('How many a page holds at most.') };
const MOST_FOUND = 20;

/** Hits by these would tell whether a payer has a guessed value. */
const FOUND_BY_PAYER = ['payerEmail', 'payerMobileNumber', 'merchantAccountId', 'text'];
const FILTERS_BY_PAYER = ['payerEmail', 'payerMobileNumber', 'shortCode'];

/** The tools of an environment: production only reads. */
export function toolsOf(environment: Environment, withPayerData: boolean): readonly Tool[] {
  return [
    list(withPayerData),
    search(withPayerData),
    ...READ_TOOLS,
    ...DOCUMENT_TOOLS,
    ...(environment === 'sandbox' ? SANDBOX_TOOLS : []),
  ];
}

function list(withPayerData: boolean): Tool {
  const members = Object.entries(ListQuerySchema.properties);
  const shown = members.filter(([name]) => withPayerData || !FILTERS_BY_PAYER.includes(name));
  return {
    name: 'list_payment_requests',
    description: 'The payment requests of the merchant, newest first, in pages.',
    input: input(Object.fromEntries(shown) as TProperties, LIMIT),
    async run({ db, clock, merchantId, ...settings }, query) {
      const page = await paymentRequestList(clock, settings).readPage(db, merchantId, query, []);
      return { ...page, data: page.data.map((each) => paymentRequestMembers(each, settings)) };
    },
  };
}

function search(withPayerData: boolean): Tool {
  const values = withPayerData ? ', an e-mail address, a phone number, a customer number' : '';
  return {
    name: 'search_payment_requests',
    description:
      'Payment requests by one whole value: any reference, an id of a refund, ' +
      `event or case, an invoice number, an amount such as 249.90${values}.`,
    input: input({ value: Type.String({ minLength: 1, maxLength: 254 }) }),
    async run({ db, clock, merchantId, ...settings }, { value }) {
      const scope = { merchantIds: [merchantId], most: MOST_FOUND };
      const found = await searchPaymentRequests({ db }, value, scope);
      const shown = found.filter(
        ({ foundBy }) => withPayerData || !FOUND_BY_PAYER.includes(foundBy),
      );
      const now = clock.now();
      const data = shown.map(({ paymentRequest, foundBy }) => ({
        foundBy,
        ...paymentRequestMembers(paymentRequestAt(paymentRequest, now), settings),
      }));
      return { data, most: MOST_FOUND };
    },
  };
}

const READ_TOOLS: readonly Tool[] = [
  {
    name: 'get_payment_request',
    description: 'A payment request as it is now, with its statuses and sums.',
    input: input({ id: ID }),
    async run({ db, clock, merchantId, ...settings }, { id }) {
      const found = await findOwnPaymentRequest(db, merchantId, id);
      return paymentRequestMembers(paymentRequestAt(found, clock.now()), settings);
    },
  },
  {
    name: 'get_timeline',
    description:
      'All that happened to a payment request, oldest first: statuses, the payer’s steps, ' +
      'webhook attempts, messages, refunds.',
    input: input(TimelineQuerySchema.properties, { id: ID }),
    async run({ db, clock, merchantId, environment }, { id, ...query }) {
      const deps = { db, clock, ...(environment === 'sandbox' && { warningOf: warnOfName }) };
      const page = await readTimeline(deps, merchantId, id, query, []);
      return { ...page, data: page.data.map(timelineEntryMembers) };
    },
  },
  {
    name: 'list_webhook_deliveries',
    description: 'Webhook deliveries of the merchant, or of one payment request; newest first.',
    input: input(DeliveryQuerySchema.properties, LIMIT),
    async run({ db, merchantId }, query) {
      const page = await DELIVERY_LIST.readPage(db, merchantId, query, []);
      return { ...page, data: page.data.map(deliveryMembers) };
    },
  },
  {
    name: 'get_webhook_delivery',
    description: 'A webhook delivery with each attempt: outcome, status of the answer, times.',
    input: input({ id: ID }),
    async run({ db, merchantId }, { id }) {
      const { delivery, attempts } = await readDelivery(db, merchantId, id);
      return { ...deliveryMembers(delivery), attemptLog: attempts.map(attemptMembers) };
    },
  },
];
