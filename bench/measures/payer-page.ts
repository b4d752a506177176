import type { Line } from '../line.ts';
import type { Bench } from '../open-bench.ts';
import { createPaymentRequest } from '../service/calls.ts';
import { startServiceUnderTest } from '../service/service-under-test.ts';
import { callLine } from './call-line.ts';

/**
 * A production deployment: payers cannot pay sandbox links, and all of them lead to the same page.
 */
const PRODUCTION = {
  ENVIRONMENT: 'production',
  E_TRANSFER_NETWORK: 'simulated',
  ALLOW_SIMULATED_NETWORK: 'yes',
  // The generator sends X-Forwarded-For, because each address has a rate limit.
  TRUSTED_PROXIES: '127.0.0.1/32',
};

/** Measures the page that a payer sees when the payment request is cancelled. */
export async function payerPageLine(bench: Bench): Promise<Line> {
  const service = await startServiceUnderTest(bench.serverUrl, PRODUCTION);
  const { id, paymentLink } = await createPaymentRequest(service);
  const cancelled = await fetch(`${service.url}/v1/payment-requests/${id}/cancellation`, {
    method: 'POST',
    headers: service.headers,
  });
  if (!cancelled.ok) throw new Error(`The cancellation answered ${await cancelled.text()}`);
  const line = await callLine(bench, service, {
    name: 'payer page',
    call: {
      url: paymentLink,
      method: 'GET',
      headers: {
        accept: 'text/html',
        'accept-language': 'en',
        'x-forwarded-for': '[<address>]',
      },
      expectedStatus: 200,
    },
  });
  return { ...line, end: service.end };
}
