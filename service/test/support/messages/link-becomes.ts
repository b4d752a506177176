import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import type { PaymentRequestCalls } from '../payment-requests/payment-requests.ts';
import type { TestService } from '../service/service.ts';

/**
 * Moves the clock second by second until the link of a payment request has a status.
 * @returns the payment request
 */
export function linkBecomes(
  { service, calls }: { readonly service: TestService; readonly calls: PaymentRequestCalls },
  id: string,
  status: string,
) {
  const becomes = async () => {
    await service.advance(1);
    const { json } = await calls.read(id);
    assert.equal(json.linkMessage.status, status);
    return json;
  };
  return eventually(becomes, status);
}
