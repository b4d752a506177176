import { generateLoad, type Load, type LoadRequest } from '../load.ts';
import type { Stage } from '../stage.ts';

/** One line of the table: ours and its limit, measured in turn. */
export interface Measure {
  readonly name: string;
  readonly limitName: string;
  readonly ours: () => Promise<Load>;
  readonly limit: () => Promise<Load>;
}

const CONNECTIONS = 64;

const BODY = JSON.stringify({
  merchantTransactionId: '0f8fad5bd9cb469fa165708677289501',
  amount: 25.5,
  type: 'ECOMM',
  payer: { name: 'Ada Payer', email: 'ada@example.com', preferredLanguage: 'en' },
  displayMessage: 'Thank you for your order',
  invoiceNumber: 'INV-20261',
});

/** The calls of a merchant's server, each beside a bare server that answers the same bytes. */
export async function callMeasures(stage: Stage, seconds: number): Promise<Measure[]> {
  const json = { ...stage.headers, 'content-type': 'application/json' };
  const created = await fetch(`${stage.url}/v1/payment-requests`, {
    method: 'POST',
    headers: json,
    body: BODY,
  });
  const answer = await created.text();
  if (created.status !== 201) throw new Error(`The first create answered ${answer}`);
  const bareUrl = await stage.bareUrl(answer);
  const basic = Buffer.from(`${stage.merchant.username}:${stage.merchant.password}`);
  const call = (request: Partial<LoadRequest>) => (): Promise<Load> =>
    generateLoad({
      url: `${stage.url}/v1/payment-requests`,
      method: 'GET',
      headers: json,
      connections: CONNECTIONS,
      seconds,
      expectedStatus: 200,
      ...request,
    });
  const post = { method: 'POST', body: BODY, expectedStatus: 201 } as const;
  const barePost = call({ ...post, url: bareUrl });
  const bareGet = call({ url: bareUrl });
  return [
    { name: 'create', limitName: 'bare node:http POST', ours: call(post), limit: barePost },
    {
      name: 'create with Idempotency-Key',
      limitName: 'bare node:http POST',
      ours: call({
        ...post,
        headers: { ...json, 'idempotency-key': `bench-${process.pid}-[<id>]` },
        isNumbered: true,
      }),
      limit: barePost,
    },
    {
      name: 'read',
      limitName: 'bare node:http GET',
      ours: call({ url: `${stage.url}/v1/payment-requests/${JSON.parse(answer).id}` }),
      limit: bareGet,
    },
    {
      name: 'token call',
      limitName: 'bare node:http GET',
      ours: call({
        url: `${stage.url}/oauth2/token`,
        method: 'POST',
        headers: {
          authorization: `Basic ${basic.toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials&scope=payment_request%2Fall',
      }),
      limit: bareGet,
    },
  ];
}
