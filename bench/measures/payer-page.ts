import type { Line } from '../line.ts';
import type { Bench } from '../open-bench.ts';
import { setStage } from '../service/service-under-test.ts';
import { callLine } from './call-line.ts';
import { createOne } from './merchant-calls.ts';

/** A production deployment: the sandbox's links cannot be paid and lead to one page. */
const PRODUCTION = {
  ENVIRONMENT: 'production',
  E_TRANSFER_NETWORK: 'simulated',
  ALLOW_SIMULATED_NETWORK: 'yes',
  // Payers come from many addresses, each of which has a budget.
  TRUSTED_PROXIES: '127.0.0.1/32',
};

/** The page behind a payment link, as a payer finds it when the request has been cancelled. */
export async function payerPageLine(bench: Bench): Promise<Line> {
  const stage = await setStage(bench.serverUrl, PRODUCTION);
  const { id, paymentLink } = await createOne(stage);
  const cancelled = await fetch(`${stage.url}/v1/payment-requests/${id}/cancellation`, {
    method: 'POST',
    headers: stage.headers,
  });
  if (!cancelled.ok) throw new Error(`The cancellation answered ${await cancelled.text()}`);
  const line = await callLine(bench, stage, {
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
  return { ...line, end: stage.end };
}
