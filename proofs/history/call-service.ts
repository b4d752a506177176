import type { AnsweredLine, ApiAsked, Told } from './history-line.ts';

/** A merchant of the workload: the data that onboarding gave. */
export interface WorkloadMerchant {
  readonly merchantId: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
}

/** The answer of a call, as the history has it; a token call also gives its token. */
export type Answered = Pick<AnsweredLine, 'outcome' | 'status' | 'code' | 'told'> & {
  readonly token?: string;
};

/** A frozen connection must not hold a worker: longer than the service's own limits of a call. */
const CALL_MS = 15_000;

/** Makes one call; it always ends within 15 s and never throws. */
export async function callService(
  origin: string,
  merchant: WorkloadMerchant,
  token: string,
  asked: ApiAsked,
): Promise<Answered> {
  try {
    const { path, ...init } = requestOf(merchant, token, asked);
    const signal = AbortSignal.timeout(CALL_MS);
    const response = await fetch(origin + path, { ...init, redirect: 'manual', signal });
    return judge(asked, response, await response.text());
  } catch (error) {
    return { outcome: 'unknown', status: null, code: reasonOf(error) };
  }
}

function judge(asked: ApiAsked, response: Response, text: string): Answered {
  const { status } = response;
  // A proxy answers with a page of its own.
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  // biome-ignore lint/suspicious/noExplicitAny: the members are read by name below
  const json: any = isJson ? JSON.parse(text) : {};
  if (response.ok) {
    const isReplay = response.headers.get('idempotency-replayed') === 'true';
    if (asked.name !== 'token') {
      return { outcome: 'ok', status, code: null, told: toldOf(asked, json, isReplay) };
    }
    return { outcome: 'ok', status, code: null, token: json.access_token };
  }
  const code = json.code ?? json.error ?? null;
  // Only an answer of the service itself proves that nothing was done.
  const isRefused = status >= 400 && status < 500 && code !== null;
  return { outcome: isRefused ? 'refused' : 'unknown', status, code };
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the service
function toldOf(asked: ApiAsked, json: any, isReplay: boolean): Told {
  const replay = isReplay ? { isReplay } : {};
  switch (asked.name) {
    case 'create':
    case 'read':
    case 'cancel': {
      const statuses = json.events.map(({ status }: { status: string }) => status);
      const amountCents = Math.round(json.amount * 100);
      return { paymentRequest: { id: json.id, amountCents, statuses }, ...replay };
    }
    case 'refund': {
      const { id, paymentRequestId } = json;
      const amountCents = Math.round(json.amount * 100);
      return { refund: { id, paymentRequestId, amountCents }, ...replay };
    }
    default: {
      const ids = json.data.map(({ id }: { id: string }) => id);
      return { ids, nextCursor: json.nextCursor };
    }
  }
}

interface Request {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** An equal `asked` gives equal bytes, so that a repeat is the same call (contract §4). */
function requestOf(merchant: WorkloadMerchant, token: string, asked: ApiAsked): Request {
  const read = { 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` };
  const write = { ...read, 'content-type': 'application/json' };
  const post = (path: string, key: string, body: object) => ({
    path: `/v1/payment-requests${path}`,
    method: 'POST',
    headers: { ...write, 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  switch (asked.name) {
    case 'create': {
      const { transactionId, amountCents, payerName, key } = asked;
      return post('', key, {
        amount: amountCents / 100,
        type: 'ECOMM',
        payer: { name: payerName, email: 'payer@example.com' },
        merchantTransactionId: transactionId,
      });
    }
    case 'read':
      return { path: `/v1/payment-requests/${asked.id}`, method: 'GET', headers: read };
    case 'cancel':
      return post(`/${asked.id}/cancellation`, asked.key, { reason: 'OTHER' });
    case 'refund': {
      const { amountCents, merchantRefundId } = asked;
      // Without a wait of the simulator: PROCESSING and COMPLETED follow at once.
      const body = { amount: amountCents / 100, merchantRefundId, message: 'refundSlow:1' };
      return post(`/${asked.id}/refunds`, asked.key, body);
    }
    case 'token':
      return tokenRequest(merchant);
    case 'feed':
      return { path: `/v1/events?eventTypes=*&${after(asked)}`, method: 'GET', headers: read };
    case 'ledger':
      return { path: `/v1/ledger-entries?${after(asked)}`, method: 'GET', headers: read };
  }
}

function tokenRequest({ username, password }: WorkloadMerchant): Request {
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return {
    path: '/oauth2/token',
    method: 'POST',
    headers: {
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  };
}

function after({ after: cursor }: { readonly after: string | null }): string {
  return cursor === null ? 'limit=100' : `limit=100&after=${encodeURIComponent(cursor)}`;
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
}
