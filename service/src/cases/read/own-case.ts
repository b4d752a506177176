import type { CaseWithRequests, FoundCase } from './case-list-store.ts';

/** The details that concern the merchant's own money alone. */
const OWN_DETAILS = [
  'arrivedCents',
  'returnedCents',
  'receivedCents',
  'refundCents',
  'currency',
  'networkReference',
  'networkReferences',
  'correctedReferences',
  'bankReference',
  'bookingDate',
  'institution',
  'reason',
  'refundId',
];
/** The details of the payment request. */
const REQUEST_DETAILS = ['askedCents'];

/**
 * A case as its merchant may see it: nothing of it tells that another merchant exists.
 *
 * @param merchantId null: an operator sees all
 */
export function ownCase(found: FoundCase, merchantId: string | null): CaseWithRequests {
  const { isOwnRequest, ...operatorCase } = found;
  if (merchantId === null) return operatorCase;
  const names = [...OWN_DETAILS, ...(isOwnRequest ? REQUEST_DETAILS : [])];
  return {
    ...operatorCase,
    paymentRequestId: isOwnRequest ? operatorCase.paymentRequestId : null,
    details: Object.fromEntries(
      Object.entries(operatorCase.details).filter(([name]) => names.includes(name)),
    ),
  };
}
