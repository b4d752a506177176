import { isId } from '../new-id.ts';
import { Problem } from '../problem.ts';
import { SHORT_CODE } from '../text-forms.ts';

/** The call that finds the id of a resource. */
const FINDERS = {
  PAYMENT_REQUEST_NOT_FOUND:
    'GET /payment-requests?merchantTransactionId=… finds a payment request by your own reference.',
  REFUND_NOT_FOUND: 'GET /refunds?merchantRefundId=… finds a refund by your own id.',
  WEBHOOK_ENDPOINT_NOT_FOUND: 'GET /webhook-endpoints lists the ids of your endpoints.',
  WEBHOOK_DELIVERY_NOT_FOUND: 'GET /webhook-deliveries lists the ids of your deliveries.',
  WEBHOOK_REPLAY_NOT_FOUND: 'The call that started a replay answered its id.',
} as const;

/** An empty variable as clients write it, or a parameter that no value replaced. */
const PLACEHOLDER = /^(undefined|null|nil|none|nan|\[object object\])$|^[{:<$]/i;

/** The refusal of an id that leads nowhere; a text that is no id is refused with advice. */
export function notFound(code: keyof typeof FINDERS, id: string): Problem {
  if (isId(id)) return new Problem(code);
  const form = 'An id is a UUID, for example 018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f.';
  return new Problem(code, { detail: `${causeOf(code, id)} ${form} ${FINDERS[code]}` });
}

function causeOf(code: keyof typeof FINDERS, id: string): string {
  if (PLACEHOLDER.test(id)) {
    return 'The address has a placeholder or an empty variable in place of an id.';
  }
  const isShortCode = code === 'PAYMENT_REQUEST_NOT_FOUND' && new RegExp(SHORT_CODE).test(id);
  return isShortCode
    ? 'The address has a short code in place of an id; GET /payment-requests?shortCode=… finds it.'
    : 'The text in the address is no id.';
}
